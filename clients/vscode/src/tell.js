"use strict";
// What goes wrong, in one message of one line.
const vscode = require("vscode");
const { LarderClosed } = require("./client.js");
const { TakenBack } = require("./connection.js");
const { oneLine } = require("./format.js");

/** @param {unknown} error */
function words(error) {
  if (error instanceof LarderClosed) {
    // The first line says how it ended, the last one of its log why.
    const [how] = error.message.split(/:?\n/);
    const said = error.stderr.trim().split("\n").pop();
    return oneLine(said ? `${how}: ${said}` : how);
  }
  return oneLine(error instanceof Error ? error.message : String(error));
}

/**
 * Nobody is told of what was taken back.
 *
 * @param {unknown} error
 */
function failure(error) {
  // The message stays until it is closed, which nobody waits for.
  if (!(error instanceof TakenBack)) void vscode.window.showErrorMessage(`larder: ${words(error)}`);
}

/** @param {string} what */
function note(what) {
  void vscode.window.showInformationMessage(`larder: ${oneLine(what)}`);
}

module.exports = { failure, note, words };
