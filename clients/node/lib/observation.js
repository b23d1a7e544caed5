"use strict";
// An async iterator over the changes of an observed item or page.
const { provenance } = require("./results.js");
const { offAbort, onAbort } = require("./signals.js");

let count = 0;

class Observation {
  constructor(session, resource, params, signal) {
    this.session = session;
    this.resource = resource;
    this.name = `node-${++count}`;
    this.params = { ...params, observer: this.name };
    this.newest = null; // The newest unread change. It replaces older unread changes.
    this.readers = [];
    this.hasEnded = false;
    this.error = null;
    this.isObserving = false;
    this.signal = signal;
    this.stop = () => this.leave(signal.reason);
    session.observers.set(this.name, this);
    session.keepAlive();
    if (signal) onAbort(signal, this.stop);
    /** Fulfils when the server has started to observe the item or page. */
    this.ready = this.start();
    this.ready.catch(() => {}); // A loop over the observation throws the error too.
  }

  async start() {
    try {
      await this.session.call(`${this.resource}/observe`, this.params, { signal: this.signal });
      this.isObserving = true;
    } catch (error) {
      this.end(error);
      throw error;
    }
  }

  /** Observes again with a new process. If the observe request has no reply yet, the session repeats the request. */
  restart() {
    if (!this.isObserving) return;
    this.isObserving = false;
    this.start().catch(() => {});
  }

  deliver({ observer, ...change }) {
    const value = provenance(change);
    if (this.readers.length > 0) this.readers.shift().resolve({ value, done: false });
    else this.newest = value;
  }

  /** Ends the observation. A change that was not read yet can still be read. */
  end(error) {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.error = error;
    if (this.signal) offAbort(this.signal, this.stop);
    this.session.observers.delete(this.name);
    this.session.keepAlive();
    for (const reader of this.readers.splice(0)) this.take().then(reader.resolve, reader.reject);
  }

  leave(error) {
    if (this.hasEnded) return;
    this.end(error);
    try {
      this.session.notify(`${this.resource}/unobserve`, { observer: this.name });
    } catch {
      // The resource name cannot be encoded. The observe request was refused for the same reason.
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
    if (this.newest || this.hasEnded) return this.take();
    return new Promise((resolve, reject) => this.readers.push({ resolve, reject }));
  }

  /** Ends the observation. JavaScript calls this method when a loop over the observation is left early. */
  async return() {
    this.newest = null;
    this.leave(null);
    return { value: undefined, done: true };
  }

  /** Ends the observation. A running loop over it ends normally. */
  close() {
    this.leave(null);
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

module.exports = { Observation };
