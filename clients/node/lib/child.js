"use strict";
// One larder process and its pipes, independent of requests.
const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { BinaryNotFound, LarderClosed } = require("./errors.js");
const { Lines } = require("./wire/lines.js");

const MAX_LOG_LINES = 20;
// The time to read the pipes after the exit of the process. A child of the process may hold them open for longer.
const MAX_DRAIN_MILLISECONDS = 1000;
// Replaces the process if `spawn` throws. In most cases, Node emits an `error` event instead of throwing.
const NO_PROCESS = { ref() {}, unref() {}, kill() {}, exitCode: null, signalCode: null };

class Child {
  /**
   * Starts the process. `command` is { program, args, env, cwd, log }. `command.log` is called with each line of
   * stderr, and `onMessage` with each message. At the exit, `onEnd` gets the error for all pending calls, and whether
   * the process crashed.
   */
  constructor(command, onMessage, onEnd) {
    this.command = command;
    this.onEnd = onEnd;
    this.out = "";
    this.lastLog = [];
    this.abortMessage = null;
    this.answered = false; // Whether the process has written a valid message.
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    const { program, args, env, cwd } = command;
    try {
      // Detached, so that Ctrl-C in the terminal does not reach the larder process.
      this.process = spawn(program, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"], detached: true });
    } catch (error) {
      this.process = NO_PROCESS;
      process.nextTick(() => this.finish(this.notStarted(error)));
      return;
    }
    const { stdin, stdout, stderr } = this.process;
    const replies = new Lines((line) => this.accept(line, onMessage));
    const logs = new Lines((line) => this.log(line));
    this.process.on("error", (error) => {
      if (this.pid === undefined) this.finish(this.notStarted(error));
    });
    this.process.on("exit", () => (this.last = setTimeout(() => this.finish(), MAX_DRAIN_MILLISECONDS)));
    this.process.on("close", () => {
      logs.finish();
      this.finish();
    });
    if (!stdin) return; // The program could not be started; the `error` event follows.
    stdin.on("error", () => {}); // The process has exited; the `exit` event follows.
    stdout.on("data", (chunk) => replies.push(chunk));
    stderr.on("data", (chunk) => logs.push(chunk));
    // Only pending calls and observers keep Node alive, so it can exit without a call of `close`.
    for (const pipe of [stdin, stdout, stderr]) pipe.unref();
  }

  get pid() {
    return this.process.pid;
  }

  /** Keeps Node alive if `busy` is true; otherwise Node may exit. */
  keepNodeAlive(busy) {
    if (busy) this.process.ref();
    else this.process.unref();
  }

  /** Queues a line. All lines queued in one turn of the event loop are written with one system call. */
  write(line) {
    if (this.out === "") process.nextTick(() => this.flush());
    this.out += line;
  }

  flush() {
    const text = this.out;
    this.out = "";
    if (text && this.process.stdin?.writable) this.process.stdin.write(text);
  }

  endInput() {
    this.flush();
    this.process.stdin?.end();
  }

  kill() {
    this.process.kill("SIGKILL");
  }

  accept(line, onMessage) {
    if (this.abortMessage) return;
    try {
      const message = JSON.parse(line);
      if (typeof message !== "object" || message === null) throw new TypeError(`not an object: ${line.slice(0, 40)}`);
      if (message.method !== undefined && message.id !== undefined) throw new TypeError("a request, not a reply");
      onMessage(message);
      this.answered = true;
    } catch (error) {
      // After an invalid message, replies cannot be matched to calls, so all calls must fail.
      this.abort(`it wrote an invalid message (${error.message})`);
    }
  }

  log(line) {
    this.lastLog.push(line);
    if (this.lastLog.length > MAX_LOG_LINES) this.lastLog.shift();
    try {
      this.command.log(line);
    } catch {
      // The log must be read even if the log function throws an error.
    }
  }

  /** Returns the error for a program that cannot be started. */
  notStarted(error) {
    const { program, named, cwd } = this.command;
    if (error.code === "ENOENT" && cwd !== undefined && !existsSync(cwd)) {
      return new BinaryNotFound(`cannot start '${program}': there is no folder '${cwd}'; correct the option \`cwd\``);
    }
    if (error.code === "ENOENT" && !named) {
      return new BinaryNotFound("larder is not on PATH; install it, pass the option `binary`, or set LARDER_BIN");
    }
    const missing = existsSync(program) ? "its interpreter does not exist" : "there is no such program";
    const reasons = { ENOENT: missing, EACCES: "it is not an executable file" };
    const advice = named ? `; correct ${named}` : "";
    return new BinaryNotFound(`cannot start '${program}': ${reasons[error.code] ?? error.message}${advice}`);
  }

  /** A hint that the program may not be larder; empty if the program has written a message or a log line. */
  get wrongProgramHint() {
    const { program } = this.command;
    return this.answered || this.lastLog.length > 0 ? "" : `; check \`${program} --version\``;
  }

  /** Kills the process because the connection is unusable. Only the first call sets the reason in the error. */
  abort(reason) {
    this.abortMessage ??= `the larder process was killed: ${reason}${this.wrongProgramHint}`;
    this.kill();
  }

  finish(refusal) {
    if (this.error) return;
    clearTimeout(this.last);
    const { exitCode, signalCode: signal } = this.process;
    const how = signal ? `was killed by the signal ${signal}` : `exited with code ${exitCode}`;
    // Exit code 64 means wrong options, 78 an invalid catalog. A new process would exit with the same code.
    const isWrongUse = [64, 78].includes(exitCode);
    const when = this.wrongProgramHint && !isWrongUse ? ` before its first reply${this.wrongProgramHint}` : "";
    const message = this.abortMessage ?? `the larder process ${how}${when}`;
    this.error = refusal ?? new LarderClosed(message, { exitCode, signal, stderr: this.lastLog.join("\n") });
    this.resolveEnded(exitCode);
    this.onEnd(this.error, !refusal && exitCode !== 0 && !isWrongUse);
  }
}

module.exports = { Child };
