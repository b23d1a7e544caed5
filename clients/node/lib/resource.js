"use strict";
// The methods of one resource of the catalog.
const { inspect } = require("node:util");
const { Observation } = require("./observation.js");
const { Pages } = require("./pages.js");
const { provenance, syncTimes } = require("./results.js");

/** Throws a TypeError unless `value` is an object, because `list(2)` would silently return the first page. */
function checked(name, value = {}, example = "{ page: 2 }") {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new TypeError(`${name} must be an object such as ${example}, not ${inspect(value)}`);
}

class Resource {
  #session;

  constructor(session, name, scope) {
    this.#session = session;
    this.name = name;
    this.scope = scope;
  }

  /** Returns the resource with the given parents: `larder.issue.at({ owner: "apple", repo: "swift" }).get(1)`. */
  at(scope) {
    return new Resource(this.#session, this.name, { ...this.scope, ...checked("parents", scope, '{ owner: "x" }') });
  }

  /** Fulfils with the item with the given id. Options: `fields`, `cachePolicy`, `maxAge`, `signal`. */
  async get(id, options) {
    return provenance(await this.#request("get", { id }, options));
  }

  /** Fulfils with one page of a list. Options: `page`, `filter`, and the options of `get`. */
  async list(options) {
    return provenance(await this.#request("list", {}, options));
  }

  /** Returns an async iterator that fetches each page when the loop reaches it. Takes the options of `list`. */
  pages(options) {
    return new Pages(this, checked("options", options));
  }

  /** Fulfils with the items that have the given ids, in their order. Options: `progress`, and the options of `get`. */
  async getMany(ids, options) {
    if (typeof ids === "string" || typeof ids?.[Symbol.iterator] !== "function") {
      throw new TypeError(`ids must be a list such as [1, 2], not ${inspect(ids)}`);
    }
    return provenance(await this.#request("getMany", { ids: [...ids] }, options));
  }

  /** Searches the cached items. Options: `filter`, `fields`, `limit`, `offset`, `signal`. */
  async search(text, options) {
    return provenance(await this.#request("search", { text }, options));
  }

  /** Fetches a whole list into the cache. Options: `filter`, `maxPages`, `progress`, `signal`. */
  async prefetch(options) {
    return this.#request("prefetch", {}, options);
  }

  /**
   * Updates the local copy of a whole list: stores new and changed items, and removes items that the API no longer has.
   * The first call creates the copy. Options: `filter`, `maxAge`, `whole`, `maxRequests`, `changes`, `acceptRemovals`,
   * `progress`, `signal`.
   */
  async sync(options) {
    return syncTimes(await this.#request("sync", {}, options));
  }

  /**
   * Returns an async iterator over the changes of an item, `observe(1)`, or of a page of a list,
   * `observe({ page: 2, filter: { name: "rick" } })`. Options: `signal`.
   */
  observe(what = {}, options) {
    const params = typeof what === "object" ? checked("params", what) : { id: what };
    const { signal } = checked("options", options);
    return new Observation(this.#session, this.name, { ...this.scope, ...params }, signal);
  }

  /** Explains what a `get`, `list` or `getMany` with the given params would do now, without sending a request. */
  async explain(verb, params, options) {
    const asked = { method: `${this.name}/${verb}`, params: { ...this.scope, ...checked("params", params) } };
    return this.#session.call("request/explain", asked, checked("options", options));
  }

  #request(verb, params, given) {
    const { signal, progress, ...options } = checked("options", given);
    const all = Object.assign(params, this.scope, options);
    return this.#session.call(`${this.name}/${verb}`, all, { signal, progress });
  }
}

module.exports = { Resource };
