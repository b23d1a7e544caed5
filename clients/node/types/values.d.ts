// The types of params and results.
import { LarderError } from "./errors.js";

export type Id = number | string;
export type CachePolicy = "localFirst" | "remoteFirst" | "none" | "localOnly";
/** A number of seconds, or a string such as "90s", "5m", "12h" or "30d". */
export type Seconds = number | string;

/** The types of a resource in the output of `larder catalog types`. */
export interface AnyResourceTypes {
  item: any;
  listed: any;
  id: any;
  scope: any;
  filter: any;
  page: any;
}

/** The types of a resource if only the type of its items is known. */
export interface ResourceTypes<Item> {
  item: Item;
  listed: Item;
  id: Id;
  scope: Record<string, unknown>;
  filter: Record<string, unknown>;
  page: Id | null;
}

export type ResourceMap<R> = { [Name in keyof R]: AnyResourceTypes };

/** The source and age of a result. */
export interface Provenance {
  source: "memory" | "persistence" | "shared" | "remote";
  fetchedAt: Date;
  /** Whether the data is expired or was invalidated. */
  stale: boolean;
  /** The time of the sync that confirmed the item after it was fetched. For a page that comes from a local copy of the
   * list, the time of the copy's last sync. */
  syncedAt?: Date;
  /** The API error that made Larder return a cached result. */
  fallback?: LarderError;
}

export interface ItemResult<Item> extends Provenance {
  item: Item;
}

/** The position of a page in its list. Values that the API does not report are null. */
export interface PageInfo<Page = Id | null> {
  current: Page;
  /** The number of pages of the list. */
  pages: number | null;
  /** The number of items of the list. */
  count: number | null;
  next: Page | null;
  previous: Page | null;
}

export interface ListResult<Item, Page = Id | null> extends Provenance {
  items: Item[];
  page: PageInfo<Page>;
  /** The items that were left out because they do not match the catalog. Present only if the catalog allows this. */
  skipped?: Array<{ index: number; path: string; message: string }>;
  /** The ids of items that could not be fetched. Present only if the catalog fetches the items of a list one by one. */
  missing?: Id[];
}

export interface ManyResult<Item> {
  /** The items in the requested order. */
  items: Item[];
  /** The ids that the API does not know; if the API failed, also the ids that are not cached. */
  missing: Id[];
  /** The number of items from each cache level and from the API (`remote`). */
  sources: { memory: number; persistence: number; remote: number; shared?: number };
  stale?: boolean;
  fallback?: LarderError;
}

export interface SearchResult<Item> {
  items: Item[];
  /** The number of all matching items, including the items beyond `limit`. */
  count: number;
  /** The time of the last sync of the whole list. Absent if there is no complete copy of the list. */
  syncedAt?: Date;
}

/** The pages and items of a prefetched list. `fetched` pages came from the API, `reused` pages from the cache. */
export interface PrefetchResult {
  pages: number;
  items: number;
  fetched: number;
  reused: number;
  /** Whether the whole list is cached; null if unknown. */
  complete: boolean | null;
}

/** The result of updating the local copy of a list. */
export interface SyncResult {
  /** "none" if the copy was recent enough. */
  mode: "whole" | "none";
  /** The number of requests. */
  requests: number;
  /** The number of items that joined the copy. */
  added: number;
  /** The number of items that differ from the stored ones. */
  changed: number;
  /** The number of items that left the copy. */
  removed: number;
  /** The number of items that became stale because too many items would be removed. Absent if none was held back. */
  held?: number;
  /** The number of items in the copy. */
  items: number;
  /** The start of the last run that read the list to its end; null if there was none. */
  syncedAt: Date | null;
  /** The start of the last complete run; null if there was none. */
  wholeAt: Date | null;
  /** "walked" if this run found out which items are gone. */
  deletions: "walked" | "unknown";
  /** Whether the copy has all items of the list; null if unknown. */
  complete: boolean | null;
}

/** The changes in the result of a `sync` with `changes: true`. */
export interface SyncChanges<ItemId = Id> {
  /** Up to 1,000 changes. */
  changes: Array<{ change: "added" | "changed" | "removed"; id: ItemId }>;
  /** The number of further changes. */
  changesOmitted: number;
}

/** The state of the local copy of a list. */
export interface LocalCopy {
  resource: string;
  /** Absent if the list has no parents. */
  scope?: Record<string, unknown>;
  /** Absent if the list has no filter. */
  filter?: Record<string, unknown>;
  /** The number of items in the copy. */
  items: number;
  /** The start of the last run that read the list to its end; null if there was none. */
  syncedAt: Date | null;
  /** The start of the last complete run; null if there was none. */
  wholeAt: Date | null;
  /** Whether the copy certainly had all items of the list after the last run, and lost none since then. */
  complete: boolean;
}

/** The progress of a call. `percentage` is from 0 to 100; it is absent if unknown and at the end. */
export interface Progress {
  kind: "begin" | "report" | "end";
  title?: string;
  message?: string;
  percentage?: number;
  cancellable?: boolean;
}

/** The steps that a request would take now: the result of `request/explain`. */
export interface Explanation {
  method: string;
  cachePolicy: CachePolicy;
  entries: Array<Record<string, any>>;
  steps: string[];
  requests: Array<{ method: string; url: string } & Record<string, any>>;
  /** `wait` is the number of seconds by which the API's rate limit would delay the requests. */
  limiter?: { wait: number };
  error?: Record<string, any>;
}

/** A change of an observed item or page: its new state, or `gone: true` if it was removed from the cache. */
export type Change<Result> = (Result & { gone?: undefined }) | { gone: true };
