// Each method with the real program and recorded API responses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";
import * as module from "../lib/index.mjs";
import { api, start, thing } from "./support.mjs";

test("`get` returns the item with its source and age", async (t) => {
  const larder = await start(t);
  const first = await larder.character.get(1);
  assert.equal(first.item.name, "Rick Sanchez");
  assert.equal(first.source, "remote");
  assert.equal(first.stale, false);
  assert.ok(first.fetchedAt instanceof Date && !Number.isNaN(first.fetchedAt.getTime()));
  assert.ok(!("fallback" in first));
  const again = await larder.character.get("1", { cachePolicy: "localOnly", maxAge: "5m" });
  assert.equal(again.source, "memory");
  assert.deepEqual(again.fetchedAt, first.fetchedAt);
  const part = await larder.character.get(1, { fields: ["name", "origin.name"] });
  assert.deepEqual(part.item, { name: "Rick Sanchez", origin: { name: "Earth (C-137)" } });
});

test("`list` sends its filter and returns page info", async (t) => {
  const { args, asked } = await api(t);
  const larder = await start(t, { args });
  const { items, page } = await larder.thing.list({ page: 2, filter: { name: "thing" } });
  assert.deepEqual(page, { current: 2, pages: 3, count: 6, next: 3, previous: 1 });
  assert.deepEqual(items, [thing(3), thing(4)]);
  assert.deepEqual(asked, ["things?page=2&name=thing"]);
});

test("`pages` fetches each page when the loop reaches it", async (t) => {
  const { args, asked } = await api(t);
  const larder = await start(t, { args });
  const pages = larder.thing.pages();
  for await (const { page } of pages) {
    assert.equal(page.current, 1);
    break;
  }
  assert.equal(asked.length, 1);
  assert.deepEqual(await pages.all(), [1, 2, 3, 4, 5, 6].map(thing));
  assert.deepEqual(await larder.thing.pages({ page: 3, fields: ["id"] }).all(), [{ id: 5 }, { id: 6 }]);
  assert.equal(asked.length, 3);
});

test("`pages` ends at a repeated page", async () => {
  const next = { first: "a", a: "b", b: "c", c: "a" };
  const list = async ({ page = "first" }) => ({ items: [page], page: { next: next[page] } });
  const { Pages } = createRequire(import.meta.url)("../lib/pages.js");
  assert.deepEqual(await new Pages({ list }, {}).all(), ["first", "a", "b", "c"]);
  assert.deepEqual(await new Pages({ list }, { page: "b" }).all(), ["b", "c", "a"]);
});

test("`getMany` returns items in the requested order", async (t) => {
  const larder = await start(t);
  const many = await larder.character.getMany(new Set([1, 2, 3, 99999]));
  assert.deepEqual(many.items.map((item) => item.id), [1, 2, 3]);
  assert.deepEqual(many.missing, [99999]);
  assert.equal(many.sources.remote, 3);
});

test("`search` reads only the cache", async (t) => {
  const larder = await start(t);
  await larder.character.list({ filter: { name: "rick" } });
  const found = await larder.character.search("san ri", { limit: 1 });
  assert.equal(found.items[0].name, "Rick Sanchez");
  assert.equal((await larder.character.search(undefined, { filter: { status: "Dead" } })).items[0].status, "Dead");
});

test("`prefetch` reports its progress", async (t) => {
  const { args } = await api(t);
  const larder = await start(t, { args });
  const steps = [];
  const progress = ({ kind, percentage }) => steps.push([kind, percentage]);
  const done = await larder.thing.prefetch({ maxPages: 2, progress });
  assert.deepEqual(done, { pages: 2, items: 4, fetched: 2, reused: 0, complete: false });
  assert.deepEqual(steps, [["begin", 0], ["report", 50], ["report", 100], ["end", undefined]]);
});

test("an error thrown by `progress` rejects only its own call", async (t) => {
  const larder = await start(t);
  const progress = () => {
    throw new RangeError("enough");
  };
  await assert.rejects(larder.character.prefetch({ filter: { name: "rick" }, maxPages: 1, progress }), /enough/);
  assert.equal((await larder.character.get(1)).item.id, 1);
});

