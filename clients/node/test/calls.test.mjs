// Concurrent and cancelled calls.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import { Busy } from "../lib/index.mjs";
import { api, eventually, gate, start, thing } from "./support.mjs";

const count = Number(process.env.LARDER_NODE_CALLS || 10_000);
const ids = Array.from({ length: count }, (_, at) => at + 1);

test("ten thousand concurrent calls are answered, first from the API and then from the cache", async (t) => {
  const { args } = await api(t);
  const larder = await start(t, { args });
  const cold = await Promise.all(ids.map((id) => larder.thing.get(id)));
  assert.deepEqual(cold.map(({ item }) => item.id), ids);
  const cached = await Promise.all(ids.map((id) => larder.thing.get(id)));
  assert.deepEqual(new Set(cached.map(({ source }) => source)), new Set(["memory"]));
});

test("calls above the in-flight limit wait in the client, and calls of local methods do not", async (t) => {
  const open = gate();
  const { args, asked } = await api(t, async (id) => {
    await open.promise;
    return [200, thing(id)];
  });
  const larder = await start(t, { args: [...args, "--max-in-flight", "16"] });
  const calls = ids.slice(0, 100).map((id) => larder.thing.get(id));
  await eventually(() => asked.length === 14);
  assert.deepEqual(await larder.recents.add("meanwhile"), ["meanwhile"]);
  await assert.rejects(larder.thing.get(5000, { cachePolicy: "localOnly" }), { kind: "notCached" });
  assert.equal((await larder.status()).inFlight, 14);
  open.resolve();
  assert.deepEqual((await Promise.all(calls)).map(({ item }) => item.id), ids.slice(0, 100));
});

test("the server refuses calls as busy if the client's in-flight limit is too high", async (t) => {
  const open = gate();
  const { args } = await api(t, async (id) => {
    await open.promise;
    return [200, thing(id)];
  });
  const larder = await start(t, { args: [...args, "--max-in-flight=4"], maxInFlight: 5 });
  const calls = [1, 2, 3, 4, 5].map((id) => larder.thing.get(id));
  await assert.rejects(Promise.race(calls), Busy);
  open.resolve();
  assert.equal((await Promise.allSettled(calls)).filter(({ status }) => status === "fulfilled").length, 4);
  await assert.rejects(start(t, { maxInFlight: 0 }), RangeError);
});

test("an AbortSignal cancels its call and the request to the API", async (t) => {
  const arrived = gate();
  const aborted = gate();
  const { args } = await api(t, async (id, left) => {
    if (id === "1") {
      arrived.resolve();
      await left;
      aborted.resolve();
    }
    return [200, thing(id)];
  });
  const larder = await start(t, { args });
  const control = new AbortController();
  const cancelled = larder.thing.get(1, { signal: control.signal });
  const other = larder.thing.get(2, { signal: control.signal });
  assert.deepEqual((await other).item, thing(2));
  assert.equal(getEventListeners(control.signal, "abort").length, 1, "only the pending call listens");
  await arrived.promise;
  const reason = new Error("the cursor moved on");
  control.abort(reason);
  await assert.rejects(cancelled, (error) => error === reason);
  await aborted.promise;
  assert.deepEqual((await larder.thing.get(3)).item, thing(3));
});

test("an AbortSignal shared by many calls has one listener and cancels all of them", async (t) => {
  const { args } = await api(t, (id, left) => left.then(() => [200, thing(id)]));
  const larder = await start(t, { args });
  const warnings = [];
  const warned = (warning) => warnings.push(warning.name);
  process.on("warning", warned);
  t.after(() => process.off("warning", warned));
  const control = new AbortController();
  const { signal } = control;
  const calls = ids.slice(0, 40).map((id) => larder.thing.get(id, { signal }));
  const observers = ids.slice(0, 20).map((id) => larder.thing.observe(id, { signal }).next());
  assert.equal(getEventListeners(signal, "abort").length, 1);
  await larder.recents.list({ signal });
  control.abort();
  const all = await Promise.allSettled([...calls, ...observers]);
  assert.deepEqual(new Set(all.map(({ reason }) => reason)), new Set([signal.reason]));
  assert.equal(getEventListeners(signal, "abort").length, 0);
  assert.deepEqual(warnings, []);
});

test("a call with an already aborted AbortSignal is not sent", async (t) => {
  const { args, asked } = await api(t);
  const larder = await start(t, { args });
  await assert.rejects(larder.thing.get(1, { signal: AbortSignal.abort() }), { name: "AbortError" });
  await larder.thing.get(2);
  assert.deepEqual(asked, ["2"]);
});

test("a queued call that is cancelled is not sent and leaves the queue", async (t) => {
  const open = gate();
  const { args, asked } = await api(t, async (id) => {
    await open.promise;
    return [200, thing(id)];
  });
  const larder = await start(t, { args, maxInFlight: 1 });
  const first = larder.thing.get(1);
  const control = new AbortController();
  const second = larder.thing.get(2, { signal: control.signal });
  const third = larder.thing.get(3);
  control.abort();
  await assert.rejects(second, { name: "AbortError" });
  open.resolve();
  assert.deepEqual([(await first).item.id, (await third).item.id], [1, 3]);
  assert.deepEqual(asked, ["1", "3"]);
});

test("a cancelled call no longer counts against the in-flight limit", async (t) => {
  const { args, asked } = await api(t, async (id, left) => {
    if (id === "1") await left;
    return [200, thing(id)];
  });
  const larder = await start(t, { args, maxInFlight: 1 });
  const control = new AbortController();
  const first = larder.thing.get(1, { signal: control.signal });
  const second = larder.thing.get(2);
  await eventually(() => asked.length === 1);
  control.abort();
  await assert.rejects(first, { name: "AbortError" });
  assert.equal((await second).item.id, 2);
});
