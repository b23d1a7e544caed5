"use strict";
// Converts typed text to a request: `rick`, `status=Dead rick`, `owner=apple repo=swift`, `id=7`.

/**
 * Converts the typed value of a filter to the type in the filter's schema.
 *
 * @param {any} schema @param {string} text
 */
function valueOf(schema, text) {
  if (!["integer", "number", "boolean"].includes(schema.type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

class Query {
  constructor() {
    /**
     * The parents of the last request to each resource.
     *
     * @type {Map<string, Record<string, string>>}
     */
    this.remembered = new Map();
  }

  /** @param {import("./values").Resource} resource */
  scope(resource) {
    return { ...this.remembered.get(resource.name) };
  }

  /**
   * Returns the names of the parents that have a value neither in the text nor from the last request.
   *
   * @param {import("./values").Resource} resource @param {string} text
   */
  openScope(resource, text) {
    const named = this.scope(resource);
    const words = text.split(/\s+/);
    return resource.scope.filter((name) => !(name in named) && !words.some((word) => word.startsWith(`${name}=`)));
  }

  /** @param {import("./values").Resource} resource @param {Record<string, string>} scope */
  remember(resource, scope) {
    this.remembered.set(resource.name, { ...this.scope(resource), ...scope });
  }

  /** @param {import("./values").Resource} resource @param {string} text @returns {import("./values").Request} */
  request(resource, text) {
    const { name } = resource;
    const scope = this.scope(resource);
    /** @type {Record<string, any>} */
    const filter = {};
    /** @type {string[]} */
    const words = [];
    /** @type {string | undefined} */
    let id;
    for (const word of text.split(/\s+/).filter(Boolean)) {
      const [, key, value] = /^([\w.-]+)=(.*)$/.exec(word) ?? [];
      if (key === undefined) words.push(word);
      else if (resource.scope.includes(key)) scope[key] = value;
      else if (Object.hasOwn(resource.filters, key)) filter[key] = valueOf(resource.filters[key], value);
      else if (key === "id" && resource.get) id = value;
      else {
        const takes = ["id", ...resource.scope, ...Object.keys(resource.filters).sort()].join(", ");
        throw new Error(`'${name}' has no filter '${key}'; use one of ${takes}`);
      }
    }
    const rest = words.join(" ");
    if (resource.get && !resource.list && rest) id ??= rest; // Without a list, the text can only be an id.
    if (id !== undefined) return { method: `${name}/get`, params: { ...scope, id }, scope };
    const byText = resource.text !== undefined && !Object.hasOwn(filter, resource.text);
    if (resource.list && (rest === "" || byText)) {
      if (resource.text !== undefined && rest) filter[resource.text] = rest;
      return { method: `${name}/list`, params: { ...scope, ...given({ filter }) }, scope };
    }
    // The list has no filter for free text, so the cache is searched instead. In a search, `filter` compares fields.
    const params = { ...scope, ...given({ filter }), ...(rest ? { text: rest } : {}) };
    return { method: `${name}/search`, params, scope };
  }
}

/** @param {{ filter: Record<string, any> }} params */
function given({ filter }) {
  return Object.keys(filter).length > 0 ? { filter } : {};
}

module.exports = { Query };
