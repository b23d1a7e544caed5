// What goes into calls, and what comes out of them.
import { LarderError } from "./errors.js";

export type Id = number | string;
export type CachePolicy = "localFirst" | "remoteFirst" | "none" | "localOnly";
/** A number of seconds, or a text as "90s", "5m", "12h", "30d". */
export type Seconds = number | string;

/** What `larder catalog types` says of a resource. */
export interface AnyResourceTypes {
  item: any;
  listed: any;
  id: any;
  scope: any;
  filter: any;
  page: any;
}

/** What is known of a resource of which only the item's type is. */
export interface ResourceTypes<Item> {
  item: Item;
  listed: Item;
  id: Id;
  scope: Record<string, unknown>;
  filter: Record<string, unknown>;
  page: Id | null;
}

export type ResourceMap<R> = { [Name in keyof R]: AnyResourceTypes };

/** Where an answer came from, and how old it is. */
export interface Provenance {
  source: "memory" | "persistence" | "shared" | "remote";
  fetchedAt: Date;
  /** Whether it is older than it should be. */
  stale: boolean;
  /** Why something cached stands in, where the API was asked and failed. */
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
  /** What the page leaves out since it is not of the declared shape, where the catalog has it so. */
  skipped?: Array<{ index: number; path: string; message: string }>;
  /** The ids of items that could not be had, where the catalog asks for each item of a list. */
  missing?: Id[];
}

export interface ManyResult<Item> {
  /** In the order asked. */
  items: Item[];
  missing: Id[];
  sources: { memory: number; persistence: number; remote: number; shared?: number };
  stale?: boolean;
  fallback?: LarderError;
}

export interface SearchResult<Item> {
  items: Item[];
  /** How many there are in all. */
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

/** How far a call is: `percentage` is there but at the end. */
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

/** What an observed thing has become. */
export type Change<Result> = (Result & { gone?: undefined }) | { gone: true };
