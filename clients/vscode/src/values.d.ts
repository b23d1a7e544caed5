// What the parts of the extension hand each other.

/** What `package.json` lists below `larder.`. */
export interface Settings {
  command: string;
  catalog: string;
  arguments: string[];
  timeout: number;
  delay: number;
  remember: boolean;
  hover: boolean;
  resource: string;
}

export interface Resource {
  name: string;
  /** In the catalog's order. */
  fields: string[];
  /** JSON Schemas of the list's filters. */
  filters: Record<string, any>;
  /** The names of its parents. */
  scope: string[];
  get: boolean;
  list: boolean;
  /** The member of its items that has their id; null where none has. */
  idField: string | null;
  /** The JSON Schema of what `get` takes. */
  id: any;
  /** The filter that takes what a person types. */
  text: string | undefined;
}

export interface Request {
  method: string;
  params: Record<string, any>;
  scope: Record<string, string>;
}

export type Item = Record<string, any>;

/** As the wire has it; what a search found has none. */
export interface Provenance {
  source?: string;
  fetchedAt?: string;
  stale?: boolean;
  fallback?: { message: string };
}
