// The client and its options.
import { Resource } from "./resource.js";
import { Id, LocalCopy, Progress, ResourceMap, ResourceTypes, Seconds } from "./values.js";

export * from "./errors.js";
export * from "./resource.js";
export * from "./values.js";

export interface StartOptions {
  /** Path of the program; by default the variable LARDER_BIN, or `larder` on PATH. */
  binary?: string;
  /** Arguments of the program, for example `["--catalog", "api.jsonc"]`. */
  args?: readonly string[];
  /** Environment variables of the larder process, in addition to the variables of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Working directory of the process; by default the directory of this process. */
  cwd?: string;
  /** Destination of the log lines: stderr of this process, nowhere, or a function called with each line. */
  stderr?: "inherit" | "ignore" | ((line: string) => void);
  /** Maximum number of restarts after crashes, in total (1). */
  restarts?: number;
  /** Maximum milliseconds until the first reply of a process (30,000). */
  startTimeout?: number;
  /** Maximum number of calls in flight that may wait for APIs; further calls wait in the client. */
  maxInFlight?: number;
}

export interface CallOptions {
  /** Cancels the call, whose promise rejects with the signal's reason. `AbortSignal.timeout(5000)` sets a timeout. */
  signal?: AbortSignal;
  /** Called with the progress of a `prefetch`, `sync` or `getMany`. */
  progress?: (progress: Progress) => void;
}

export interface SignalOption {
  /** Cancels the call, whose promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The recent searches of a scope, at most five. Each method fulfils with the list of searches, newest first. */
export interface Recents {
  list(options?: SignalOption & { scope?: string }): Promise<string[]>;
  add(text: string, options?: SignalOption & { scope?: string }): Promise<string[]>;
  remove(text: string, options?: SignalOption & { scope?: string }): Promise<string[]>;
  clear(options?: SignalOption & { scope?: string }): Promise<string[]>;
}

/** A selection of cache entries. An empty selection means all entries. */
export interface Selection {
  resource?: string;
  scope?: object;
  id?: Id;
  ids?: readonly Id[];
  /** Selects pages only: of all lists, or of one list of `resource`. */
  pages?: true | { filter?: object };
  /** Selects entries that were fetched at least this long ago. */
  olderThan?: Seconds;
}

/** The cache of all resources. */
export interface Cache {
  /** Fulfils with the entries, bytes, hits and misses of each level, and the number of requests to each API. */
  stats(options?: SignalOption): Promise<Record<string, any>>;
  /** Fulfils with the local copies of lists that `sync` has made, and their states. */
  syncs(options?: SignalOption): Promise<LocalCopy[]>;
  /** Marks entries as stale, so that the next read fetches them again. Fulfils with their number. */
  invalidate(what?: Selection, options?: SignalOption): Promise<number>;
  /** Deletes entries. Fulfils with their number. */
  remove(what?: Selection, options?: SignalOption): Promise<number>;
}

/** A value in a row, or the value of a parameter. */
export type QueryValue = string | number | boolean | null;

/** Values for `?` as an array, or for `:name` as an object. */
export type QueryParams = readonly QueryValue[] | Readonly<Record<string, QueryValue>>;

export interface QueryOptions extends SignalOption {
  /** The maximum number of rows (1000). */
  maxRows?: number;
  /** The maximum time of the statement ("5s"). */
  timeout?: Seconds;
  /** "synced" rejects with `NotSynced` unless each table is a complete local copy. */
  coverage?: "any" | "synced";
  /** The maximum age of the local copies; implies `coverage: "synced"`. */
  maxAge?: Seconds;
}

/** A table that a statement reads. */
export interface QueryTable {
  name: string;
  /** The number of cached items. */
  rows: number;
  /** Whether the table has complete local copies of lists, or items that were cached by chance. */
  coverage: "synced" | "parts" | "empty";
  /** The time of the oldest sync, how the copies find deleted items, and the seconds since that sync. */
  asOf?: Date;
  deletions?: "told" | "walked" | "unknown";
  age?: number;
  /** When the oldest and the newest row that the statement read were fetched. */
  oldest?: Date;
  newest?: Date;
  /** The number of damaged rows that were left out. */
  damaged?: number;
}

/** The rows of a statement. A loop over the result has an object for each row. */
export interface QueryResult extends Iterable<Record<string, any>> {
  columns: string[];
  /** A value for each column of each row. */
  rows: any[][];
  /** Whether the statement has more rows. */
  truncated: boolean;
  tables: QueryTable[];
}

/** The result of `server/status`. */
export interface ServerStatus {
  version: string;
  pid: number;
  /** The seconds since the start of the process. */
  uptime: number;
  catalog: string;
  /** When the catalog was loaded, for example "2026-11-22T12:10:00.000Z". */
  loadedAt: string;
  resources: string[];
  /** The number of requests in flight. */
  inFlight: number;
  /** The problems that degrade the server: the affected part, the reason, and the time of the first failure. */
  degraded: Array<{ part: string; reason: string; since: string }>;
}

/** The members of every client. A resource that has the name of a member is available as `resource(name)`. */
export interface LarderMembers<R extends ResourceMap<R>> {
  /** The name, version and resources of the server. */
  readonly info: { name: string; version: string; resources: string[] };
  /** The id of the larder process. */
  readonly pid: number;
  readonly recents: Recents;
  readonly cache: Cache;
  /** Calls any method and fulfils with its result unchanged. Rejects with a `LarderError` for an error reply. */
  call<Result = any>(method: string, params?: object, options?: CallOptions): Promise<Result>;
  /** Returns a resource by name. If the client has no types, use `resource<Character>("character")`. */
  resource<Name extends keyof R & string>(name: Name): Resource<R[Name]>;
  resource<Item>(name: string): Resource<ResourceTypes<Item>>;
  /** Runs an SQL statement over the cached items, without requests to an API. */
  query(sql: string, params?: QueryParams, options?: QueryOptions): Promise<QueryResult>;
  /** Fulfils with the server's version, catalog and resources, and with the problems that degrade the server. */
  status(options?: SignalOption): Promise<ServerStatus>;
  /**
   * Closes the client: waits for pending replies and for the exit of the process. The process is killed after `grace`
   * milliseconds (35,000). Fulfils with the exit code; null if the process was killed.
   */
  close(options?: { grace?: number }): Promise<number | null>;
}

/** The client with a member for each resource. `R` is `Resources` from the output of `larder catalog types`. */
export type Larder<R extends ResourceMap<R> = any> = LarderMembers<R> & {
  readonly [Name in Exclude<keyof R, keyof LarderMembers<any>>]: Resource<R[Name]>;
};

export declare const Larder: {
  /** Starts a larder process and fulfils with a client after the first reply. Rejects if the process cannot start. */
  start<R extends ResourceMap<R> = any>(options?: StartOptions): Promise<Larder<R>>;
  readonly prototype: LarderMembers<any>;
};
