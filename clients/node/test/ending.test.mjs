// How a process begins, ends and crashes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { Larder, LarderClosed } from "../lib/index.mjs";
import { api, BINARY, eventually, folder, gate, isRunning, options, start, thing } from "./support.mjs";

/** An API that keeps its answers until `open` is resolved; `arrived` when the first one was asked for. */
async function held(t) {
  const arrived = gate();
  const open = gate();
  const made = await api(t, async (id) => {
    arrived.resolve();
    await open.promise;
    return [200, thing(id)];
  });
  return { ...made, arrived: arrived.promise, open: open.resolve };
}

/** A program of Node that stands in for larder. `reply(line, result)` answers a line. */
async function standIn(t, script) {
  const program = path.join(await folder(t), "stand-in");
  const greeting = `{ serverInfo: { name: "stand-in", version: "0" }, capabilities: { resources: [] } }`;
  await writeFile(program, `#!${process.execPath}
const reply = (line, result) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") result = ${greeting};
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  return method === "initialize";
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => { ${script} });
`);
  await chmod(program, 0o755);
  return program;
}

test("`close` lets what was asked be answered, also what is held back", async (t) => {
  const { args, arrived, open } = await held(t);
  const larder = await start(t, { args, maxInFlight: 1 });
  const calls = [larder.thing.get(1), larder.thing.get(2)];
  await arrived;
  const closing = larder.close();
  await assert.rejects(larder.thing.get(3), { name: "LarderClosed", message: /is closed/ });
  open();
  assert.deepEqual((await Promise.all(calls)).map(({ item }) => item.id), [1, 2]);
  assert.equal(await closing, 0);
  assert.equal(await larder.close(), 0);
});

test("`close` does not wait for a held back call that is cancelled", async (t) => {
  const { args, arrived } = await held(t);
  const larder = await start(t, { args: [...args, "--drain", "0.05s"], maxInFlight: 1 });
  const first = larder.thing.get(1);
  const control = new AbortController();
  const second = larder.thing.get(2, { signal: control.signal });
  await arrived;
  // The API never answers the first call: the process drops it when its input ends.
  const closing = larder.close({ grace: 60_000 });
  control.abort();
  await assert.rejects(second, { name: "AbortError" });
  await assert.rejects(first);
  assert.equal(await closing, 0);
});

test("what does not end is killed after the grace", async (t) => {
  const { args, arrived } = await held(t);
  const larder = await start(t, { args });
  const call = larder.thing.get(1);
  const refused = assert.rejects(call, { name: "LarderClosed", signal: "SIGKILL" });
  await arrived;
  assert.equal(await larder.close({ grace: 50 }), null);
  await refused;
});

test("a process that crashes is started again once, and asked again", async (t) => {
  const { args, arrived, open, asked } = await held(t);
  const larder = await start(t, { args });
  const call = larder.thing.get(1);
  await arrived;
  const before = larder.pid;
  process.kill(before, "SIGKILL");
  await eventually(() => asked.length === 2);
  assert.notEqual(larder.pid, before);
  const second = larder.thing.get(2);
  open();
  assert.deepEqual([(await call).item.id, (await second).item.id], [1, 2]);
  process.kill(larder.pid, "SIGKILL");
  await eventually(() => larder.thing.get(1).then(() => false, (error) => error.signal === "SIGKILL"));
  await assert.rejects(larder.thing.get(1), LarderClosed);
});

test("calls that were cancelled before a crash keep nobody's place", async (t) => {
  const { args, arrived, open } = await held(t);
  const larder = await start(t, { args, maxInFlight: 1 });
  const control = new AbortController();
  const cancelled = larder.thing.get(1, { signal: control.signal });
  const waiting = larder.thing.get(2);
  await arrived;
  control.abort();
  process.kill(larder.pid, "SIGKILL");
  await assert.rejects(cancelled, { name: "AbortError" });
  open();
  assert.equal((await waiting).item.id, 2);
});

test("none is started again where that is not wanted, nor after an end in peace", async (t) => {
  const { args, arrived } = await held(t);
  const larder = await start(t, { args, restarts: 0 });
  const call = larder.thing.get(1);
  const message = "the larder process ended by the signal SIGKILL";
  const refused = assert.rejects(call, { name: "LarderClosed", signal: "SIGKILL", exitCode: null, message });
  await arrived;
  process.kill(larder.pid, "SIGKILL");
  await refused;
  const other = await start(t);
  process.kill(other.pid, "SIGTERM");
  await eventually(() => other.recents.list().then(() => false, (error) => error.exitCode === 0));
});

