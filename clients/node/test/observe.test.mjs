// Observing items and pages.
import assert from "node:assert/strict";
import test from "node:test";
import { MethodNotFound } from "../lib/index.mjs";
import { api, eventually, start, thing } from "./support.mjs";

test("an observed item reports its fetch and its removal", async (t) => {
  const larder = await start(t);
  const changes = larder.location.observe(15);
  await changes.ready;
  await larder.location.get(15);
  const { value } = await changes.next();
  assert.equal(value.item.name, "Bird World");
  assert.ok(value.fetchedAt instanceof Date);
  assert.ok(!("observer" in value));
  const gone = changes.next();
  await larder.cache.remove();
  assert.deepEqual(await gone, { value: { gone: true }, done: false });
});

test("an observed page reports its fetch", async (t) => {
  const larder = await start(t);
  const changes = larder.character.observe({ filter: { name: "rick" } });
  await larder.character.list({ filter: { name: "rick" } });
  assert.equal((await changes.next()).value.items.length, 20);
});

test("only the newest of several unread changes is kept", async (t) => {
  let name = "old";
  const { args } = await api(t, (id) => [200, { id: Number(id), name }]);
  const larder = await start(t, { args });
  const slow = larder.thing.observe(1);
  const quick = larder.thing.observe(1);
  for (name of ["old", "new"]) {
    await larder.thing.get(1, { cachePolicy: "remoteFirst" });
    assert.equal((await quick.next()).value.item.name, name);
  }
  await eventually(() => slow.newest?.item.name === "new");
  assert.equal((await slow.next()).value.item.name, "new");
});

test("leaving the `for await` loop ends the observation", async (t) => {
  const larder = await start(t);
  const changes = larder.location.observe(15);
  await larder.location.get(15);
  for await (const change of changes) {
    assert.equal(change.item.id, 15);
    break;
  }
  const error = await larder.call("location/unobserve", { observer: changes.name }).catch((caught) => caught);
  assert.match(error.message, /there is no observer/);
  assert.deepEqual(await changes.next(), { value: undefined, done: true });
});

test("leaving the `for await` loop drops an unread change", async (t) => {
  let name = "old";
  const { args } = await api(t, (id) => [200, { id: Number(id), name }]);
  const larder = await start(t, { args });
  const changes = larder.thing.observe(1);
  await larder.thing.get(1);
  for await (const change of changes) {
    assert.equal(change.item.name, "old");
    name = "new";
    await larder.thing.get(1, { cachePolicy: "remoteFirst" });
    await eventually(() => changes.newest?.item.name === "new");
    break;
  }
  assert.deepEqual(await changes.next(), { value: undefined, done: true });
});

test("an AbortSignal ends the observation with its reason, and `close` ends it without an error", async (t) => {
  const larder = await start(t);
  const control = new AbortController();
  const aborted = larder.location.observe(15, { signal: control.signal });
  await aborted.ready;
  const waiting = aborted.next();
  control.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  assert.equal((await aborted.next()).done, true);
  const closed = larder.location.observe(15);
  const ended = [closed.next(), closed.next()];
  closed.close();
  assert.deepEqual((await Promise.all(ended)).map(({ done }) => done), [true, true]);
  await assert.rejects(larder.location.observe(15, { signal: AbortSignal.abort() }).next(), { name: "AbortError" });
});

test("an unknown resource rejects `next` and `ready`", async (t) => {
  const larder = await start(t);
  const changes = larder.nothing.observe(1);
  await assert.rejects(changes.next(), MethodNotFound);
  await assert.rejects(changes.ready, MethodNotFound);
});

test("closing the client ends its observations", async (t) => {
  const larder = await start(t);
  const loop = larder.location.observe(15);
  await loop.ready;
  const end = loop.next();
  await larder.close();
  assert.equal((await end).done, true);
});

test("an observation continues after a crash", async (t) => {
  const { args } = await api(t);
  const larder = await start(t, { args: [...args, "--no-persistence"] });
  const changes = larder.thing.observe(1);
  await changes.ready;
  const before = larder.pid;
  process.kill(before, "SIGKILL");
  await eventually(() => larder.pid !== before);
  await larder.thing.get(1);
  assert.deepEqual((await changes.next()).value.item, thing(1));
});
