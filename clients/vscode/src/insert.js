"use strict";
// Inserts text at the cursor.
const vscode = require("vscode");
const tell = require("./tell.js");

/**
 * Replaces each selection with the text, or inserts the text at each cursor. Without an editor, copies the text to the
 * clipboard.
 *
 * @param {import("vscode").TextEditor | undefined} editor @param {string} text
 */
async function insert(editor, text) {
  if (!editor) {
    await vscode.env.clipboard.writeText(text);
    return tell.note("no editor is open; the text was copied to the clipboard");
  }
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!done) tell.failure(new Error("cannot insert: the document is read-only"));
}

module.exports = { insert };
