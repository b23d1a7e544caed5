"use strict";
// Holds back what the server would refuse as busy.

/** At most so many calls are with the server at once; the others wait here, in their order. */
class Gate {
  constructor(limit, send) {
    if (!(limit >= 1)) throw new RangeError(`the option "maxInFlight" is at least 1, not ${limit}`);
    this.limit = limit;
    this.send = send;
    // The methods that wait for no API, as the server names them; "*" is any resource. It answers `initialize` first.
    this.localMethods = new Set();
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

  isLocal({ method, params }) {
    const ofAny = `*${method.slice(method.lastIndexOf("/"))}`;
    return this.localMethods.has(method) || this.localMethods.has(ofAny) || params?.cachePolicy === "localOnly";
  }

  enter(call) {
    if (this.isLocal(call)) {
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
