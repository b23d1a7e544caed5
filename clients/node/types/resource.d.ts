// What a resource can be asked. `T` is its entry in `Resources` of what `larder catalog types` prints.
import {
  AnyResourceTypes, CachePolicy, Change, Explanation, Id, ItemResult, ListResult, ManyResult, PrefetchResult, Progress,
  SearchResult, Seconds,
} from "./values.js";

export interface ReadOptions {
  cachePolicy?: CachePolicy;
  /** How old an answer may be. */
  maxAge?: Seconds;
  /** Cancels the call, which is then refused with the signal's reason. */
  signal?: AbortSignal;
}

/** Names of fields: the items have these alone, so each of them may be absent. */
export interface FieldsOption {
  fields: readonly string[];
}

export interface NoFields {
  fields?: undefined;
}

export interface ListOptions<T extends AnyResourceTypes> extends ReadOptions {
  page?: T["page"];
  filter?: T["filter"];
}

export interface ManyOptions extends ReadOptions {
  progress?: (progress: Progress) => void;
}

export interface SearchOptions {
  /** Fields of the items, not filters of the API; a dotted name leads into a field. */
  filter?: Record<string, unknown>;
  limit?: number;
  offset?: number;
  signal?: AbortSignal;
}

export interface PrefetchOptions<T extends AnyResourceTypes> {
  filter?: T["filter"];
  maxPages?: number;
  progress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/** A walk over a list: each page is fetched when the loop comes to it. */
export interface Pages<Item, Page = Id | null> extends AsyncIterable<ListResult<Item, Page>> {
  /** The items of all pages. */
  all(): Promise<Item[]>;
}

/** Changes as they come; of those that nobody has taken yet, the newest alone. */
export interface Observation<Result> extends AsyncIterableIterator<Change<Result>> {
  /** Fulfils when the server has begun to look. */
  readonly ready: Promise<void>;
  /** Ends it: a loop over it ends as if there were no more changes. */
  close(): void;
}

export interface List<T extends AnyResourceTypes> {
  (options?: ListOptions<T> & NoFields): Promise<ListResult<T["listed"], T["page"]>>;
  (options: ListOptions<T> & FieldsOption): Promise<ListResult<Partial<T["listed"]>, T["page"]>>;
}

export interface Walk<T extends AnyResourceTypes> {
  (options?: ListOptions<T> & NoFields): Pages<T["listed"], T["page"]>;
  (options: ListOptions<T> & FieldsOption): Pages<Partial<T["listed"]>, T["page"]>;
}

/** Not every API has lists of every thing; where there are none, `listed` is never. */
export type IfListed<T extends AnyResourceTypes, Method> = [T["listed"]] extends [never] ? never : Method;

export interface Resource<T extends AnyResourceTypes = any> {
  readonly name: string;
  readonly scope: Partial<T["scope"]>;
  /** The same resource below these parents. */
  at(scope: Partial<T["scope"]>): Resource<T>;

  get(id: T["id"], options?: ReadOptions & NoFields): Promise<ItemResult<T["item"]>>;
  get(id: T["id"], options: ReadOptions & FieldsOption): Promise<ItemResult<Partial<T["item"]>>>;
  list: IfListed<T, List<T>>;
  pages: IfListed<T, Walk<T>>;
  getMany(ids: Iterable<T["id"]>, options?: ManyOptions & NoFields): Promise<ManyResult<T["item"]>>;
  getMany(ids: Iterable<T["id"]>, options: ManyOptions & FieldsOption): Promise<ManyResult<Partial<T["item"]>>>;
  search(text?: string, options?: SearchOptions & NoFields): Promise<SearchResult<T["item"]>>;
  search(text: string | undefined, options: SearchOptions & FieldsOption): Promise<SearchResult<Partial<T["item"]>>>;
  prefetch: IfListed<T, (options?: PrefetchOptions<T>) => Promise<PrefetchResult>>;

  /** What an item becomes. */
  observe(id: T["id"], options?: { signal?: AbortSignal }): Observation<ItemResult<T["item"]>>;
  /** What a page of a list becomes. */
  observe(
    what?: { page?: T["page"]; filter?: T["filter"] }, options?: { signal?: AbortSignal },
  ): Observation<ListResult<T["listed"], T["page"]>>;

  /** What such a request would do now, which is not done. */
  explain(
    verb: "get" | "list" | "getMany", params?: Record<string, unknown>, options?: { signal?: AbortSignal },
  ): Promise<Explanation>;
}
