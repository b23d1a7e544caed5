"use strict";
// Recent searches: newest first, without duplicates, five for each scope. Each method fulfils with the list.

class Recents {
  #larder;

  constructor(larder) {
    this.#larder = larder;
  }

  list(options) {
    return this.#ask("list", {}, options);
  }

  add(text, options) {
    return this.#ask("add", { text }, options);
  }

  remove(text, options) {
    return this.#ask("remove", { text }, options);
  }

  clear(options) {
    return this.#ask("clear", {}, options);
  }

  async #ask(verb, params, { scope, signal } = {}) {
    return (await this.#larder.call(`recents/${verb}`, { ...params, scope }, { signal })).recents;
  }
}

module.exports = { Recents };
