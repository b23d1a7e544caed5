// The client and its options.
import { Resource } from "./resource.js";
import { Id, Progress, ResourceMap, ResourceTypes, Seconds } from "./values.js";

export * from "./errors.js";
export * from "./resource.js";
export * from "./values.js";

export interface StartOptions {
  /** Path of the program; by default the variable LARDER_BIN, or `larder` on PATH. */
  binary?: string;
  /** Arguments of the program, for example `["--catalog", "api.jsonc"]`. */
  args?: readonly string[];
  /** Environment variables of the process, in addition to those of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** Destination of the log lines: stderr of this process, nowhere, or a function called with each line. */
  stderr?: "inherit" | "ignore" | ((line: string) => void);
  /** How many times, in total, a crashed process is restarted (1). */
  restarts?: number;
  /** Milliseconds until the first reply of a process (30,000). */
  startTimeout?: number;
  /** Maximum number of calls in flight that may wait for APIs; further calls wait in the client. */
  maxInFlight?: number;
}

export interface CallOptions {
  /** Cancels the call, which rejects with the signal's reason. `AbortSignal.timeout(5000)` sets a timeout. */
  signal?: AbortSignal;
  /** Called with the progress of a `prefetch` or `getMany`. */
  progress?: (progress: Progress) => void;
}

export interface SignalOption {
  signal?: AbortSignal;
}

/** The recent searches. Each method fulfils with the list of searches, newest first. */
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
  olderThan?: Seconds;
}

export interface Cache {
  stats(options?: SignalOption): Promise<Record<string, any>>;
  /** Marks entries as stale: they are fetched again, and returned if that fails. Fulfils with their number. */
  invalidate(what?: Selection, options?: SignalOption): Promise<number>;
  /** Deletes entries. Fulfils with their number. */
  remove(what?: Selection, options?: SignalOption): Promise<number>;
}

export interface ServerStatus {
  version: string;
  pid: number;
  uptime: number;
  catalog: string;
  loadedAt: string;
  resources: string[];
  inFlight: number;
  degraded: Array<{ part: string; reason: string; since: string }>;
}

/** The members of every client. A resource with the name of a member is available by `resource(name)`. */
export interface LarderMembers<R extends ResourceMap<R>> {
  /** The name, version and resources of the server. */
  readonly info: { name: string; version: string; resources: string[] };
  readonly pid: number;
  readonly recents: Recents;
  readonly cache: Cache;
  /** Calls any method; fulfils with its result unchanged. */
  call<Result = any>(method: string, params?: object, options?: CallOptions): Promise<Result>;
  /** Returns a resource by name. If the client has no types, use `resource<Character>("character")`. */
  resource<Name extends keyof R & string>(name: Name): Resource<R[Name]>;
  resource<Item>(name: string): Resource<ResourceTypes<Item>>;
  status(options?: SignalOption): Promise<ServerStatus>;
  /** Ends the process after its pending replies; kills it after `grace` milliseconds (35,000). */
  close(options?: { grace?: number }): Promise<number | null>;
}

/** The client with a member for each resource. `R` is `Resources` from the output of `larder catalog types`. */
export type Larder<R extends ResourceMap<R> = any> = LarderMembers<R> & {
  readonly [Name in Exclude<keyof R, keyof LarderMembers<any>>]: Resource<R[Name]>;
};

export declare const Larder: {
  /** Starts a process, and fulfils when it answers. */
  start<R extends ResourceMap<R> = any>(options?: StartOptions): Promise<Larder<R>>;
  readonly prototype: LarderMembers<any>;
};
