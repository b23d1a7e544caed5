"use strict";
// What a kind of thing that the catalog declares can be asked.
const { inspect } = require("node:util");
const { Observation } = require("./observation.js");
const { Pages } = require("./pages.js");
const { provenance } = require("./results.js");

/** A number has no members: it would count for nothing, and `list(2)` be the first page. */
function checked(name, value = {}, example = "{ page: 2 }") {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new TypeError(`${name} are an object, as ${example}, and not ${inspect(value)}`);
}

class Resource {
  #session;

  constructor(session, name, scope) {
    this.#session = session;
    this.name = name;
    this.scope = scope;
  }

  /** The same resource below these parents: `larder.issue.at({ owner: "apple", repo: "swift" }).get(1)`. */
  at(scope) {
    return new Resource(this.#session, this.name, { ...this.scope, ...checked("parents", scope, '{ owner: "x" }') });
  }

  /** The item with this id. Options: `fields`, `cachePolicy`, `maxAge`; `signal`. */
  async get(id, options) {
    return provenance(await this.#ask("get", { id }, options));
  }

  /** One page. Options: `page`, `filter`, and those of `get`. */
  async list(options) {
    return provenance(await this.#ask("list", {}, options));
  }

  /** Every page, each fetched when the loop comes to it. Options: those of `list`. */
  pages(options) {
    return new Pages(this, checked("options", options));
  }

  /** The items with these ids, in this order. Options: those of `get`; `progress`. */
  async getMany(ids, options) {
    if (typeof ids === "string" || typeof ids?.[Symbol.iterator] !== "function") {
      throw new TypeError(`ids are a list, as [1, 2], and not ${inspect(ids)}`);
    }
    return provenance(await this.#ask("getMany", { ids: [...ids] }, options));
  }

  /** What is in the cache. Options: `filter`, `fields`, `limit`, `offset`; `signal`. */
  async search(text, options) {
    return this.#ask("search", { text }, options);
  }

  /** Walks over a list, so that it is in the cache. Options: `filter`, `maxPages`; `progress`, `signal`. */
  async prefetch(options) {
    return this.#ask("prefetch", {}, options);
  }

  /**
   * What an item becomes, `observe(1)`, or a page, `observe({ page: 2, filter: { name: "rick" } })`: an async iterator
   * of changes. Options: `signal`.
   */
  observe(what = {}, options) {
    const params = typeof what === "object" ? checked("params", what) : { id: what };
    const { signal } = checked("options", options);
    return new Observation(this.#session, this.name, { ...this.scope, ...params }, signal);
  }

  /** What a `get`, a `list` or a `getMany` with these params would do now, which is not done. */
  async explain(verb, params, options) {
    const asked = { method: `${this.name}/${verb}`, params: { ...this.scope, ...checked("params", params) } };
    return this.#session.call("request/explain", asked, checked("options", options));
  }

  #ask(verb, params, given) {
    const { signal, progress, ...options } = checked("options", given);
    const all = Object.assign(params, this.scope, options);
    return this.#session.call(`${this.name}/${verb}`, all, { signal, progress });
  }
}

module.exports = { Resource };
