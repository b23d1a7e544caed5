"use strict";
const assert = require("node:assert/strict");
const { writeFile } = require("node:fs/promises");
const path = require("node:path");
const { test } = require("node:test");
const { api, begin, isRunning, shown, until, user } = require("./support.js");
const { contributes } = require("../package.json");

/** An API that answers nobody. `arrived` fulfils with the first request, `taken` when it was taken back. */
async function silent(t) {
  let arrive;
  let take;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const taken = new Promise((resolve) => (take = resolve));
  const { catalog } = await api(t, (target, left) => {
    arrive(target);
    left.then(take);
    return new Promise(() => {});
  });
  return { catalog, arrived, taken };
}

test("what package.json names is there, and nothing else", async (t) => {
  await begin(t);
  assert.deepEqual([...user.commands.keys()], contributes.commands.map(({ command }) => command));
});

test("no process is started before it is needed, and it ends with the extension", async (t) => {
  const { end, pids } = await begin(t);
  await assert.rejects(pids());
  await user.run("larder.pick", { resource: "location" });
  await shown("location (");
  const [pid] = await pids();
  assert.ok(isRunning(pid));
  await end();
  assert.ok(!isRunning(pid));
  assert.equal(user.channels, 0);
});

test("what is under way at the end is taken back", async (t) => {
  const { catalog, arrived, taken } = await silent(t);
  const { end, pids } = await begin(t, { catalog });
  await user.run("larder.pick", { resource: "thing" });
  await arrived;
  await end();
  await taken;
  assert.ok(!isRunning((await pids())[0]));
  assert.deepEqual(user.told, []);
});

test("a stopped process is started anew by the next command", async (t) => {
  const { pids } = await begin(t);
  await user.run("larder.pick", { resource: "location", text: "id=15" });
  await shown("location (");
  await user.run("larder.stop");
  assert.ok(!isRunning((await pids())[0]));
  await user.run("larder.pick", { resource: "location", text: "id=15" });
  await until(() => user.quick?.labels[0] === "Bird World");
  assert.equal((await pids()).length, 2);
});

test("so is one that was killed", async (t) => {
  const { pids } = await begin(t);
  const answered = async () => {
    user.notes = [];
    await user.run("larder.recents", { resource: "location" });
    return user.notes.length === 1;
  };
  // The Node client starts the second one by itself. The end of that is told to who asks next, once.
  for (const count of [1, 2, 3]) {
    await until(answered);
    assert.equal((await pids()).length, count);
    process.kill((await pids()).at(-1), "SIGKILL");
    await until(async () => !isRunning((await pids())[count - 1]));
  }
});

test("a change of the settings is heeded by the next command", async (t) => {
  const { catalog } = await api(t, () => ({ things: [] }));
  const { pids } = await begin(t);
  await user.run("larder.pick", { resource: "location" });
  (await shown("location (")).hide();
  user.set("arguments", user.settings.arguments.slice(2));
  user.set("catalog", catalog);
  await user.run("larder.pick", { resource: "thing" });
  await until(() => user.quick?.labels[0] === "no thing is like that");
  await until(async () => !isRunning((await pids())[0]));
});

test("a catalog with faults is one message of one line", async (t) => {
  const { home } = await begin(t);
  const catalog = path.join(home, "broken.jsonc");
  await writeFile(catalog, "{\n");
  user.set("catalog", catalog);
  await user.run("larder.pick");
  assert.equal(user.told.length, 1);
  assert.ok(user.told[0].startsWith("larder: the larder process ended with code 78: "), user.told[0]);
  assert.ok(user.told[0].includes(`${catalog}:`) && !user.told[0].includes("\n"), user.told[0]);
});

test("of what a process said before its end the last line is told", async (t) => {
  const { home } = await begin(t);
  const command = path.join(home, "talker");
  await writeFile(command, "#!/bin/sh\necho one >&2\necho two >&2\nexit 3\n", { mode: 0o755 });
  user.set("command", command);
  await user.run("larder.pick");
  assert.deepEqual(user.told, ["larder: the larder process ended with code 3: two"]);
});

test("a request without an answer is taken back in time", async (t) => {
  const { catalog, taken } = await silent(t);
  await begin(t, { catalog });
  await user.run("larder.pick", { resource: "issue", text: "owner=a repo=b" }); // It reads the catalog.
  user.settings.timeout = 0.3;
  await user.run("larder.pick", { resource: "thing" });
  await until(() => user.quick?.labels[0] === "no answer to thing/list within 0.3 s");
  await taken;
});

test("a program that is no larder holds nobody up", async (t) => {
  const { home, pids } = await begin(t, { settings: { timeout: 0.3 } });
  const command = path.join(home, "mute");
  await writeFile(command, `#!/bin/sh\necho $$ > "${home}/pids"\nexec cat > /dev/null\n`, { mode: 0o755 });
  user.set("command", command);
  await user.run("larder.pick");
  process.kill((await pids())[0], "SIGKILL");
  assert.deepEqual(user.told, ["larder: no answer to rpc.discover within 0.3 s"]);
});