test("wrong options and a faulty catalog are told at the start", async (t) => {
  const lines = [];
  const home = await folder(t);
  const wrong = { binary: BINARY, args: ["--no-such-option"], stderr: (line) => lines.push(line) };
  await assert.rejects(Larder.start(wrong), { name: "LarderClosed", exitCode: 64, message: /--no-such-option/ });
  assert.match(lines.join("\n"), /--no-such-option/);
  await writeFile(path.join(home, "catalog.json"), "{}");
  const faulty = { ...(await options(t, "--catalog", path.join(home, "catalog.json"))) };
  await assert.rejects(Larder.start(faulty), { exitCode: 78 });
  await assert.rejects(Larder.start({ stderr: 2 }), { name: "TypeError", message: /stderr/ });
});

test("who ends before the first answer is not started again", async (t) => {
  const lines = [];
  const binary = await standIn(t, `console.error("here"); process.exit(3);`);
  const stderr = (line) => lines.push(line);
  await assert.rejects(Larder.start({ binary, stderr }), { name: "LarderClosed", exitCode: 3, stderr: "here" });
  assert.deepEqual(lines, ["here"]);
});

test("a program that is not there, or is none", async (t) => {
  const home = await folder(t);
  const refused = (options, message) => assert.rejects(Larder.start(options), { name: "BinaryNotFound", message });
  await refused({ binary: path.join(home, "none") }, /none: there is no such program; the option `binary` names it$/);
  await refused({ binary: home }, /: it is not a program that can be run; the option `binary` names it$/);
  const script = path.join(home, "script");
  await writeFile(script, "#!/no/such/shell\n", { mode: 0o755 });
  await refused({ binary: script }, /: what is to run it is not there; /);
  await refused({ binary: BINARY, cwd: path.join(home, "none") }, /none: there is no such folder; the option `cwd`/);
  const named = process.env.LARDER_BIN;
  delete process.env.LARDER_BIN;
  t.after(() => named !== undefined && (process.env.LARDER_BIN = named));
  await assert.rejects(Larder.start({ env: { PATH: home } }), { name: "BinaryNotFound", message: /LARDER_BIN/ });
  process.env.LARDER_BIN = path.join(home, "gone");
  await refused({}, /gone: there is no such program; the variable LARDER_BIN names it$/);
  process.env.LARDER_BIN = BINARY;
  const { binary, ...rest } = await options(t);
  const larder = await Larder.start(rest);
  assert.equal(await larder.close(), 0);
});

test("a program that is not larder is told at the start", async (t) => {
  const ended = (message) => ({ name: "LarderClosed", message });
  const started = (binary, more) => Larder.start({ binary, stderr: "ignore", ...more });
  await assert.rejects(started("true"), ended(
    "the larder process ended with code 0 before its first answer; is true larder? `true --version` tells"));
  await assert.rejects(started("echo"), ended(/before its first answer; is echo larder/));
  await assert.rejects(started("cat"), ended(/wrote what is no message \(a request, and no reply\).*; is cat larder/));
  const silent = await standIn(t, "");
  await assert.rejects(started(silent, { startTimeout: 100 }), ended(/has not answered within 0\.1 s.*stand-in larder/));
});

test("an observer that a crash has caught at its beginning is asked for once more", async (t) => {
  const mark = JSON.stringify(path.join(await folder(t), "crashed"));
  const binary = await standIn(t, `
    if (line.includes("observe")) console.error("observe");
    if (!line.includes("observe") || require("fs").existsSync(${mark})) return reply(line, {});
    require("fs").writeFileSync(${mark}, "");
    process.kill(process.pid, "SIGKILL");`);
  const lines = [];
  const larder = await start(t, { binary, args: [], stderr: (line) => lines.push(line) });
  const before = larder.pid;
  const changes = larder.thing.observe(1);
  await eventually(() => larder.pid !== before);
  await larder.call("a");
  await changes.ready;
  // What comes by the other pipe may come later.
  await eventually(() => lines.length > 1);
  assert.deepEqual(lines, ["observe", "observe"]);
});

test("output that is no message ends the process and refuses who waits", async (t) => {
  const binary = await standIn(t, `line.includes("initialize") ? reply(line) : console.log("hello")`);
  const larder = await start(t, { binary, args: [], restarts: 0 });
  await assert.rejects(larder.call("a"), { name: "LarderClosed", message: /no message/ });
});

