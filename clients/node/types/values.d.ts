// The types of params and results.
import { LarderError } from "./errors.js";

export type Id = number | string;
export type CachePolicy = "localFirst" | "remoteFirst" | "none" | "localOnly";
/** A number of seconds, or text such as "90s", "5m", "12h" or "30d". */
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
  /** The error of the API because of which the result came from the cache. */
  fallback?: LarderError;
}

export interface ItemResult<Item> extends Provenance {
  item: Item;
}

export interface PageInfo<Page = Id | null> {
  current: Page;
  pages: number | null;
  count: number | null;
  next: Page | null;
  previous: Page | null;
}

export interface ListResult<Item, Page = Id | null> extends Provenance {
  items: Item[];
  page: PageInfo<Page>;
  /** The items left out because they do not match the catalog, if the catalog allows this. */
  skipped?: Array<{ index: number; path: string; message: string }>;
  /** The ids of items that could not be fetched, if the catalog fetches each item of a list. */
  missing?: Id[];
}

export interface ManyResult<Item> {
  /** The items in the requested order. */
  items: Item[];
  missing: Id[];
  sources: { memory: number; persistence: number; remote: number; shared?: number };
  stale?: boolean;
  fallback?: LarderError;
}

export interface SearchResult<Item> {
  items: Item[];
  /** The total number of matches. */
  count: number;
}

export interface PrefetchResult {
  pages: number;
  items: number;
  fetched: number;
  reused: number;
  /** Whether all items of the list were read; null if unknown. */
  complete: boolean | null;
}

/** The progress of a call. `percentage` is absent at the end. */
export interface Progress {
  kind: "begin" | "report" | "end";
  title?: string;
  message?: string;
  percentage?: number;
  cancellable?: boolean;
}

export interface Explanation {
  method: string;
  cachePolicy: CachePolicy;
  entries: Array<Record<string, any>>;
  steps: string[];
  requests: Array<{ method: string; url: string } & Record<string, any>>;
  limiter?: { wait: number };
  error?: Record<string, any>;
}

/** A change of an observed item or page: its new state, or `gone` after its removal from the cache. */
export type Change<Result> = (Result & { gone?: undefined }) | { gone: true };
