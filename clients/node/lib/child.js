"use strict";
// One larder process and its pipes. It knows nothing of requests.
const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { BinaryNotFound, LarderClosed } = require("./errors.js");
const { Lines } = require("./wire/lines.js");

const KEPT_LOG_LINES = 20;
// A grandchild may hold a pipe open for longer than the process lived.
const AFTER_EXIT = 1000;
// Node refuses some programs at once, and others by an event.
const NO_PROCESS = { ref() {}, unref() {}, kill() {}, exitCode: null, signalCode: null };

class Child {
  /**
   * `command` is { program, args, env, cwd, log }: `log` takes each line of stderr. `onMessage` takes each message,
   * `onEnd` once the error with which everything that waits is to be refused, and whether it was a crash.
   */
  constructor(command, onMessage, onEnd) {
    this.command = command;
    this.onEnd = onEnd;
    this.out = "";
    this.lastLog = [];
    this.broken = null;
    this.answered = false; // Whether anything came that larder might have written.
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    const { program, args, env, cwd } = command;
    try {
      // Detached: Ctrl-C on a terminal is for this process to take, and not for its child.
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
    this.process.on("exit", () => (this.last = setTimeout(() => this.finish(), AFTER_EXIT)));
    this.process.on("close", () => {
      logs.finish();
      this.finish();
    });
    if (!stdin) return; // It could not be started at all; the event above says why.
    stdin.on("error", () => {}); // The process has gone; its exit says so.
    stdout.on("data", (chunk) => replies.push(chunk));
    stderr.on("data", (chunk) => logs.push(chunk));
    // A program that forgot to close its larder ends all the same: only what is under way keeps it.
    for (const pipe of [stdin, stdout, stderr]) pipe.unref();
  }

  get pid() {
    return this.process.pid;
  }

  /** Whether Node is to live on for this process's sake. */
  hold(busy) {
    if (busy) this.process.ref();
    else this.process.unref();
  }

  /** What is written in one turn of the event loop leaves in one system call. */
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
    if (this.broken) return;
    try {
      const message = JSON.parse(line);
      if (typeof message !== "object" || message === null) throw new TypeError(`${line.slice(0, 40)} is no object`);
      if (message.method !== undefined && message.id !== undefined) throw new TypeError("a request, and no reply");
      onMessage(message);
      this.answered = true;
    } catch (error) {
      // Nothing can be matched any more, so nobody may wait on.
      this.giveUp(`wrote what is no message (${error.message})`);
    }
  }

  log(line) {
    this.lastLog.push(line);
    if (this.lastLog.length > KEPT_LOG_LINES) this.lastLog.shift();
    try {
      this.command.log(line);
    } catch {
      // A log that cannot be written must not stop the reading.
    }
  }

  /** `named` is who says that it is this program: nobody where it was looked for. */
  notStarted(error) {
    const { program, named, cwd } = this.command;
    if (error.code === "ENOENT" && cwd !== undefined && !existsSync(cwd)) {
      return new BinaryNotFound(`cannot start ${program} in ${cwd}: there is no such folder; the option \`cwd\` names it`);
    }
    if (error.code === "ENOENT" && !named) {
      return new BinaryNotFound("no larder on PATH: install it, or name it by the option `binary` or by LARDER_BIN");
    }
    const missing = existsSync(program) ? "what is to run it is not there" : "there is no such program";
    const reasons = { ENOENT: missing, EACCES: "it is not a program that can be run" };
    const advice = named ? `; ${named} names it` : "";
    return new BinaryNotFound(`cannot start ${program}: ${reasons[error.code] ?? error.message}${advice}`);
  }

  /** What has not answered yet, and has not said what is wrong, may be any program. */
  get doubt() {
    const { program } = this.command;
    return this.answered || this.lastLog.length > 0 ? "" : `; is ${program} larder? \`${program} --version\` tells`;
  }

  /** Ends what is not worth waiting for. */
  giveUp(why) {
    this.broken ??= `the larder process ${why}, and was ended${this.doubt}`;
    this.kill();
  }

  finish(refusal) {
    if (this.error) return;
    clearTimeout(this.last);
    const { exitCode, signalCode: signal } = this.process;
    const how = signal ? `by the signal ${signal}` : `with code ${exitCode}`;
    // 64 and 78 are wrong options and a faulty catalog: another process would end in the same way.
    const isWrongUse = [64, 78].includes(exitCode);
    const when = this.doubt && !isWrongUse ? ` before its first answer${this.doubt}` : "";
    const message = this.broken ?? `the larder process ended ${how}${when}`;
    this.error = refusal ?? new LarderClosed(message, { exitCode, signal, stderr: this.lastLog.join("\n") });
    this.resolveEnded(exitCode);
    this.onEnd(this.error, !refusal && exitCode !== 0 && !isWrongUse);
  }
}

module.exports = { Child };
