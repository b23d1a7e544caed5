"use strict";
// What is told of a thing that changes, as an async iterator.
const { provenance } = require("./results.js");
const { offAbort, onAbort } = require("./signals.js");

let count = 0;

class Observation {
  constructor(session, resource, params, signal) {
    this.session = session;
    this.resource = resource;
    this.name = `node-${++count}`;
    this.params = { ...params, observer: this.name };
    this.newest = null; // What came and was not taken yet. It replaces what came before: only what is now is told.
    this.takers = [];
    this.over = false;
    this.error = null;
    this.begun = false;
    this.signal = signal;
    this.stop = () => this.leave(signal.reason);
    session.observers.set(this.name, this);
    session.keepAlive();
    if (signal) onAbort(signal, this.stop);
    /** Fulfils when the server has begun to look. */
    this.ready = this.begin();
    this.ready.catch(() => {}); // Who iterates is told too.
  }

  async begin() {
    try {
      await this.session.call(`${this.resource}/observe`, this.params, { signal: this.signal });
      this.begun = true;
    } catch (error) {
      this.end(error);
      throw error;
    }
  }

  /** At a new process. A request that was not answered by the old one is sent again as all others are. */
  beginAgain() {
    if (!this.begun) return;
    this.begun = false;
    this.begin().catch(() => {});
  }

  tell({ observer, ...change }) {
    const value = provenance(change);
    if (this.takers.length > 0) this.takers.shift().resolve({ value, done: false });
    else this.newest = value;
  }

  /** No change comes any more; what came is still given. */
  end(error) {
    if (this.over) return;
    this.over = true;
    this.error = error;
    if (this.signal) offAbort(this.signal, this.stop);
    this.session.observers.delete(this.name);
    this.session.keepAlive();
    for (const taker of this.takers.splice(0)) this.take().then(taker.resolve, taker.reject);
  }

  leave(error) {
    if (this.over) return;
    this.end(error);
    try {
      this.session.notify(`${this.resource}/unobserve`, { observer: this.name });
    } catch {
      // A resource of a name that cannot be written: the request to observe it was refused too.
    }
  }

  async take() {
    if (this.newest) {
      const value = this.newest;
      this.newest = null;
      return { value, done: false };
    }
    const { error } = this;
    this.error = null;
    if (error) throw error;
    return { value: undefined, done: true };
  }

  next() {
    if (this.newest || this.over) return this.take();
    return new Promise((resolve, reject) => this.takers.push({ resolve, reject }));
  }

  /** What a loop calls that is left. */
  async return() {
    this.newest = null;
    this.leave(null);
    return { value: undefined, done: true };
  }

  /** Ends it from elsewhere: a loop over it ends as if there were no more changes. */
  close() {
    this.leave(null);
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

module.exports = { Observation };
