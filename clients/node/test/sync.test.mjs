// Local copies of lists, with the real program.
import assert from "node:assert/strict";
import test from "node:test";
import { InvalidParams } from "../lib/index.mjs";
import { api, page, start, thing } from "./support.mjs";

test("`sync` updates the local copy and returns the changes", async (t) => {
  const answer = (id) => {
    if (!id.startsWith("things?")) return id === "2" ? [404, {}] : [200, thing(id)];
    return [200, { pages: 1, count: things.length, things }];
  };
  let things = [thing(1), thing(2)];
  const { args } = await api(t, answer);
  const larder = await start(t, { args });
  const steps = [];
  const first = await larder.thing.sync({ filter: { name: "thing" }, progress: ({ kind }) => steps.push(kind) });
  assert.ok(first.syncedAt instanceof Date && !Number.isNaN(first.syncedAt.getTime()));
  assert.deepEqual(first, {
    mode: "whole", requests: 1, added: 2, changed: 0, removed: 0, items: 2, syncedAt: first.syncedAt,
    wholeAt: first.syncedAt, deletions: "walked", complete: true,
  });
  assert.deepEqual([steps[0], steps.at(-1)], ["begin", "end"]);
  assert.ok(steps.includes("report"));

  const { syncedAt } = await larder.thing.sync();
  assert.deepEqual((await larder.thing.search("thing")).syncedAt, syncedAt);
  const item = await larder.thing.get(1, { cachePolicy: "localOnly", maxAge: 0 });
  assert.deepEqual(item.syncedAt, syncedAt);
  things = [{ ...thing(1), name: "another" }, thing(3)];
  const second = await larder.thing.sync({ changes: true });
  const changes = [{ change: "changed", id: 1 }, { change: "removed", id: 2 }, { change: "added", id: 3 }];
  assert.deepEqual([second.added, second.changed, second.removed, second.items], [1, 1, 1, 2]);
  assert.deepEqual([second.changes.sort((one, other) => one.id - other.id), second.changesOmitted], [changes, 0]);
  const recent = await larder.thing.sync({ maxAge: "1h" });
  assert.deepEqual([recent.mode, recent.requests, recent.syncedAt], ["none", 0, second.syncedAt]);
  assert.equal((await larder.thing.sync({ maxAge: "1h", whole: true })).mode, "whole");
});

test("`sync` continues after `maxRequests`, and `syncs` lists the copies", async (t) => {
  const { args } = await api(t);
  const larder = await start(t, { args });
  assert.deepEqual(await larder.cache.syncs(), []);
  const part = await larder.thing.sync({ maxRequests: 1 });
  assert.deepEqual([part.requests, part.items, part.complete, part.syncedAt, part.wholeAt], [1, 2, false, null, null]);
  assert.deepEqual(await larder.cache.syncs(), [
    { resource: "thing", items: 2, syncedAt: null, wholeAt: null, complete: false },
  ]);
  const rest = await larder.thing.sync();
  assert.deepEqual([rest.requests, rest.added, rest.items, rest.wholeAt], [2, 4, 6, null]);
  const { syncedAt, wholeAt } = await larder.thing.sync();
  const copy = { resource: "thing", items: 6, syncedAt, wholeAt, complete: true };
  assert.ok(wholeAt instanceof Date);
  assert.deepEqual(await larder.cache.syncs(), [copy]);
});

test("`sync` removes most items only with `acceptRemovals`", async (t) => {
  let things = Array.from({ length: 102 }, (_, index) => thing(index + 1));
  const { args } = await api(t, (id) => {
    if (id.startsWith("things?")) return [200, { pages: 1, count: things.length, things }];
    return [404, {}];
  });
  const larder = await start(t, { args });
  assert.equal((await larder.thing.sync()).items, 102);
  things = [thing(1)];
  const held = await larder.thing.sync();
  assert.deepEqual([held.held, held.removed, held.items], [101, 0, 102]);
  assert.equal((await larder.thing.sync({ acceptRemovals: true })).removed, 101);
});

test("`sync` sends parents and options, and rejects if Larder refuses them", async (t) => {
  const larder = await start(t);
  const refused = (name) => (error) => error instanceof InvalidParams && error.message.includes(name);
  await assert.rejects(larder.character.at({ owner: "apple" }).sync(), refused("owner"));
  await assert.rejects(larder.character.sync({ filter: { colour: "red" } }), refused("colour"));
  await assert.rejects(larder.character.sync({ maxPages: 1 }), refused("maxPages"));
  assert.deepEqual(await larder.cache.syncs(), []);
});

test("an aborted `sync` rejects at once, and the next one continues", async (t) => {
  const control = new AbortController();
  const { args, asked } = await api(t, async (id, left) => {
    if (id === "things?page=2" && !control.signal.aborted) {
      control.abort();
      await left;
    }
    return [200, page(id)];
  });
  const larder = await start(t, { args });
  await assert.rejects(larder.thing.sync({ signal: control.signal }), { name: "AbortError" });
  const rest = await larder.thing.sync();
  assert.deepEqual([rest.requests, rest.added, rest.items], [2, 4, 6]);
  assert.deepEqual(asked, ["things?page=1", "things?page=2", "things?page=2", "things?page=3"]);
});
