"use strict";
// The cache of all resources.
const { syncTimes } = require("./results.js");

class Cache {
  #larder;

  constructor(larder) {
    this.#larder = larder;
  }

  /** Fulfils with the entries, bytes, hits and misses of each level, and the number of requests to each API. */
  stats(options) {
    return this.#larder.call("cache/stats", undefined, options);
  }

  /** Fulfils with the local copies of lists that `sync` has made, and their states. */
  async syncs(options) {
    return (await this.#larder.call("cache/syncs", undefined, options)).syncs.map(syncTimes);
  }

  /**
   * Marks entries as stale and fulfils with their number. The next read of a stale entry asks the API. If the API
   * fails, the stale entry is returned. `what` selects entries by `resource`, `scope`, `id`, `ids`, `pages` and
   * `olderThan`. Without `what`, all entries are selected.
   */
  async invalidate(what, options) {
    return (await this.#larder.call("cache/invalidate", what, options)).invalidated;
  }

  /** Deletes entries and fulfils with their number. `what` selects entries as in `invalidate`. */
  async remove(what, options) {
    return (await this.#larder.call("cache/remove", what, options)).removed;
  }
}

module.exports = { Cache };
