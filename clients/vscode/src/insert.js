"use strict";
// Text that goes where the user is.
const vscode = require("vscode");
const tell = require("./tell.js");

/**
 * In place of each selection, or at each cursor. Where no text is edited the clipboard gets it.
 *
 * @param {import("vscode").TextEditor | undefined} editor @param {string} text
 */
async function insert(editor, text) {
  if (!editor) {
    await vscode.env.clipboard.writeText(text);
    return tell.note("there is no editor to insert into: the text is in the clipboard");
  }
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!done) tell.failure(new Error("the document cannot be changed"));
}

module.exports = { insert };
