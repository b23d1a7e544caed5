// The start, exit and crash of the process.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { Larder, LarderClosed } from "../lib/index.mjs";
import { api, BINARY, eventually, folder, gate, isRunning, options, start, thing } from "./support.mjs";

/** An API that delays its answers until `open()` is called. `arrived` resolves with the first request. */
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

/** Writes a Node program that replaces larder. Its `script` handles each line; `reply(line, result)` answers one. */
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

test("`close` waits for calls in flight and for queued calls", async (t) => {
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

test("`close` does not wait for a queued call that is cancelled", async (t) => {
  const { args, arrived } = await held(t);
  const larder = await start(t, { args: [...args, "--drain", "0.05s"], maxInFlight: 1 });
  const first = larder.thing.get(1);
  const control = new AbortController();
  const second = larder.thing.get(2, { signal: control.signal });
  await arrived;
  // The API never answers the first call, so the process drops the call when its input ends.
  const closing = larder.close({ grace: 60_000 });
  control.abort();
  await assert.rejects(second, { name: "AbortError" });
  await assert.rejects(first);
  assert.equal(await closing, 0);
});

test("a process that does not exit is killed after the grace period", async (t) => {
  const { args, arrived } = await held(t);
  const larder = await start(t, { args });
  const call = larder.thing.get(1);
  const refused = assert.rejects(call, { name: "LarderClosed", signal: "SIGKILL" });
  await arrived;
  assert.equal(await larder.close({ grace: 50 }), null);
  await refused;
});

test("a crashed process is restarted once, and its calls are repeated", async (t) => {
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

test("calls cancelled before a crash no longer count against the in-flight limit", async (t) => {
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

test("a process is not restarted with `restarts: 0` or after a normal exit", async (t) => {
  const { args, arrived } = await held(t);
  const larder = await start(t, { args, restarts: 0 });
  const call = larder.thing.get(1);
  const message = "the larder process was killed by the signal SIGKILL";
  const refused = assert.rejects(call, { name: "LarderClosed", signal: "SIGKILL", exitCode: null, message });
  await arrived;
  process.kill(larder.pid, "SIGKILL");
  await refused;
  const other = await start(t);
  process.kill(other.pid, "SIGTERM");
  await eventually(() => other.recents.list().then(() => false, (error) => error.exitCode === 0));
});

test("`start` rejects if an option or the catalog is invalid", async (t) => {
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

test("a process that exits before its first reply is not restarted", async (t) => {
  const lines = [];
  const binary = await standIn(t, `console.error("here"); process.exit(3);`);
  const stderr = (line) => lines.push(line);
  await assert.rejects(Larder.start({ binary, stderr }), { name: "LarderClosed", exitCode: 3, stderr: "here" });
  assert.deepEqual(lines, ["here"]);
});

test("a program that does not exist or cannot be started rejects `start` with BinaryNotFound", async (t) => {
  const home = await folder(t);
  const refused = (options, message) => assert.rejects(Larder.start(options), { name: "BinaryNotFound", message });
  await refused({ binary: path.join(home, "none") }, /none': there is no such program; correct the option `binary`$/);
  await refused({ binary: home }, /: it is not an executable file; correct the option `binary`$/);
  const script = path.join(home, "script");
  await writeFile(script, "#!/no/such/shell\n", { mode: 0o755 });
  await refused({ binary: script }, /: its interpreter does not exist; /);
  await refused({ binary: BINARY, cwd: path.join(home, "none") }, /there is no folder '.*none'; correct the option/);
  const named = process.env.LARDER_BIN;
  delete process.env.LARDER_BIN;
  t.after(() => named !== undefined && (process.env.LARDER_BIN = named));
  await assert.rejects(Larder.start({ env: { PATH: home } }), { name: "BinaryNotFound", message: /LARDER_BIN/ });
  process.env.LARDER_BIN = path.join(home, "gone");
  await refused({}, /gone': there is no such program; correct the variable LARDER_BIN$/);
  process.env.LARDER_BIN = BINARY;
  const { binary, ...rest } = await options(t);
  const larder = await Larder.start(rest);
  assert.equal(await larder.close(), 0);
});

test("a program that is not larder rejects `start` with a hint", async (t) => {
  const ended = (message) => ({ name: "LarderClosed", message });
  const started = (binary, more) => Larder.start({ binary, stderr: "ignore", ...more });
  await assert.rejects(started("true"), ended(
    "the larder process exited with code 0 before its first reply; check `true --version`"));
  await assert.rejects(started("echo"), ended(/before its first reply; check `echo --version`$/));
  await assert.rejects(started("cat"), ended(/wrote an invalid message \(a request, .*; check `cat --version`$/));
  const silent = await standIn(t, "");
  const noReply = /no reply within 0\.1 s; check `.*stand-in --version`$/;
  await assert.rejects(started(silent, { startTimeout: 100 }), ended(noReply));
});

test("an observe request without a reply is repeated after a crash", async (t) => {
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
  // Log lines use another pipe, so they may arrive later.
  await eventually(() => lines.length > 1);
  assert.deepEqual(lines, ["observe", "observe"]);
});

test("invalid output kills the process and rejects pending calls", async (t) => {
  const binary = await standIn(t, `line.includes("initialize") ? reply(line) : console.log("hello")`);
  const larder = await start(t, { binary, args: [], restarts: 0 });
  await assert.rejects(larder.call("a"), { name: "LarderClosed", message: /invalid message/ });
});

test("a line that is JSON but not a valid message kills the process", async (t) => {
  const lines = ["null", "5", '{"method":7}', '{"method":"$/progress"}', '{"method":"x/changed"}'];
  for (const output of lines) {
    const binary = await standIn(t, `reply(line, {}) || console.log(${JSON.stringify(output)})`);
    const larder = await start(t, { binary, args: [], restarts: 0 });
    await larder.call("a");
    const ended = (error) => error.name === "LarderClosed" && /invalid message/.test(error.message);
    await eventually(() => larder.call("b").then(() => false, ended));
    const first = await standIn(t, `console.log(${JSON.stringify(output)})`);
    await assert.rejects(Larder.start({ binary: first, stderr: "ignore" }), ended);
  }
});

test("replies in any order and in pieces reach their calls, and unknown messages are ignored", async (t) => {
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

test("neither a flood of log lines nor a throwing log function blocks calls", async (t) => {
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
 * Runs a script that starts a larder, prints its pid, and continues with `rest`. `nextLine()` resolves with its next
 * output line; `ended` resolves with its exit code.
 */
async function script(t, rest, ...more) {
  // In its own process group, like a command in a terminal.
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

test("a script that does not close its client exits, and larder exits with it", async (t) => {
  const { ended, pid } = await script(t, "await larder.recents.list();");
  assert.equal(await ended, 0);
  await eventually(() => !isRunning(pid));
});

test("a pending call and an observer keep a script alive", async (t) => {
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

test("larder exits with a killed script, even with a call in flight", async (t) => {
  const { args, arrived } = await held(t);
  const { child, ended, pid } = await script(t, "await larder.thing.get(1);", ...args, "--drain", "10m");
  await arrived;
  child.kill("SIGKILL");
  await ended;
  await eventually(() => !isRunning(pid));
});

test("Ctrl-C in a terminal reaches only the script and does not end larder", async (t) => {
  const { child, ended, nextLine, pid } = await script(t, `
    process.on("SIGINT", async () => {
      // A larder process that also received the signal would not answer the second call.
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

test("larder exits with a script that is ended by Ctrl-C", async (t) => {
  const { args, arrived } = await held(t);
  const { child, ended, pid } = await script(t, "await larder.thing.get(1);", ...args, "--drain", "10m");
  await arrived;
  process.kill(-child.pid, "SIGINT");
  await ended;
  await eventually(() => !isRunning(pid));
});
