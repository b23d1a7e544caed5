"use strict";
// Pagination through a list.

class Pages {
  constructor(resource, options) {
    this.resource = resource;
    this.options = options;
  }

  async *[Symbol.asyncIterator]() {
    let { page } = this.options;
    // A page token that was used before ends the loop, because some APIs repeat tokens forever.
    const seen = new Set(page == null ? [] : [page]);
    for (;;) {
      const result = await this.resource.list({ ...this.options, page });
      yield result;
      page = result.page.next;
      if (page === null || seen.has(page)) return;
      seen.add(page);
    }
  }

  /** Fulfils with the items of all pages. */
  async all() {
    const items = [];
    for await (const page of this) for (const item of page.items) items.push(item);
    return items;
  }
}

module.exports = { Pages };
