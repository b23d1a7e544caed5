"use strict";
// The recent searches of each scope: the newest first, without duplicates, at most five. Each method fulfils with this
// list.

class Recents {
  #larder;

  constructor(larder) {
    this.#larder = larder;
  }

  list(options) {
    return this.#call("list", {}, options);
  }

  add(text, options) {
    return this.#call("add", { text }, options);
  }

  remove(text, options) {
    return this.#call("remove", { text }, options);
  }

  clear(options) {
    return this.#call("clear", {}, options);
  }

  async #call(verb, params, { scope, signal } = {}) {
    return (await this.#larder.call(`recents/${verb}`, { ...params, scope }, { signal })).recents;
  }
}

module.exports = { Recents };
