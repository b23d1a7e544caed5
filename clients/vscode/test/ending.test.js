"use strict";
const assert = require("node:assert/strict");
const { writeFile } = require("node:fs/promises");
const path = require("node:path");
const { test } = require("node:test");
const { api, begin, isRunning, shown, until, user } = require("./support.js");
const { contributes } = require("../package.json");

/** An API that never answers. `arrived` fulfils with the first request, `taken` when that request is cancelled. */
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

test("the extension registers exactly the commands in package.json", async (t) => {
  await begin(t);
  assert.deepEqual([...user.commands.keys()], contributes.commands.map(({ command }) => command));
});

test("the process starts with the first command and ends with the extension", async (t) => {
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

test("deactivation cancels pending requests", async (t) => {
  const { catalog, arrived, taken } = await silent(t);
  const { end, pids } = await begin(t, { catalog });
  await user.run("larder.pick", { resource: "thing" });
  await arrived;
  await end();
  await taken;
  assert.ok(!isRunning((await pids())[0]));
  assert.deepEqual(user.errors, []);
});

test("the next command restarts a stopped process", async (t) => {
  const { pids } = await begin(t);
  await user.run("larder.pick", { resource: "location", text: "id=15" });
  await shown("location (");
  await user.run("larder.stop");
  assert.ok(!isRunning((await pids())[0]));
  await user.run("larder.pick", { resource: "location", text: "id=15" });
  await until(() => user.quick?.labels[0] === "Bird World");
  assert.equal((await pids()).length, 2);
});

test("the next command restarts a killed process", async (t) => {
  const { pids } = await begin(t);
  const answered = async () => {
    user.notes = [];
    await user.run("larder.recents", { resource: "location" });
    return user.notes.length === 1;
  };
  // The Node client itself starts the second process. The exit of this process fails one request, and the next request
  // starts a third process.
  for (const count of [1, 2, 3]) {
    await until(answered);
    assert.equal((await pids()).length, count);
    process.kill((await pids()).at(-1), "SIGKILL");
    await until(async () => !isRunning((await pids())[count - 1]));
  }
});

test("the next command uses changed settings", async (t) => {
  const { catalog } = await api(t, () => ({ things: [] }));
  const { pids } = await begin(t);
  await user.run("larder.pick", { resource: "location" });
  (await shown("location (")).hide();
  user.set("arguments", user.settings.arguments.slice(2));
  user.set("catalog", catalog);
  await user.run("larder.pick", { resource: "thing" });
  await until(() => user.quick?.labels[0] === "no item of 'thing' matches");
  await until(async () => !isRunning((await pids())[0]));
});

test("an invalid catalog is shown as one message of one line", async (t) => {
  const { home } = await begin(t);
  const catalog = path.join(home, "broken.jsonc");
  await writeFile(catalog, "{\n");
  user.set("catalog", catalog);
  await user.run("larder.pick");
  assert.equal(user.errors.length, 1);
  assert.ok(user.errors[0].startsWith("larder: the larder process exited with code 78: "), user.errors[0]);
  assert.ok(user.errors[0].includes(`${catalog}:`) && !user.errors[0].includes("\n"), user.errors[0]);
});

test("the message about an exited larder process contains its last log line", async (t) => {
  const { home } = await begin(t);
  const command = path.join(home, "talker");
  await writeFile(command, "#!/bin/sh\necho one >&2\necho two >&2\nexit 3\n", { mode: 0o755 });
  user.set("command", command);
  await user.run("larder.pick");
  assert.deepEqual(user.errors, ["larder: the larder process exited with code 3: two"]);
});

test("a request without a reply is cancelled after the timeout", async (t) => {
  const { catalog, taken } = await silent(t);
  await begin(t, { catalog });
  await user.run("larder.pick", { resource: "issue", text: "owner=a repo=b" }); // This loads the catalog.
  user.settings.timeout = 0.3;
  await user.run("larder.pick", { resource: "thing" });
  await until(() => user.quick?.labels[0] === "no reply to thing/list within 0.3 s; raise larder.timeout");
  await taken;
});

test("a program that is not larder does not block commands", async (t) => {
  const { home, pids } = await begin(t, { settings: { timeout: 0.3 } });
  const command = path.join(home, "mute");
  await writeFile(command, `#!/bin/sh\necho $$ > "${home}/pids"\nexec cat > /dev/null\n`, { mode: 0o755 });
  user.set("command", command);
  await user.run("larder.pick");
  process.kill((await pids())[0], "SIGKILL");
  assert.deepEqual(user.errors, ["larder: no reply to rpc.discover within 0.3 s; raise larder.timeout"]);
});
