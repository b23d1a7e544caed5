"use strict";
// Requests to one larder process. The first request starts the process; after its exit, the next request starts another
// process.
const vscode = require("vscode");
const { BinaryNotFound, Larder, LarderClosed } = require("./client.js");

const GRACE = 3000; // milliseconds; VS Code waits 5 seconds for an extension to stop

/** The error of a request that the extension itself cancelled. It is not shown to the user. */
class CancelledRequest extends Error {}

class Connection {
  constructor() {
    /** @type {Promise<import("../../node").Larder> | null} */
    this.started = null;
    /** @type {Set<AbortController>} */
    this.pending = new Set();
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
      throw new BinaryNotFound(`cannot start '${name}'; put larder on the PATH, or set larder.command`);
    }
  }

  /**
   * Calls a method and fulfils with its result. `signal` or the timeout cancels the request.
   *
   * @param {string} method @param {object} [params] @param {AbortSignal} [signal] @returns {Promise<any>}
   */
  async call(method, params, signal) {
    const control = new AbortController();
    const stop = () => control.abort(new CancelledRequest());
    const seconds = this.setting("timeout");
    const failure = `no reply to ${method} within ${seconds} s; raise larder.timeout`;
    const late = setTimeout(() => control.abort(new Error(failure)), 1000 * seconds);
    signal?.addEventListener("abort", stop);
    this.pending.add(control);
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
      // The process did not start, or the client does not restart it. The next request starts another process.
      const gone = error instanceof LarderClosed || error instanceof BinaryNotFound;
      if (gone && this.started === started) this.started = null;
      throw error;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", stop);
      this.pending.delete(control);
    }
  }

  /** Cancels all pending requests and stops the process. Fulfils when the process has exited, or after GRACE. */
  async stop() {
    const started = this.started;
    this.started = null;
    for (const control of this.pending) control.abort(new CancelledRequest());
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    // A program that never replied counts as starting. It exits later, when the extension host closes its input.
    const late = new Promise((resolve) => (timer = setTimeout(resolve, GRACE)));
    await Promise.race([started?.then((larder) => larder.close({ grace: GRACE }), () => {}), late]);
    clearTimeout(timer);
  }

  async dispose() {
    await this.stop();
    this.log?.dispose();
  }
}

module.exports = { Connection, CancelledRequest };
