"use strict";
// The conversation with larder: calls and their replies, over one process after another.
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
    this.calls = new Map(); // Those that wait for their replies, here or at the server, by their ids.
    this.observers = new Map(); // What is told of changes, by its name.
    this.nextId = 0;
    this.closing = false;
    this.over = null; // The error that refuses every call, once there is one.
    this.info = null;
    this.greeting = false;
    this.gate = new Gate(options.maxInFlight ?? Gate.limitOf(this.command.args), (call) => this.send(call));
    this.begin();
  }

  // Its processes

  begin() {
    this.child = new Child(this.command, (message) => this.accept(message), (error, crashed) => {
      // Who ends before the first answer would do it again.
      if (crashed && this.restarts > 0 && !this.closing && this.info) this.beginAgain();
      else this.end(error);
    });
  }

  /** Everything may be asked again: no method of larder does more when it is called twice. */
  beginAgain() {
    this.restarts -= 1;
    this.begin();
    this.keepAlive();
    for (const call of this.calls.values()) if (call.sent) this.send(call);
    if (!this.greeting) this.greet().catch(() => {}); // Where it fails, so does all else.
    for (const observer of this.observers.values()) observer.beginAgain();
    // What was cancelled at the old process gets no answer of the new one.
    for (const id of [...this.gate.inside]) if (!this.calls.has(id)) this.gate.leave(id);
  }

  /** Says whose child larder is, so that it ends when this process has, however that ended. */
  async greet() {
    this.greeting = true;
    const limit = this.startTimeout;
    const late = setTimeout(() => this.child.giveUp(`has not answered within ${limit / 1000} s`), limit);
    const { serverInfo, capabilities } = await this.call("initialize", { processId: process.pid }).finally(() => {
      clearTimeout(late);
      this.greeting = false;
    });
    this.info = { ...serverInfo, resources: capabilities.resources };
    this.gate.localMethods = new Set(capabilities.localMethods);
  }

  end(error) {
    this.over = error;
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
    this.child.hold(true);
    const late = setTimeout(() => this.child.kill(), grace);
    const code = await this.child.ended;
    clearTimeout(late);
    return code;
  }

  /** What is held back was asked before the end, and is answered too. */
  endWhenSent() {
    if (this.gate.waiting.size === 0) this.child.endInput();
  }

  // Calls

  call(method, params, { signal, progress } = {}) {
    return new Promise((resolve, reject) => {
      if (this.closing) throw new LarderClosed("this larder is closed");
      if (this.over) throw this.over;
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
    if (!this.over) this.child.write(lineOf({ method, params }));
  }

  /** The caller goes on at once; the server's own answer to the cancelled call frees its place. */
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

  /** Calls that wait, and observers, keep Node alive; a larder that is only there does not. */
  keepAlive() {
    this.child.hold(this.calls.size > 0 || this.observers.size > 0);
  }

  // What comes

  accept(message) {
    if (message.method !== undefined) return this.acceptNotification(message.method, message.params);
    // The server could not see the id of a message that is longer than it takes: the longest one.
    const id = message.id ?? this.longest();
    const call = this.take(id);
    this.gate.leave(id);
    if (this.closing) this.endWhenSent();
    if (!call) return; // Its caller has gone.
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
      this.observers.get(params.observer)?.tell(params);
    }
  }

  longest() {
    let found;
    for (const call of this.calls.values()) if (call.sent && !(call.line.length <= found?.line.length)) found = call;
    return found?.id;
  }
}

module.exports = { Session };