test("`explain` returns the requests of a call", async (t) => {
  const larder = await start(t);
  const plan = await larder.location.explain("get", { id: 15 });
  assert.deepEqual(plan.requests, [{ method: "GET", url: "https://rickandmortyapi.com/api/location/15" }]);
});

test("`at` sends its scope with each request of the resource", async (t) => {
  const { args, asked } = await api(t);
  const larder = await start(t, { args });
  const refused = { name: "TypeError", message: /^parents must be an object such as \{ owner: "x" \}/ };
  for (const wrong of ["apple", 7, ["apple"], null]) assert.throws(() => larder.issue.at(wrong), refused);
  const issues = larder.issue.at({ owner: "apple" }).at({ repo: "swift" });
  assert.deepEqual(issues.scope, { owner: "apple", repo: "swift" });
  assert.deepEqual((await issues.get(1)).item, thing(1));
  assert.match((await issues.explain("get", { id: 2 })).requests[0].url, /\/apple\/swift\/2$/);
  const changes = issues.observe(3);
  await changes.ready;
  await issues.get(3);
  assert.deepEqual((await changes.next()).value.item, thing(3));
  assert.equal(await larder.cache.remove({ resource: "issue", scope: { owner: "apple" } }), 2);
  assert.deepEqual(larder.issue.scope, {});
  assert.deepEqual(asked, ["1", "3"]);
});

test("a stale item is returned if the API fails, with the error as `fallback`", async (t) => {
  let status = 200;
  const { args } = await api(t, (id) => [status, thing(id)]);
  const larder = await start(t, { args });
  await larder.thing.get(1);
  status = 500;
  const { stale, fallback } = await larder.thing.get(1, { cachePolicy: "remoteFirst" });
  assert.equal(stale, true);
  assert.ok(fallback instanceof module.ServerError && fallback.status === 500 && fallback.code === -31004);
});

test("methods for recent searches, the cache and the status return their values", async (t) => {
  const larder = await start(t);
  await larder.recents.add("a");
  assert.deepEqual(await larder.recents.add("b"), ["b", "a"]);
  assert.deepEqual(await larder.recents.add("c", { scope: "other" }), ["c"]);
  assert.deepEqual(await larder.recents.remove("a"), ["b"]);
  assert.deepEqual(await larder.recents.clear(), []);
  assert.deepEqual(await larder.recents.list({ scope: "other" }), ["c"]);
  await larder.character.getMany([1, 2, 3, 99999]);
  assert.equal(await larder.cache.invalidate({ resource: "character", ids: [1, 2] }), 2);
  assert.equal((await larder.cache.stats()).memory.entries, 3);
  assert.equal((await larder.cache.stats({ timeout: 60000 })).memory.entries, 3);
  assert.equal(await larder.cache.remove(), 3);
  assert.equal((await larder.status()).pid, larder.pid);
  assert.deepEqual(larder.info.resources, ["character", "location", "episode"]);
});

test("any method and any resource name can be used", async (t) => {
  const larder = await start(t);
  assert.equal((await larder.call("character/get", { id: 1 })).item.id, 1);
  assert.equal(larder.resource("character"), larder.character);
  assert.equal(larder.resource("close").name, "close");
  assert.equal(larder.then, undefined);
  assert.equal(typeof JSON.stringify(larder), "string");
  assert.match(`${larder}`, /object/);
});

test("`require` and `import` export the same classes", () => {
  const required = createRequire(import.meta.url)("../lib/index.js");
  assert.deepEqual(Object.keys(required).sort(), Object.keys(module).sort());
  for (const [name, value] of Object.entries(required)) assert.equal(module[name], value, name);
  const types = readFileSync(new URL("../types/errors.d.ts", import.meta.url), "utf8");
  const declared = [...types.matchAll(/declare class (\w+)/g)].map(([, name]) => name);
  assert.deepEqual(["Larder", ...declared].sort(), Object.keys(required).sort());
});
