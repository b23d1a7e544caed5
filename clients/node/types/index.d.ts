// What a program holds: a larder, and what it starts.
import { Resource } from "./resource.js";
import { Id, Progress, ResourceMap, ResourceTypes, Seconds } from "./values.js";

export * from "./errors.js";
export * from "./resource.js";
export * from "./values.js";

export interface StartOptions {
  /** The program; else the variable LARDER_BIN, else `larder` on PATH. */
  binary?: string;
  /** Its arguments, as `["--catalog", "api.jsonc"]`. */
  args?: readonly string[];
  /** Variables for the process, over those of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** Where its log lines go: to this process's stderr, nowhere, or to a function that takes each. */
  stderr?: "inherit" | "ignore" | ((line: string) => void);
  /** How often, in all, a process that crashed is started anew; 1 where nothing is said. */
  restarts?: number;
  /** Within how many milliseconds a process must answer for the first time (30,000). */
  startTimeout?: number;
  /** How many calls that may wait for APIs are with the server at once; the others wait in the client. */
  maxInFlight?: number;
}

export interface CallOptions {
  /** Cancels the call, which is then refused with the signal's reason. `AbortSignal.timeout(5000)` is a time limit. */
  signal?: AbortSignal;
  /** Told how far a `prefetch` or a `getMany` is. */
  progress?: (progress: Progress) => void;
}

export interface SignalOption {
  signal?: AbortSignal;
}

/** What the methods of `recents` take; each fulfils with the texts, newest first. */
export interface Recents {
  list(options?: SignalOption & { scope?: string }): Promise<string[]>;
  add(text: string, options?: SignalOption & { scope?: string }): Promise<string[]>;
  remove(text: string, options?: SignalOption & { scope?: string }): Promise<string[]>;
  clear(options?: SignalOption & { scope?: string }): Promise<string[]>;
}

/** Which entries of the cache; without anything, all. */
export interface Selection {
  resource?: string;
  scope?: object;
  id?: Id;
  ids?: readonly Id[];
  /** Pages alone: those of all lists, or of one list of `resource`. */
  pages?: true | { filter?: object };
  olderThan?: Seconds;
}

export interface Cache {
  stats(options?: SignalOption): Promise<Record<string, any>>;
  /** Marks entries as stale: they are asked for anew, and stand in where that fails. Fulfils with their number. */
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

/** What every larder has; a resource of such a name is reached by `resource(name)`. */
export interface LarderMembers<R extends ResourceMap<R>> {
  /** What the server said it is. */
  readonly info: { name: string; version: string; resources: string[] };
  readonly pid: number;
  readonly recents: Recents;
  readonly cache: Cache;
  /** The result of any method, as the wire has it. */
  call<Result = any>(method: string, params?: object, options?: CallOptions): Promise<Result>;
  /** A resource of the catalog: by its name where the types are known, else `resource<Character>("character")`. */
  resource<Name extends keyof R & string>(name: Name): Resource<R[Name]>;
  resource<Item>(name: string): Resource<ResourceTypes<Item>>;
  status(options?: SignalOption): Promise<ServerStatus>;
  /** Ends the process: what was asked is answered first; after `grace` milliseconds (35,000) it is killed. */
  close(options?: { grace?: number }): Promise<number | null>;
}

/** `larder.character`, for each resource. `R` is `Resources` of what `larder catalog types` prints. */
export type Larder<R extends ResourceMap<R> = any> = LarderMembers<R> & {
  readonly [Name in Exclude<keyof R, keyof LarderMembers<any>>]: Resource<R[Name]>;
};

export declare const Larder: {
  /** Starts a process, and fulfils when it answers. */
  start<R extends ResourceMap<R> = any>(options?: StartOptions): Promise<Larder<R>>;
  readonly prototype: LarderMembers<any>;
};
