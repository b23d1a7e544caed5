"use strict";
// Calls and their replies, across restarts of the larder process.
const { Child } = require("./child.js");
const { LarderClosed, fromWire } = require("./errors.js");
const { Gate } = require("./gate.js");
const { commandOf } = require("./program.js");
const { offAbort, onAbort } = require("./signals.js");
const { lineOf } = require("./wire/requests.js");

class Session {
  constructor(options) {
    this.command = commandOf(options);
    this.restarts = options.restarts ?? 1;
    this.startTimeout = options.startTimeout ?? 30_000;
    this.calls = new Map(); // The calls without a reply, queued or sent, by id.
    this.observers = new Map(); // The observations by observer name.
    this.nextId = 0;
    this.closing = false;
    this.endError = null; // The error of the ended session, which rejects every further call.
    this.info = null;
    this.isInitializing = false;
    this.gate = new Gate(options.maxInFlight ?? Gate.limitOf(this.command.args), (call) => this.send(call));
    this.start();
  }

  // Processes

  start() {
    this.child = new Child(this.command, (message) => this.accept(message), (error, crashed) => {
      // A process that exits before its first reply is not restarted, because the new process would exit too.
      if (crashed && this.restarts > 0 && !this.closing && this.info) this.restart();
      else this.end(error);
    });
  }

  /** Starts a new process and repeats all sent calls. This is safe, because all methods of larder are idempotent. */
  restart() {
    this.restarts -= 1;
    this.start();
    this.keepAlive();
    for (const call of this.calls.values()) if (call.sent) this.send(call);
    if (!this.isInitializing) this.initialize().catch(() => {}); // If the handshake fails, all calls fail too.
    for (const observer of this.observers.values()) observer.restart();
    // The new process sends no replies to calls that were cancelled in the old process, so their slots are freed here.
    for (const id of [...this.gate.inFlight]) if (!this.calls.has(id)) this.gate.leave(id);
  }

  /** Sends `initialize` with the id of this process, so that larder exits even if this process is killed. */
  async initialize() {
    this.isInitializing = true;
    const limit = this.startTimeout;
    const late = setTimeout(() => this.child.abort(`no reply within ${limit / 1000} s`), limit);
    const { serverInfo, capabilities } = await this.call("initialize", { processId: process.pid }).finally(() => {
      clearTimeout(late);
      this.isInitializing = false;
    });
    this.info = { ...serverInfo, resources: capabilities.resources };
    this.gate.localMethods = new Set(capabilities.localMethods);
  }

  end(error) {
    this.endError = error;
    for (const call of this.calls.values()) {
      if (call.stop) offAbort(call.signal, call.stop);
      call.reject(error);
    }
    for (const observer of [...this.observers.values()]) observer.end(this.closing ? null : error);
    this.calls.clear();
    this.gate.waiting.clear();
  }

  async close(grace) {
    if (!this.closing) {
      this.closing = true;
      for (const observer of [...this.observers.values()]) observer.end(null);
      this.endWhenSent();
    }
    this.child.keepNodeAlive(true);
    const late = setTimeout(() => this.child.kill(), grace);
    const code = await this.child.ended;
    clearTimeout(late);
    return code;
  }

  /** Closes the input of the process after all queued calls are sent, because `close` waits for their replies too. */
  endWhenSent() {
    if (this.gate.waiting.size === 0) this.child.endInput();
  }

  // Calls

  call(method, params, { signal, progress } = {}) {
    return new Promise((resolve, reject) => {
      if (this.closing) throw new LarderClosed("this client is closed; start a new one");
      if (this.endError) throw this.endError;
      signal?.throwIfAborted();
      const id = ++this.nextId;
      const call = { id, method, params, progress, resolve, reject, signal, stop: null, sent: false, line: "" };
      call.line = lineOf({ id, method, params: progress ? { ...params, workDoneToken: id } : params });
      this.calls.set(id, call);
      if (this.calls.size === 1) this.keepAlive();
      if (signal) {
        call.stop = () => this.cancel(call, signal.reason);
        onAbort(signal, call.stop);
      }
      this.gate.enter(call);
    });
  }

  send(call) {
    call.sent = true;
    this.child.write(call.line);
  }

  notify(method, params) {
    if (!this.endError) this.child.write(lineOf({ method, params }));
  }

  /** Rejects a call at once. Its slot is freed when the server replies to the cancelled call. */
  cancel(call, reason) {
    if (!this.take(call.id)) return;
    if (!this.gate.withdraw(call)) this.notify("$/cancelRequest", { id: call.id });
    call.reject(reason);
    if (this.closing) this.endWhenSent();
  }

  take(id) {
    const call = this.calls.get(id);
    if (!call) return undefined;
    this.calls.delete(id);
    if (call.stop) offAbort(call.signal, call.stop);
    if (this.calls.size === 0) this.keepAlive();
    return call;
  }

  /** Keeps Node alive while there are pending calls or observers. */
  keepAlive() {
    this.child.keepNodeAlive(this.calls.size > 0 || this.observers.size > 0);
  }

  // Received messages

  accept(message) {
    if (message.method !== undefined) return this.acceptNotification(message.method, message.params);
    // A reply without an id means that a request was too long to be read. That must be the longest request.
    const id = message.id ?? this.longest();
    const call = this.take(id);
    this.gate.leave(id);
    if (this.closing) this.endWhenSent();
    if (!call) return; // The caller no longer waits.
    if (!message.error) call.resolve(message.result);
    else call.reject(fromWire(message.error));
  }

  acceptNotification(method, params) {
    if (method === "$/progress") {
      const call = this.calls.get(params.token);
      if (!call?.progress) return;
      try {
        call.progress(params.value);
      } catch (error) {
        this.cancel(call, error);
      }
    } else if (method.endsWith("/changed")) {
      this.observers.get(params.observer)?.deliver(params);
    }
  }

  longest() {
    let found;
    for (const call of this.calls.values()) if (call.sent && !(call.line.length <= found?.line.length)) found = call;
    return found?.id;
  }
}

module.exports = { Session };
