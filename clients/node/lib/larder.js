"use strict";
// The client object.
const { Cache } = require("./cache.js");
const { QueryResult } = require("./query.js");
const { Recents } = require("./recents.js");
const { Resource } = require("./resource.js");
const { Session } = require("./session.js");

class Larder {
  #session;
  #resources = new Map();

  /** Internal: use `Larder.start`, which waits until the process answers. */
  constructor(session) {
    this.#session = session;
    this.recents = new Recents(this);
    this.cache = new Cache(this);
  }

  /**
   * Starts a larder process and fulfils with a client after the first reply. Options:
   *
   *   binary         path of the program; by default the variable LARDER_BIN, or `larder` on PATH
   *   args           command-line arguments of the larder process, for example ["--catalog", "api.jsonc"]
   *   env            environment variables of the larder process, in addition to those of this process
   *   cwd            working directory of the larder process
   *   stderr         destination of the log lines: "inherit" (default), "ignore", or a function called with each line
   *   restarts       maximum number of restarts after crashes, in total (1)
   *   startTimeout   maximum milliseconds until the first reply of a process (30,000)
   *   maxInFlight    maximum number of calls in flight that may wait for APIs; further calls wait in the client
   */
  static async start(options = {}) {
    const session = new Session(options);
    await session.initialize();
    return new Larder(session);
  }

  /** The name, version and resources of the server: { name, version, resources }. */
  get info() {
    return this.#session.info;
  }

  get pid() {
    return this.#session.child.pid;
  }

  /**
   * Calls any method and fulfils with its result unchanged. `signal` cancels the call; `progress` is called with its
   * progress.
   */
  call(method, params, options) {
    return this.#session.call(method, params, options);
  }

  /** Returns the catalog's resource with the given name. */
  resource(name) {
    let resource = this.#resources.get(name);
    if (!resource) {
      resource = new Resource(this.#session, name, {});
      this.#resources.set(name, resource);
    }
    return resource;
  }

  /**
   * Runs an SQL statement over the cached items, without requests to an API. `params` are the values for `?` as an
   * array, or for `:name` as an object. Options: `maxRows` (1000), `timeout` (the maximum time of the statement, "5s"),
   * `coverage` ("synced" rejects with `NotSynced` unless each table is a complete local copy), `maxAge`, `signal`.
   */
  async query(sql, params, { signal, ...options } = {}) {
    return new QueryResult(await this.call("cache/query", { sql, params, ...options }, { signal }));
  }

  /** Fulfils with the server's version, catalog and resources, and with the problems that degrade the server. */
  status(options) {
    return this.call("server/status", undefined, options);
  }

  /**
   * Closes the client: waits for the replies of pending calls, then for the exit of the process. The process is killed
   * if it has not exited after `grace` milliseconds. Fulfils with the exit code. A second call has no effect.
   */
  close({ grace = 35_000 } = {}) {
    return this.#session.close(grace);
  }

  // Any unknown name is a resource. Existing members never reach this proxy, so it does not slow them down.
  static {
    const resources = new Proxy({}, {
      get(target, name, larder) {
        if (typeof name !== "string" || name in target || !(#session in larder)) return target[name];
        // A `then` member would make `await` treat every client as a promise.
        return name === "then" ? undefined : larder.resource(name);
      },
    });
    Object.setPrototypeOf(Larder.prototype, resources);
  }
}

module.exports = { Larder };
