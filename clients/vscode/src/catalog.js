"use strict";
// The resources of the catalog with their filters and parents, read from `rpc.discover`.

/** The names of the params that are not parents of a resource. */
const KNOWN = new Set(["id", "ids", "fields", "cachePolicy", "maxAge", "page", "filter", "text", "limit", "offset",
  "observer", "maxPages", "workDoneToken"]);
/** The names of filters for free text, in order of preference. */
const TEXTS = ["q", "query", "search", "text", "name", "title"];

/** @param {any} document @param {string} name @param {Map<string, any>} verbs @returns {import("./values").Resource} */
function resourceOf(document, name, verbs) {
  /** @type {any[]} */
  const params = (verbs.get("list") ?? verbs.get("get") ?? verbs.get("search")).params;
  const filters = params.find((param) => param.name === "filter")?.schema.properties ?? {};
  return {
    name,
    fields: document.components?.schemas?.[`item.${name}`]?.required ?? [],
    filters,
    scope: params.map((param) => param.name).filter((param) => !KNOWN.has(param)),
    get: verbs.has("get"),
    list: verbs.has("list"),
    // Older versions of larder do not report the id field of a resource.
    idField: document["x-larder-resources"]?.[name] ? document["x-larder-resources"][name].idField : "id",
    id: verbs.get("get")?.params.find((/** @type {any} */ param) => param.name === "id")?.schema,
    text: TEXTS.find((filter) => Object.hasOwn(filters, filter)),
  };
}

/** @param {any} document @returns {Map<string, import("./values").Resource>} the resources, sorted by name */
function read(document) {
  /** @type {Map<string, Map<string, any>>} */
  const methods = new Map();
  for (const method of document.methods) {
    const [name, verb] = method.name.split("/");
    if (!methods.has(name)) methods.set(name, new Map());
    methods.get(name)?.set(verb, method);
  }
  // A name without a `search` method is not a resource.
  const resources = [...methods].filter(([, verbs]) => verbs.has("search"));
  resources.sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(resources.map(([name, verbs]) => [name, resourceOf(document, name, verbs)]));
}

class Catalog {
  /** @param {import("./connection").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {Promise<Map<string, import("./values").Resource>> | null} */
    this.loading = null;
  }

  /** Fulfils with the resources. Loads the catalog if it is not loaded yet. */
  load() {
    const loading = (this.loading ??= this.connection.call("rpc.discover").then(read));
    loading.catch(() => this.loading === loading && this.forget());
    return loading;
  }

  /** @param {string} name */
  async resource(name) {
    const resources = await this.load();
    const found = resources.get(name);
    if (!found) throw new Error(`there is no resource '${name}'; use one of ${[...resources.keys()].join(", ")}`);
    return found;
  }

  forget() {
    this.loading = null;
  }
}

module.exports = { Catalog };
