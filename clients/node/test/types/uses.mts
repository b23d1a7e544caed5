// Compiled, not run. `Resources` is the output of `larder catalog types` for the built-in catalog.
import { BinaryNotFound, Larder, LarderError, NotFound, type Change, type ItemResult, type LocalCopy } from "larder";
import type { Character, Location, Resources } from "./catalog.js";

const larder = await Larder.start<Resources>({ args: ["--offline"], stderr: (line) => line.length });
const { item, fetchedAt, fallback } = await larder.character.get(1, { maxAge: "5m", cachePolicy: "localFirst" });
const name: string = item.name;
const status: "Alive" | "Dead" | "unknown" = item.status;
const year: number = fetchedAt.getUTCFullYear();
const wait: number | null | undefined = fallback?.retryAfter;
// @ts-expect-error an id is a number here
await larder.character.get("one");
// @ts-expect-error an item has no such field
item.nickname;
// @ts-expect-error there is no such resource
larder.planet;
// @ts-expect-error there is no such filter
await larder.character.list({ filter: { colour: "red" } });
// @ts-expect-error there is no such policy
await larder.character.get(1, { cachePolicy: "never" });

const shown: string | undefined = (await larder.character.get(1, { fields: ["name"] })).item.name;
// @ts-expect-error with `fields`, any field may be absent
const certain: string = (await larder.character.get(1, { fields: ["name"] })).item.name;

for await (const page of larder.character.pages({ filter: { name: "rick" } })) {
  const next: number | null = page.page.next;
  const first: Character | undefined = page.items[0];
}
const all: Location[] = await larder.location.pages().all();
const many: Character[] = (await larder.character.getMany(new Set([1, 2]))).items;
const walked: boolean | null = (await larder.character.prefetch({ progress: (p) => p.percentage })).complete;
const synced = await larder.character.sync({ filter: { name: "rick" }, maxAge: "1h", progress: (p) => p.percentage });
const syncedAt: number | undefined = synced.syncedAt?.getTime();
const inStep: boolean | null = synced.complete;
// @ts-expect-error without `changes`, the result may have none
synced.changes.length;
const { changes } = await larder.character.sync({ whole: true, maxRequests: 5, changes: true, acceptRemovals: false });
const gone: number[] = changes.filter(({ change }) => change === "removed").map(({ id }) => id);
// @ts-expect-error there is no such filter
await larder.character.sync({ filter: { colour: "red" } });
// @ts-expect-error there is no such option
await larder.character.sync({ maxPages: 1 });
const copies: LocalCopy[] = await larder.cache.syncs({ signal: new AbortController().signal });
const incomplete: string[] = copies.filter((copy) => !copy.complete).map((copy) => copy.resource);
const found = await larder.query("select name from character where id > :id", { id: 1 }, { maxRows: 5, timeout: "1s" });
const foundNames: string[] = [...found].map((row) => row.name);
const asOf: Date | undefined = found.tables[0].asOf;
// @ts-expect-error values are not nested
await larder.query("select ?", [[1]]);
// @ts-expect-error there is no such coverage
await larder.query("select 1", [], { coverage: "all" });
for await (const change of larder.location.observe(15, { signal: new AbortController().signal })) {
  if (change.gone) continue;
  const dimension: string = change.item.dimension;
}
for await (const change of larder.location.observe({ page: 1 })) if (!change.gone) change.items.length;
const change: Change<ItemResult<Location>> = { gone: true };

const steps: string[] = (await larder.character.explain("get", { id: 1 })).steps;
const typed: Character = (await larder.resource("character").get(1)).item;
const removed: number = await larder.cache.remove({ resource: "character", ids: [1], olderThan: "1d" });
const recents: string[] = await larder.recents.add("rick", { scope: "people" });
const version: string = (await larder.status()).version;
const code: number | null = await larder.close({ grace: 10 });

// A resource without lists, as `larder catalog types` prints it.
interface Single {
  tag: { item: { name: string }; listed: never; id: string; scope: { repo: string }; filter: {}; page: never };
}
const single = await Larder.start<Single>();
const tag: string = (await single.tag.at({ repo: "swift" }).get("v1")).item.name;
// @ts-expect-error there is no list
single.tag.list();
// @ts-expect-error there are no pages
single.tag.pages();
// @ts-expect-error there is no prefetch
single.tag.prefetch();
// @ts-expect-error there is no sync
single.tag.sync();

// Without the types of the catalog, every name is allowed.
const loose: Larder = await Larder.start();
const anything: any = (await loose.whatever.at({ owner: "apple" }).get("x")).item;
const listed: any[] = (await loose.whatever.list({ page: "x" })).items;
const names: Array<Partial<Character>> = await loose.resource<Character>("character").pages({ fields: ["name"] }).all();
const own: Character = (await loose.resource<Character>("character").get(1)).item;
const closed: Promise<number | null> = loose.close();

try {
  await larder.call<{ item: Character }>("character/get", { id: 1 });
} catch (error) {
  if (error instanceof NotFound || error instanceof BinaryNotFound) {
    const base: LarderError = error;
    const kind: string | null = error.kind;
  }
}
export { name, status, year, wait, shown, certain, all, many, walked, change, steps, typed, removed, recents, version };
export { syncedAt, inStep, gone, incomplete, code, anything, own, closed, tag, listed, names };
