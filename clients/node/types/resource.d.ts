// The methods of a resource. `T` is its entry in `Resources` from the output of `larder catalog types`.
import {
  AnyResourceTypes, CachePolicy, Change, Explanation, Id, ItemResult, ListResult, ManyResult, PrefetchResult, Progress,
  SearchResult, Seconds, SyncChanges, SyncResult,
} from "./values.js";

export interface ReadOptions {
  cachePolicy?: CachePolicy;
  /** The maximum age of a cached result, in seconds or as a string such as "5m". */
  maxAge?: Seconds;
  /** Cancels the call, whose promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The names of the fields to return. Items contain only these fields, so each field of the type is optional. */
export interface FieldsOption {
  fields: readonly string[];
}

/** Options without `fields`, so that items contain all fields. */
export interface NoFields {
  fields?: undefined;
}

export interface ListOptions<T extends AnyResourceTypes> extends ReadOptions {
  /** The page token; by default the token of the first page. */
  page?: T["page"];
  /** The filters of the list, by name. */
  filter?: T["filter"];
}

export interface ManyOptions extends ReadOptions {
  /** Called with the progress of the call. */
  progress?: (progress: Progress) => void;
}

export interface SearchOptions {
  /** Conditions on fields of the items, not filters of the API. A dotted name selects a nested field. */
  filter?: Record<string, unknown>;
  /** Maximum number of items. */
  limit?: number;
  /** Number of matches to skip. */
  offset?: number;
  signal?: AbortSignal;
}

export interface PrefetchOptions<T extends AnyResourceTypes> {
  filter?: T["filter"];
  /** Maximum number of pages. */
  maxPages?: number;
  /** Called after each page. */
  progress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface SyncOptions<T extends AnyResourceTypes> {
  filter?: T["filter"];
  /** The maximum age of the local copy. If the last completed run started within this time, no request is made. */
  maxAge?: Seconds;
  /** Whether to read the list from its first page. Then `maxAge` is ignored. */
  whole?: boolean;
  /** The number of requests after which the run ends. The next call continues there. */
  maxRequests?: number;
  /** Whether the result has the ids of changed items. */
  changes?: boolean;
  /** Whether the run may remove more than half of over 100 items. */
  acceptRemovals?: boolean;
  /** Called after each page. */
  progress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/** An async iterator over the pages of a list. Each page is fetched when the loop reaches it. */
export interface Pages<Item, Page = Id | null> extends AsyncIterable<ListResult<Item, Page>> {
  /** Fulfils with the items of all pages. */
  all(): Promise<Item[]>;
}

/** An async iterator over the changes of an item or page. A new change replaces an unread change. */
export interface Observation<Result> extends AsyncIterableIterator<Change<Result>> {
  /** Fulfils when the server has started to observe the item or page. */
  readonly ready: Promise<void>;
  /** Ends the observation. A running loop over it ends normally. */
  close(): void;
}

/** The type of the `list` method. */
export interface List<T extends AnyResourceTypes> {
  (options?: ListOptions<T> & NoFields): Promise<ListResult<T["listed"], T["page"]>>;
  (options: ListOptions<T> & FieldsOption): Promise<ListResult<Partial<T["listed"]>, T["page"]>>;
}

/** The type of the `pages` method. */
export interface Walk<T extends AnyResourceTypes> {
  (options?: ListOptions<T> & NoFields): Pages<T["listed"], T["page"]>;
  (options: ListOptions<T> & FieldsOption): Pages<Partial<T["listed"]>, T["page"]>;
}

/** The type of the `sync` method. */
export interface Sync<T extends AnyResourceTypes> {
  (options: SyncOptions<T> & { changes: true }): Promise<SyncResult & SyncChanges<T["id"]>>;
  (options?: SyncOptions<T>): Promise<SyncResult & Partial<SyncChanges<T["id"]>>>;
}

/** The type `Method` for a resource with lists; `never` for a resource without lists. */
export type IfListed<T extends AnyResourceTypes, Method> = [T["listed"]] extends [never] ? never : Method;

export interface Resource<T extends AnyResourceTypes = any> {
  readonly name: string;
  readonly scope: Partial<T["scope"]>;
  /** Returns the resource with the given parents, for example `larder.issue.at({ owner: "apple", repo: "swift" })`. */
  at(scope: Partial<T["scope"]>): Resource<T>;

  /** Fulfils with the item with the given id. Rejects with `NotFound` if it does not exist. */
  get(id: T["id"], options?: ReadOptions & NoFields): Promise<ItemResult<T["item"]>>;
  get(id: T["id"], options: ReadOptions & FieldsOption): Promise<ItemResult<Partial<T["item"]>>>;
  /** Fulfils with one page of a list; the first page by default. */
  list: IfListed<T, List<T>>;
  /** Returns an async iterator over the pages of a list. */
  pages: IfListed<T, Walk<T>>;
  /** Fulfils with the items that have the given ids, in their order. */
  getMany(ids: Iterable<T["id"]>, options?: ManyOptions & NoFields): Promise<ManyResult<T["item"]>>;
  getMany(ids: Iterable<T["id"]>, options: ManyOptions & FieldsOption): Promise<ManyResult<Partial<T["item"]>>>;
  /** Searches the cached items without a request to an API. */
  search(text?: string, options?: SearchOptions & NoFields): Promise<SearchResult<T["item"]>>;
  search(text: string | undefined, options: SearchOptions & FieldsOption): Promise<SearchResult<Partial<T["item"]>>>;
  /** Fetches a whole list into the cache. */
  prefetch: IfListed<T, (options?: PrefetchOptions<T>) => Promise<PrefetchResult>>;
  /** Updates the local copy of a list: stores new and changed items, and removes items that the API no longer has. */
  sync: IfListed<T, Sync<T>>;

  /** Observes an item. */
  observe(id: T["id"], options?: { signal?: AbortSignal }): Observation<ItemResult<T["item"]>>;
  /** Observes a page of a list. */
  observe(
    what?: { page?: T["page"]; filter?: T["filter"] }, options?: { signal?: AbortSignal },
  ): Observation<ListResult<T["listed"], T["page"]>>;

  /** Explains what a request with the given params would do now, without sending the request. */
  explain(
    verb: "get" | "list" | "getMany", params?: Record<string, unknown>, options?: { signal?: AbortSignal },
  ): Promise<Explanation>;
}
