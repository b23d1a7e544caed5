"use strict";
// Requests to one process, which is started by the first of them, and anew by the next one after its end.
const vscode = require("vscode");
const { BinaryNotFound, Larder, LarderClosed } = require("./client.js");

const GRACE = 3000; // milliseconds; VS Code itself waits for 5 s

/** What was asked is not wanted any more: nobody is told. */
class TakenBack extends Error {}

class Connection {
  constructor() {
    /** @type {Promise<import("../../node").Larder> | null} */
    this.started = null;
    /** @type {Set<AbortController>} */
    this.underWay = new Set();
    /** @type {import("vscode").OutputChannel | null} */
    this.log = null;
  }

  /** @template {keyof import("./values").Settings} Name @param {Name} name @param {import("vscode").TextDocument} [of] */
  setting(name, of) {
    return /** @type {import("./values").Settings[Name]} */ (vscode.workspace.getConfiguration("larder", of).get(name));
  }

  async start() {
    const command = this.setting("command");
    const catalog = this.setting("catalog");
    const log = (this.log ??= vscode.window.createOutputChannel("Larder"));
    const options = {
      binary: command || undefined,
      args: [...(catalog ? ["--catalog", catalog] : []), ...this.setting("arguments")],
      cwd: vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath,
      stderr: (/** @type {string} */ line) => log.appendLine(line),
    };
    try {
      return await Larder.start(options);
    } catch (error) {
      if (!(error instanceof BinaryNotFound)) throw error;
      const name = command || "larder";
      throw new BinaryNotFound(`'${name}' cannot be started: put larder on the PATH, or set larder.command`);
    }
  }

  /**
   * The result of a method. It is taken back when `signal` is given, or when the time is over.
   *
   * @param {string} method @param {object} [params] @param {AbortSignal} [signal] @returns {Promise<any>}
   */
  async call(method, params, signal) {
    const control = new AbortController();
    const stop = () => control.abort(new TakenBack());
    const seconds = this.setting("timeout");
    const late = setTimeout(() => control.abort(new Error(`no answer to ${method} within ${seconds} s`)), 1000 * seconds);
    signal?.addEventListener("abort", stop);
    this.underWay.add(control);
    const started = (this.started ??= this.start());
    /** @type {Promise<never>} */
    const aborted = new Promise((_, reject) => {
      control.signal.addEventListener("abort", () => reject(control.signal.reason));
    });
    if (signal?.aborted) stop();
    try {
      const larder = await Promise.race([started, aborted]);
      return await larder.call(method, params, { signal: control.signal });
    } catch (error) {
      // A process that did not start, or is gone for good: the next request begins anew.
      const gone = error instanceof LarderClosed || error instanceof BinaryNotFound;
      if (gone && this.started === started) this.started = null;
      throw error;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", stop);
      this.underWay.delete(control);
    }
  }

  /** Ends the process: what is under way is taken back. Fulfils when it has ended. */
  async stop() {
    const started = this.started;
    this.started = null;
    for (const control of this.underWay) control.abort(new TakenBack());
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    // A program that does not answer at all ends when nobody is left who writes to it.
    const late = new Promise((resolve) => (timer = setTimeout(resolve, GRACE)));
    await Promise.race([started?.then((larder) => larder.close({ grace: GRACE }), () => {}), late]);
    clearTimeout(timer);
  }

  async dispose() {
    await this.stop();
    this.log?.dispose();
  }
}

module.exports = { Connection, TakenBack };
