// Single modules of the client, without a larder process.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { createRequire } from "node:module";
import test from "node:test";
import * as classes from "../lib/index.mjs";

const require = createRequire(import.meta.url);
const { Child } = require("../lib/child.js");
const { Gate } = require("../lib/gate.js");
const { Lines } = require("../lib/wire/lines.js");
const { Observation } = require("../lib/observation.js");
const { Pages } = require("../lib/pages.js");
const { commandOf } = require("../lib/program.js");
const { provenance } = require("../lib/results.js");
const { offAbort, onAbort } = require("../lib/signals.js");
const { lineOf } = require("../lib/wire/requests.js");

/** A gate with room for `limit` calls, and the ids of the calls that it has sent. */
function gateOf(limit) {
  const sent = [];
  return { gate: new Gate(limit, (call) => sent.push(call.id)), sent };
}

const call = (id, method = "thing/get", params = undefined) => ({ id, method, params });

test("the call queue sends waiting calls in order, one for each finished call", () => {
  const { gate, sent } = gateOf(2);
  for (const id of [1, 2, 3, 4, 5, 6]) gate.enter(call(id));
  assert.deepEqual(sent, [1, 2]);
  gate.leave(2);
  assert.deepEqual(sent, [1, 2, 3]);
  gate.leave(2);
  gate.leave(99);
  assert.deepEqual(sent, [1, 2, 3], "these calls occupy no slot");
  gate.leave(1);
  gate.leave(3);
  gate.leave(4);
  assert.deepEqual(sent, [1, 2, 3, 4, 5, 6]);
  gate.leave(5);
  gate.leave(6);
  for (const id of [7, 8, 9]) gate.enter(call(id));
  gate.leave(7);
  assert.deepEqual(sent, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("the call queue sends calls of local methods at once", () => {
  const { gate, sent } = gateOf(1);
  gate.enter(call(0));
  gate.localMethods = new Set(["*/search", "*/observe", "initialize", "recents/add", "rpc.discover"]);
  const local = ["initialize", "recents/add", "rpc.discover", "thing/search", "thing/observe"];
  local.forEach((method, at) => gate.enter(call(at + 1, method)));
  gate.enter(call(6, "thing/get", { cachePolicy: "localOnly" }));
  assert.deepEqual(sent, [0, 1, 2, 3, 4, 5, 6]);
  const slow = ["thing/list", "initializer/get", "my/recents/add", "thing/searches", "search"];
  for (const method of slow) gate.enter(call(11, method));
  gate.enter(call(12, "thing/get", { cachePolicy: "localFirst" }));
  assert.equal(sent.length, 7);
  assert.equal(gate.waiting.size, 6);
});

test("a call withdrawn from the call queue is not sent", () => {
  const { gate, sent } = gateOf(1);
  const [first, second, third] = [call(1), call(2), call(3)];
  for (const each of [first, second, third]) gate.enter(each);
  assert.equal(gate.withdraw(second), true);
  assert.equal(gate.withdraw(second), false);
  assert.equal(gate.withdraw(first), false);
  gate.leave(1);
  assert.deepEqual(sent, [1, 3]);
});

test("the call queue sends at most 7/8 of the server's in-flight limit at once", () => {
  assert.equal(Gate.limitOf([]), 896);
  assert.equal(Gate.limitOf(["--max-in-flight", "16"]), 14);
  assert.equal(Gate.limitOf(["--replay", "x", "--max-in-flight=9"]), 8);
  assert.equal(Gate.limitOf(["--max-in-flight", "8", "--max-in-flight", "80"]), 70);
  assert.equal(Gate.limitOf(["--max-in-flight", "many"]), 896);
  assert.equal(Gate.limitOf(["--max-in-flight"]), 896);
  assert.equal(Gate.limitOf(["x--max-in-flight=3"]), 896);
  const refused = { name: "RangeError", message: /maxInFlight/ };
  for (const limit of [0, -1, NaN, 0.5]) assert.throws(() => new Gate(limit), refused);
  assert.equal(new Gate(1).limit, 1);
});

test("output is split into the same lines for every division into chunks", () => {
  const text = "one\n\ntwo ü😀\n\n\nthree\u2028\nrest";
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const got = [];
    const lines = new Lines((line) => got.push(line));
    for (let at = 0; at < bytes.length; at += size) lines.push(bytes.subarray(at, at + size));
    assert.deepEqual(got, ["one", "two ü😀", "three\u2028"], `pieces of ${size}`);
    lines.finish();
    lines.finish();
    assert.deepEqual(got.slice(3), ["rest"]);
  }
});

test("the line splitter keeps no bytes after a complete line", () => {
  const got = [];
  const lines = new Lines((line) => got.push(line));
  lines.push(Buffer.from("a\n"));
  lines.finish();
  assert.deepEqual(got, ["a"]);
});

test("a request is one line, and an error names the value that JSON cannot represent", () => {
  assert.equal(lineOf({ id: 1, method: "a", params: { b: [1.5, null, "\n"] } }),
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":[1.5,null,"\\n"]}}\n');
  assert.equal(lineOf({ id: 1, method: "a" }), '{"jsonrpc":"2.0","id":1,"method":"a"}\n');
  for (const value of [NaN, Infinity, -Infinity]) {
    const message = `params.a.1.b is ${value}, which JSON cannot represent`;
    assert.throws(() => lineOf({ method: "m", params: { a: [0, { b: value }] } }), { name: "TypeError", message });
  }
  const nested = (levels) => (levels === 0 ? 1 : [nested(levels - 1)]);
  lineOf({ method: "m", params: { deep: nested(510) } });
  assert.throws(() => lineOf({ method: "m", params: { deep: nested(511) } }), /512 levels/);
});

test("a lone surrogate is refused, but the letters of its escape are not", () => {
  const refused = (text) => assert.throws(() => lineOf({ method: "m", params: { text } }), {
    name: "TypeError", message: /^a string in m has the lone surrogate \\ud[89a-f][\da-f]{2}; correct the string$/ });
  for (const text of ["\ud800", "a\udfff", "\\\udbff", "\\\\\udc00"]) refused(text);
  for (const text of ["\\ud800", "\\\\\\udfff", "😀", "ud800"]) lineOf({ method: "m", params: { text } });
});

test("an AbortSignal keeps one listener until its last cancel action is removed", () => {
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, "abort").length;
  const [first, second] = [() => {}, () => {}];
  onAbort(signal, first);
  onAbort(signal, second);
  assert.equal(listeners(), 1);
  offAbort(signal, first);
  offAbort(signal, first);
  assert.equal(listeners(), 1);
  offAbort(signal, second);
  assert.equal(listeners(), 0);
  offAbort(signal, second);
});

test("all cancel actions of an AbortSignal run, even if one removes itself", () => {
  const control = new AbortController();
  const done = [];
  const first = () => {
    done.push(1);
    offAbort(control.signal, first);
  };
  onAbort(control.signal, first);
  onAbort(control.signal, () => done.push(2));
  control.abort();
  assert.deepEqual(done, [1, 2]);
});

test("an error has the members of the reply, and null for absent ones", () => {
  const { fromWire } = require("../lib/errors.js");
  const data = { kind: "rateLimited", retryAfter: 3, apiMessage: "slow down", status: 429 };
  const error = fromWire({ code: -31007, message: "too fast", data });
  assert.equal(error.constructor, classes.RateLimited);
  assert.deepEqual([error.name, error.message, error.code], ["RateLimited", "too fast", -31007]);
  const members = ({ kind, retryAfter, apiMessage, status }) => [kind, retryAfter, apiMessage, status];
  assert.deepEqual(members(error), ["rateLimited", 3, "slow down", 429]);
  const unknown = fromWire({ code: -1, message: "new" });
  assert.equal(unknown.constructor, classes.LarderError);
  assert.deepEqual(members(unknown), [null, null, null, null]);
  assert.ok(!Object.keys(unknown).includes("name"), "the name would be printed twice");
});

test("LarderClosed shows the log lines below its message, if there are any", () => {
  const { LarderClosed } = classes;
  const silent = new LarderClosed("ended");
  const members = ({ message, exitCode, signal, stderr, code }) => [message, exitCode, signal, stderr, code];
  assert.deepEqual(members(silent), ["ended", null, null, "", null]);
  const loud = new LarderClosed("ended", { exitCode: 3, signal: "SIGKILL", stderr: "a\nb" });
  assert.deepEqual(members(loud), ["ended:\na\nb", 3, "SIGKILL", "a\nb", null]);
});

test("`provenance` converts only the members that a result has", () => {
  assert.deepEqual(provenance({ item: 1 }), { item: 1 });
  const { fetchedAt, fallback } = provenance({ fetchedAt: 1500, fallback: { code: -31008, message: "gone" } });
  assert.equal(fetchedAt.getTime(), 1500);
  assert.equal(fallback.constructor, classes.Network);
});

test("a command has string arguments, and its env extends the environment", () => {
  process.env.LARDER_TEST_ONE = "1";
  try {
    const given = { binary: "b", args: [1, "x"], env: { LARDER_TEST_TWO: "2" }, cwd: "/" };
    const { args, env, program, named, cwd } = commandOf(given);
    assert.deepEqual([args, program, named, cwd], [["1", "x"], "b", "the option `binary`", "/"]);
    assert.deepEqual([env.LARDER_TEST_ONE, env.LARDER_TEST_TWO], ["1", "2"]);
    assert.equal(commandOf({ env: { LARDER_TEST_ONE: "3" } }).env.LARDER_TEST_ONE, "3");
    assert.equal(commandOf({ binary: null }).named === "the option `binary`", false);
  } finally {
    delete process.env.LARDER_TEST_ONE;
  }
  assert.throws(() => commandOf({ stderr: "pipe" }), /"inherit", "ignore" or a function, not pipe/);
  assert.equal(commandOf({ stderr: "ignore" }).log("line"), undefined);
});

test("a process reports its exit once, even if its pipes close later", async () => {
  const ends = [];
  const command = commandOf({ binary: "false", stderr: "ignore" });
  const child = new Child(command, () => {}, (...end) => ends.push(end));
  assert.equal(await child.ended, 1);
  child.finish();
  assert.equal(ends.length, 1);
  const [error, isCrash] = ends[0];
  assert.deepEqual([error.exitCode, isCrash], [1, true]);
});

/** A fake session that records the calls of an observation. */
function sessionOf() {
  const notes = [];
  return {
    notes, observers: new Map(),
    keepAlive() { notes.push(`holds ${this.observers.size}`); },
    call(method, params) { notes.push(method); return Promise.resolve(params); },
    notify(method) { notes.push(method); },
  };
}

test("waiting readers of an observation get changes in their order", async () => {
  const session = sessionOf();
  const changes = new Observation(session, "thing", { id: 1 });
  const [first, second, third] = [changes.next(), changes.next(), changes.next()];
  changes.deliver({ observer: changes.name, item: 1 });
  changes.deliver({ observer: changes.name, item: 2 });
  assert.deepEqual(await first, { value: { item: 1 }, done: false });
  assert.deepEqual(await second, { value: { item: 2 }, done: false });
  changes.end(new Error("over"));
  await assert.rejects(third, /over/);
  assert.deepEqual(await changes.next(), { value: undefined, done: true });
  assert.deepEqual(session.notes, ["holds 1", "thing/observe", "holds 0"]);
});

test("an observation returns its unread change before its error, and the error once", async () => {
  const changes = new Observation(sessionOf(), "thing", {});
  changes.deliver({ item: 1 });
  changes.deliver({ item: 2 });
  changes.end(new Error("over"));
  changes.end(new Error("another"));
  assert.deepEqual((await changes.next()).value, { item: 2 });
  await assert.rejects(changes.next(), /^Error: over$/);
  assert.equal((await changes.next()).done, true);
});

test("an observation ends once and has a unique name", async () => {
  const session = sessionOf();
  const changes = new Observation(session, "thing", {});
  assert.notEqual(new Observation(session, "thing", {}).name, changes.name);
  changes.close();
  changes.close();
  await changes.return();
  assert.equal(session.notes.filter((note) => note === "thing/unobserve").length, 1);
});

test("an observation restarts in a new process only after its first reply", async () => {
  const session = sessionOf();
  const changes = new Observation(session, "thing", {});
  const count = () => session.notes.filter((note) => note === "thing/observe").length;
  changes.restart();
  assert.equal(count(), 1, "the session itself repeats a request without a reply");
  await changes.ready;
  changes.restart();
  changes.restart();
  assert.equal(count(), 2);
});

test("pagination ends if the next page is null or repeated", async () => {
  const asked = [];
  const collect = (next, options) => {
    asked.length = 0;
    const list = async (given) => {
      asked.push(given);
      return { items: [given.page], page: { next: next[given.page] ?? null } };
    };
    return new Pages({ list }, options).all();
  };
  assert.deepEqual(await collect({}, {}), [undefined]);
  assert.deepEqual(await collect({ 0: 1, 1: 0 }, { page: 0 }), [0, 1]);
  assert.deepEqual(await collect({ 1: 2 }, { page: 1, fields: ["id"] }), [1, 2]);
  assert.deepEqual(asked, [{ page: 1, fields: ["id"] }, { page: 2, fields: ["id"] }]);
});
