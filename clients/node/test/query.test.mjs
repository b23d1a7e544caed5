// SQL statements over the cache, with the real program.
import assert from "node:assert/strict";
import test from "node:test";
import { InvalidParams, NotSynced, QueryLimit } from "../lib/index.mjs";
import { api, start } from "./support.mjs";

const ENDLESS = "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r";

test("`query` returns the rows of a statement", async (t) => {
  const { args } = await api(t);
  const larder = await start(t, { args });
  const { syncedAt } = await larder.thing.sync();
  const found = await larder.query("select _id, _json ->> 'name' name from thing where _id > ? order by 1", [4]);
  assert.deepEqual([...found], [{ _id: 5, name: "thing 5" }, { _id: 6, name: "thing 6" }]);
  assert.deepEqual([found.columns, found.truncated], [["_id", "name"], false]);
  const [{ name, rows, coverage, asOf }] = found.tables;
  assert.deepEqual([name, rows, coverage, asOf], ["thing", 6, "synced", syncedAt]);
  const some = await larder.query("select :a a from thing", { a: "x" }, { maxRows: 1, maxAge: "1h" });
  assert.deepEqual([some.rows, some.truncated], [[["x"]], true]);
});

test("each error of a query has its class and its details", async (t) => {
  const { args } = await api(t);
  const larder = await start(t, { args });
  await larder.thing.list();
  const unsynced = await larder.query("select 1 from thing", [], { coverage: "synced" }).catch((caught) => caught);
  assert.ok(unsynced instanceof NotSynced);
  assert.deepEqual([unsynced.kind, unsynced.data.calls], ["notSynced", [{ method: "thing/sync", params: {} }]]);
  const limit = await larder.query(ENDLESS, [], { timeout: 0.05 }).catch((caught) => caught);
  assert.ok(limit instanceof QueryLimit);
  assert.deepEqual([limit.kind, limit.data.limit], ["queryLimit", "time"]);
  await assert.rejects(larder.query("selec"), InvalidParams);
  await assert.rejects(larder.query(ENDLESS, [], { timeout: "60s", signal: AbortSignal.timeout(50) }), /aborted|timeout/);
});
