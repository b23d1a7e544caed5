// The types that the modules of the extension share.

/** The settings that `package.json` declares. */
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
  /** The names of the fields, in the order of the catalog. */
  fields: string[];
  /** The JSON Schemas of the list's filters. */
  filters: Record<string, any>;
  /** The names of the resource's parents. */
  scope: string[];
  get: boolean;
  list: boolean;
  /** The field that contains the id of an item; null if no field contains the id. */
  idField: string | null;
  /** The JSON Schema of the ids of `get`. */
  id: any;
  /** The name of the filter for free text, if there is one. */
  text: string | undefined;
}

export interface Request {
  method: string;
  params: Record<string, any>;
  scope: Record<string, string>;
}

export type Item = Record<string, any>;

/** The source and age of a result, as in the reply. Search results have neither. */
export interface Provenance {
  source?: string;
  fetchedAt?: string;
  stale?: boolean;
  fallback?: { message: string };
}