test("so does a line that is JSON and no message, and nobody waits on", async (t) => {
  const lines = ["null", "5", '{"method":7}', '{"method":"$/progress"}', '{"method":"x/changed"}'];
  for (const words of lines) {
    const binary = await standIn(t, `reply(line, {}) || console.log(${JSON.stringify(words)})`);
    const larder = await start(t, { binary, args: [], restarts: 0 });
    await larder.call("a");
    const ended = (error) => error.name === "LarderClosed" && /no message/.test(error.message);
    await eventually(() => larder.call("b").then(() => false, ended));
    const first = await standIn(t, `console.log(${JSON.stringify(words)})`);
    await assert.rejects(Larder.start({ binary: first, stderr: "ignore" }), ended);
  }
});

test("replies in pieces, in another order, to nobody, and notifications that are not known", async (t) => {
  const binary = await standIn(t, `
    if (reply(line, { echo: JSON.parse(line).params })) return;
    process.stdout.write('{"jsonrpc":"2.0","method":"x/changed","params":{"observer":"?"}}\\n\\n');
    process.stdout.write('{"jsonrpc":"2.0","id":777,"result":1}\\n');`);
  const larder = await start(t, { binary, args: [] });
  const text = "ünï\u2028😀".repeat(100_000);
  const [long, short] = await Promise.all([larder.call("a", { text }), larder.call("b", { text: "b" })]);
  assert.equal(long.echo.text, text);
  assert.equal(short.echo.text, "b");
});

test("a flood of log lines blocks nobody, nor does a log that throws", async (t) => {
  const binary = await standIn(t, `process.stderr.write(("x".repeat(999) + "\\n").repeat(2000)); reply(line, {});`);
  let taken = 0;
  const larder = await start(t, { binary, args: [], stderr: (line) => {
    taken += line.length;
    throw new Error("a full disk");
  } });
  assert.deepEqual(await larder.call("a"), {});
  await larder.close();
  assert.equal(taken, 2 * 2000 * 999);
});

/**
 * Runs a script that starts a larder, prints its pid, and goes on with `rest`. `nextLine()` gives what it prints
 * after that; `ended` is its exit code, when it has one and all is read.
 */
async function script(t, rest, ...more) {
  // In a group of its own, as the shell puts a command on a terminal.
  const { binary, args } = await options(t, ...more);
  const module = new URL("../lib/index.mjs", import.meta.url);
  const text = `import { Larder } from ${JSON.stringify(module)};
    const larder = await Larder.start(${JSON.stringify({ binary, args })});
    console.log(larder.pid);
    ${rest}`;
  const node = ["--input-type=module", "-e", text];
  const child = spawn(process.execPath, node, { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const ended = once(child, "close").then(([code]) => code);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value;
  return { child, ended, nextLine, pid: Number(await nextLine()) };
}

test("a script that forgets to close its larder ends, and larder with it", async (t) => {
  const { ended, pid } = await script(t, "await larder.recents.list();");
  assert.equal(await ended, 0);
  await eventually(() => !isRunning(pid));
});

test("a call that waits keeps a script alive, and so does an observer", async (t) => {
  const { child, ended, nextLine } = await script(t, `
    const changes = larder.location.observe(15);
    process.stdin.once("data", () => larder.close()).unref();
    await changes.ready;
    setImmediate(() => console.log("waits"));
    for await (const change of changes) console.log(change);
    console.log("no more");`);
  assert.equal(await nextLine(), "waits");
  child.stdin.write("close it\n");
  assert.equal(await nextLine(), "no more");
  assert.equal(await ended, 0);
});

test("larder ends with a script that is killed, whatever it waits for", async (t) => {
  const { args, arrived } = await held(t);
  const { child, ended, pid } = await script(t, "await larder.thing.get(1);", ...args, "--drain", "10m");
  await arrived;
  child.kill("SIGKILL");
  await ended;
  await eventually(() => !isRunning(pid));
});

test("Ctrl-C on a terminal reaches the script alone, which may go on", async (t) => {
  const { child, ended, nextLine, pid } = await script(t, `
    process.on("SIGINT", async () => {
      // One that has taken it too answers no more after this.
      await larder.recents.list().catch(() => {});
      console.log(JSON.stringify(await larder.recents.list()), larder.pid);
      process.exit();
    });
    setInterval(() => {}, 1000);
    console.log("waits");`);
  assert.equal(await nextLine(), "waits");
  process.kill(-child.pid, "SIGINT");
  assert.equal(await nextLine(), `[] ${pid}`);
  assert.equal(await ended, 0);
  await eventually(() => !isRunning(pid));
});

test("larder ends with a script that Ctrl-C ends", async (t) => {
  const { args, arrived } = await held(t);
  const { child, ended, pid } = await script(t, "await larder.thing.get(1);", ...args, "--drain", "10m");
  await arrived;
  process.kill(-child.pid, "SIGINT");
  await ended;
  await eventually(() => !isRunning(pid));
});
