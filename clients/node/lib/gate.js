"use strict";
// Queues calls in the client, so that the server does not refuse them as busy.

/** Limits the calls in flight to `limit`. Further calls wait here, in the order in which they were made. */
class Gate {
  constructor(limit, send) {
    if (!(limit >= 1)) throw new RangeError(`the option "maxInFlight" must be at least 1, not ${limit}`);
    this.limit = limit;
    this.send = send;
    // The methods that make no request to an API, as the `initialize` reply lists them. "*" matches any resource.
    this.localMethods = new Set();
    this.inFlight = new Set();
    this.waiting = new Set();
    // One iterator for all calls: a new one would have to skip all deleted entries of the set.
    this.order = this.waiting.values();
  }

  /**
   * Returns 7/8 of the server's limit of calls in flight. The rest is for cancelled calls, which the server ends a
   * little later.
   */
  static limitOf(args) {
    let taken = 1024;
    args.forEach((arg, at) => {
      const value = arg === "--max-in-flight" ? args[at + 1] : /^--max-in-flight=(.*)$/.exec(arg)?.[1];
      if (value !== undefined) taken = Number(value) || taken;
    });
    return taken - Math.floor(taken / 8);
  }

  isLocal({ method, params }) {
    const ofAny = `*${method.slice(method.lastIndexOf("/"))}`;
    return this.localMethods.has(method) || this.localMethods.has(ofAny) || params?.cachePolicy === "localOnly";
  }

  enter(call) {
    if (this.isLocal(call)) {
      this.send(call);
    } else if (this.inFlight.size < this.limit) {
      this.inFlight.add(call.id);
      this.send(call);
    } else {
      this.waiting.add(call);
    }
  }

  /** Frees the slot of a call that the server has answered. The caller may have cancelled the call before. */
  leave(id) {
    if (!this.inFlight.delete(id) || this.waiting.size === 0) return;
    const { value: next } = this.order.next();
    this.waiting.delete(next);
    this.enter(next);
  }

  /** Removes a waiting call. Returns false if it was already sent. */
  withdraw(call) {
    return this.waiting.delete(call);
  }
}

module.exports = { Gate };
