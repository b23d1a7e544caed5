"use strict";
// The cache of all resources.

class Cache {
  #larder;

  constructor(larder) {
    this.#larder = larder;
  }

  /** Fulfils with the entries, bytes, hits and misses of each level, and the number of requests to each remote. */
  stats(options) {
    return this.#larder.call("cache/stats", undefined, options);
  }

  /**
   * Marks entries as stale and fulfils with their number. The next read of a stale entry asks the remote. If the remote
   * fails, the stale entry is returned. `what` selects by `resource`, `scope`, `id`, `ids`, `pages` and `olderThan`.
   * Without it, all entries are selected.
   */
  async invalidate(what, options) {
    return (await this.#larder.call("cache/invalidate", what, options)).invalidated;
  }

  /** Deletes entries and fulfils with their number. `what` selects as in `invalidate`. */
  async remove(what, options) {
    return (await this.#larder.call("cache/remove", what, options)).removed;
  }
}

module.exports = { Cache };
