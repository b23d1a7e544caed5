"use strict";
// Holds back what the server would refuse as busy.

// What the server has at hand: calls of these never wait for an API.
const AT_HAND = /^initialize$|^(recents|cache|server|request)\/|^rpc\.|\/(search|observe|unobserve)$/;

/** At most so many calls are with the server at once; the others wait here, in their order. */
class Gate {
  constructor(limit, send) {
    if (!(limit >= 1)) throw new RangeError(`the option "maxInFlight" is at least 1, not ${limit}`);
    this.limit = limit;
    this.send = send;
    this.inside = new Set();
    this.waiting = new Set();
    // One iterator for all calls, also those that come later: a new one would pass all that have left.
    this.order = this.waiting.values();
  }

  /** Somewhat less than the server takes: calls that were cancelled end there a moment later. */
  static limitOf(args) {
    let taken = 1024;
    args.forEach((arg, at) => {
      const value = arg === "--max-in-flight" ? args[at + 1] : /^--max-in-flight=(.*)$/.exec(arg)?.[1];
      if (value !== undefined) taken = Number(value) || taken;
    });
    return taken - Math.floor(taken / 8);
  }

  enter(call) {
    if (call.params?.cachePolicy === "localOnly" || AT_HAND.test(call.method)) {
      this.send(call);
    } else if (this.inside.size < this.limit) {
      this.inside.add(call.id);
      this.send(call);
    } else {
      this.waiting.add(call);
    }
  }

  /** The server has answered this one, whether anybody still waits for it or not. */
  leave(id) {
    if (!this.inside.delete(id) || this.waiting.size === 0) return;
    const { value: next } = this.order.next();
    this.waiting.delete(next);
    this.enter(next);
  }

  /** Returns whether the call was still here. */
  withdraw(call) {
    return this.waiting.delete(call);
  }
}

module.exports = { Gate };
