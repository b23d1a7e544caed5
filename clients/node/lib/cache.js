"use strict";
// The cache below all resources.

class Cache {
  #larder;

  constructor(larder) {
    this.#larder = larder;
  }

  /** Entries, bytes, hits and misses of each level, and what was asked of the remotes. */
  stats(options) {
    return this.#larder.call("cache/stats", undefined, options);
  }

  /**
   * Marks entries as stale: the next use asks the remote, and they stay for when it fails. `what` has `resource`,
   * `scope`, `id` or `ids` or `pages`, `olderThan`; without it, all. Fulfils with how many they were.
   */
  async invalidate(what, options) {
    return (await this.#larder.call("cache/invalidate", what, options)).invalidated;
  }

  /** Deletes entries, as `invalidate` marks them. */
  async remove(what, options) {
    return (await this.#larder.call("cache/remove", what, options)).removed;
  }
}

module.exports = { Cache };
