"use strict";
// The client that programs hold.
const { Cache } = require("./cache.js");
const { Recents } = require("./recents.js");
const { Resource } = require("./resource.js");
const { Session } = require("./session.js");

class Larder {
  #session;
  #resources = new Map();

  /** For `start` alone, which waits until the process answers. */
  constructor(session) {
    this.#session = session;
    this.recents = new Recents(this);
    this.cache = new Cache(this);
  }

  /**
   * Starts a process, and fulfils when it answers. Options:
   *
   *   binary         the program; else the variable LARDER_BIN, else `larder` on PATH
   *   args           its arguments, as ["--catalog", "api.jsonc"]
   *   env, cwd       variables over those of this process; its working directory
   *   stderr         where its log lines go: "inherit" (default), "ignore", or a function that takes each
   *   restarts       how often a process that crashed is started anew, in all (1)
   *   startTimeout   within how many milliseconds a process must answer for the first time (30,000)
   *   maxInFlight    how many calls that may wait for APIs are with the server at once; the others wait here
   */
  static async start(options = {}) {
    const session = new Session(options);
    await session.greet();
    return new Larder(session);
  }

  /** What the server said it is: { name, version, resources }. */
  get info() {
    return this.#session.info;
  }

  get pid() {
    return this.#session.child.pid;
  }

  /** The result of any method, as the wire has it. Options: `signal` cancels, `progress` is told how far it is. */
  call(method, params, options) {
    return this.#session.call(method, params, options);
  }

  /** The resource of this name in the catalog. */
  resource(name) {
    let resource = this.#resources.get(name);
    if (!resource) {
      resource = new Resource(this.#session, name, {});
      this.#resources.set(name, resource);
    }
    return resource;
  }

  /** The server's version, catalog and resources, and which of its parts work less well than they should. */
  status(options) {
    return this.call("server/status", undefined, options);
  }

  /**
   * Ends the process as it likes to end: what was asked is answered first. What has not ended after `grace`
   * milliseconds is killed. Fulfils with the exit code; a second call changes nothing.
   */
  close({ grace = 35_000 } = {}) {
    return this.#session.close(grace);
  }

  // Any other name is a resource. The names that are there never come to this, so they cost nothing.
  static {
    const elsewhere = new Proxy({}, {
      get(target, name, larder) {
        if (typeof name !== "string" || name in target || !(#session in larder)) return target[name];
        // `then` would make a promise of every larder.
        return name === "then" ? undefined : larder.resource(name);
      },
    });
    Object.setPrototypeOf(Larder.prototype, elsewhere);
  }
}

module.exports = { Larder };
