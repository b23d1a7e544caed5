"use strict";
// Shows errors and notes as messages of one line.
const vscode = require("vscode");
const { LarderClosed } = require("./client.js");
const { CancelledRequest } = require("./connection.js");
const { oneLine } = require("./format.js");

/** @param {unknown} error */
function messageOf(error) {
  if (error instanceof LarderClosed) {
    // The first line reports the exit of the process, the last log line the reason.
    const [how] = error.message.split(/:?\n/);
    const reason = error.stderr.trim().split("\n").pop();
    return oneLine(reason ? `${how}: ${reason}` : how);
  }
  return oneLine(error instanceof Error ? error.message : String(error));
}

/**
 * Shows an error, unless the extension cancelled the request.
 *
 * @param {unknown} error
 */
function failure(error) {
  // Not awaited: the promise settles only when the user closes the message.
  if (!(error instanceof CancelledRequest)) void vscode.window.showErrorMessage(`larder: ${messageOf(error)}`);
}

/** @param {string} text */
function note(text) {
  void vscode.window.showInformationMessage(`larder: ${oneLine(text)}`);
}

module.exports = { failure, note, messageOf };
