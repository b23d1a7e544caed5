// The error classes and refused params.
import assert from "node:assert/strict";
import test from "node:test";
import * as classes from "../lib/index.mjs";
import { api, gate, start, thing } from "./support.mjs";

const KINDS = [
  ["InvalidRequest", 400, "{}"], ["InvalidResponse", 200, ""], ["NotFound", 404, "{}"], ["ServerError", 500, "{}"],
  ["DecodingFailed", 200, "<html>"], ["Unauthorized", 401, "{}"], ["RateLimited", 429, "{}"],
];

test("each error of an API has its class, kind and status", async (t) => {
  let answer;
  const { args } = await api(t, () => answer);
  const larder = await start(t, { args });
  for (const [name, status, body] of KINDS) {
    answer = [status, body, { "Retry-After": "120" }];
    const error = await larder.thing.get(1).catch((caught) => caught);
    assert.equal(error.constructor, classes[name]);
    assert.ok(error instanceof classes.LarderError && error instanceof Error);
    assert.equal(error.name, name);
    assert.equal(error.kind, name[0].toLowerCase() + name.slice(1));
    assert.ok(error.code < -31000 && error.message);
    assert.equal(error.data.resource, "thing");
    if (status !== 200) assert.equal(error.status, status);
    assert.equal(error.retryAfter, name === "RateLimited" ? 120 : null);
  }
});

test("an error has the message of the API", async (t) => {
  const larder = await start(t);
  const error = await larder.character.get(99999).catch((caught) => caught);
  assert.ok(error instanceof classes.NotFound);
  assert.equal(error.apiMessage, "Character not found");
});

test("each error that is not from an API has its class", async (t) => {
  const larder = await start(t);
  await assert.rejects(larder.character.get(7, { cachePolicy: "localOnly" }), classes.NotCached);
  await assert.rejects(larder.nothing.get(1), classes.MethodNotFound);
  await assert.rejects(larder.character.get(1, { maxAge: "soon" }), classes.InvalidParams);
  await assert.rejects(larder.character.get(700), classes.NotReplayed);
});

test("values that JSON cannot represent are not sent", async (t) => {
  const larder = await start(t);
  await assert.rejects(larder.character.list({ filter: { name: NaN } }), /params\.filter\.name is NaN/);
  await assert.rejects(larder.character.get(1n), TypeError);
  const round = {};
  round.round = round;
  await assert.rejects(larder.call("recents/add", round), TypeError);
  assert.deepEqual(await larder.recents.list(), []);
});

test("params that are nested too deeply or have a lone surrogate reject only their own call", async (t) => {
  const open = gate();
  const { args } = await api(t, async (id) => {
    await open.promise;
    return [200, thing(id)];
  });
  const larder = await start(t, { args });
  const other = larder.call("thing/get", { id: 7, fields: ["name", "id"] });
  let deep = 1;
  for (let level = 0; level < 511; level++) deep = [deep];
  for (const text of ["\ud83d", "\udc00\ud83d", "\\\ud83d", '"\udfff"']) {
    await assert.rejects(larder.recents.add(text), { name: "TypeError", message: /lone surrogate \\ud[\da-f]{3}/ });
  }
  await assert.rejects(larder.call("recents/add", { "\ud83d": 1 }), TypeError);
  await assert.rejects(larder.call("recents/\ud83d"), TypeError);
  await assert.rejects(larder.call("recents/list", { deep }), { name: "TypeError", message: /512 levels/ });
  await assert.rejects(larder.call("recents/list", { deep: deep[0] }), classes.InvalidParams);
  const changes = larder.resource("\ud83d").observe(1);
  changes.close();
  await assert.rejects(changes.ready, TypeError);
  // A string with the letters of an escape is valid.
  assert.deepEqual(await larder.recents.add("\\ud83d"), ["\\ud83d"]);
  assert.deepEqual(await larder.recents.add("\\\\ud83d 😀"), ["\\\\ud83d 😀", "\\ud83d"]);
  open.resolve();
  assert.equal((await other).item.id, 7);
});

test("an error reply without an id rejects the longest pending request", async (t) => {
  const larder = await start(t, { args: ["--max-message", "1KiB"] });
  const [long, short] = await Promise.allSettled([larder.recents.add("x".repeat(2000)), larder.recents.add("y")]);
  assert.ok(long.reason instanceof classes.InvalidMessage);
  assert.deepEqual(short.value, ["y"]);
});

test("options that are not objects and ids that are not lists are refused before sending", async (t) => {
  const { args, asked } = await api(t);
  const larder = await start(t, { args });
  const { thing } = larder;
  for (const wrong of [2, "2", [2], null, true]) {
    const refused = { name: "TypeError", message: /(options|params) must be an object such as \{ page: 2 \}, not/ };
    for (const ask of ["list", "prefetch"]) await assert.rejects(thing[ask](wrong), refused, `${ask} ${wrong}`);
    for (const ask of ["get", "getMany", "search"]) await assert.rejects(thing[ask]([1], wrong), refused, ask);
    await assert.rejects(thing.explain("get", wrong), refused);
    assert.throws(() => thing.pages(wrong), refused);
    assert.throws(() => thing.observe(1, wrong), refused);
  }
  for (const wrong of ["12", 12, undefined, null, { 0: 1, length: 1 }]) {
    await assert.rejects(thing.getMany(wrong), { name: "TypeError", message: /ids must be a list/ });
  }
  assert.deepEqual(asked, []);
  assert.equal((await thing.getMany([1, 2], undefined)).items.length, 2);
});
