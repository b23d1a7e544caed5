// The methods of a resource. `T` is its entry in `Resources` from the output of `larder catalog types`.
import {
  AnyResourceTypes, CachePolicy, Change, Explanation, Id, ItemResult, ListResult, ManyResult, PrefetchResult, Progress,
  SearchResult, Seconds,
} from "./values.js";

export interface ReadOptions {
  cachePolicy?: CachePolicy;
  /** The maximum age of a cached result. */
  maxAge?: Seconds;
  /** Cancels the call, which rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The names of the fields to return. Items have only these fields, so any field may be absent. */
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
  /** Conditions on fields of the items, not filters of the API. A dotted name selects a nested field. */
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

/** An async iterator over the pages of a list. Each page is fetched when the loop reaches it. */
export interface Pages<Item, Page = Id | null> extends AsyncIterable<ListResult<Item, Page>> {
  /** Fulfils with the items of all pages. */
  all(): Promise<Item[]>;
}

/** An async iterator over changes. Of several unread changes, only the newest is kept. */
export interface Observation<Result> extends AsyncIterableIterator<Change<Result>> {
  /** Fulfils when the server has started to observe. */
  readonly ready: Promise<void>;
  /** Ends the observation. A running loop over it ends normally. */
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

/** `Method`, or never for a resource without lists, whose `listed` type is never. */
export type IfListed<T extends AnyResourceTypes, Method> = [T["listed"]] extends [never] ? never : Method;

export interface Resource<T extends AnyResourceTypes = any> {
  readonly name: string;
  readonly scope: Partial<T["scope"]>;
  /** Returns this resource for the given parents. */
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

  /** Observes an item. */
  observe(id: T["id"], options?: { signal?: AbortSignal }): Observation<ItemResult<T["item"]>>;
  /** Observes a page of a list. */
  observe(
    what?: { page?: T["page"]; filter?: T["filter"] }, options?: { signal?: AbortSignal },
  ): Observation<ListResult<T["listed"], T["page"]>>;

  /** Explains what a request would do now, without doing it. */
  explain(
    verb: "get" | "list" | "getMany", params?: Record<string, unknown>, options?: { signal?: AbortSignal },
  ): Promise<Explanation>;
}
