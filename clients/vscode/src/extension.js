"use strict";
// The entry points for VS Code: commands, hovers and deactivation.
const vscode = require("vscode");
const { Catalog } = require("./catalog.js");
const { Connection } = require("./connection.js");
const { Hover } = require("./hover.js");
const { Picker } = require("./picker.js");
const { Query } = require("./query.js");
const tell = require("./tell.js");

/** @typedef {{ connection: Connection, catalog: Catalog, query: Query }} Parts */

/** @type {Connection | null} */
let current = null;

/**
 * Fulfils with the resource `name`. Without a name, the user chooses the resource.
 *
 * @param {Parts} parts @param {string | undefined} name
 */
async function choose({ catalog }, name) {
  if (name) return catalog.resource(name);
  const names = [...(await catalog.load()).keys()];
  const chosen = names.length === 1 ? names[0] : await vscode.window.showQuickPick(names, { title: "Larder" });
  return chosen === undefined ? undefined : catalog.resource(chosen);
}

/**
 * Asks the user for each parent that has no value yet. Fulfils with false if the user cancels.
 *
 * @param {Parts} parts @param {import("./values").Resource} resource @param {string} text
 */
async function nameParents({ query }, resource, text) {
  for (const name of query.openScope(resource, text)) {
    const value = await vscode.window.showInputBox({ title: resource.name, prompt: name });
    if (!value?.trim()) return false;
    query.remember(resource, { [name]: value.trim() });
  }
  return true;
}

/** @param {Parts} parts @param {{ resource?: string, text?: string }} given the arguments of a key binding */
async function pick(parts, { resource: name, text = "" } = {}) {
  const resource = await choose(parts, name);
  if (resource && (await nameParents(parts, resource, text))) await new Picker(parts, resource).open(text);
}

/**
 * Lets the user repeat a recent search.
 *
 * @param {Parts} parts @param {{ resource?: string }} given
 */
async function repeatSearch(parts, { resource: name } = {}) {
  const resource = await choose(parts, name);
  if (!resource) return;
  const { recents } = await parts.connection.call("recents/list", { scope: resource.name });
  if (recents.length === 0) return tell.note(`no recent searches in ${resource.name}`);
  const text = await vscode.window.showQuickPick(recents, { title: `${resource.name}, recent searches` });
  if (text !== undefined) await pick(parts, { resource: resource.name, text });
}

/** @param {import("vscode").ExtensionContext} context */
function activate(context) {
  const connection = (current = new Connection());
  const parts = { connection, catalog: new Catalog(connection), query: new Query() };
  const stop = () => {
    parts.catalog.forget();
    return connection.stop();
  };
  /** @type {Record<string, (given?: any) => Promise<unknown>>} */
  const commands = { pick: (given) => pick(parts, given), recents: (given) => repeatSearch(parts, given), stop };
  for (const [name, act] of Object.entries(commands)) {
    const run = (/** @type {any} */ given) => act(given).catch(tell.failure);
    context.subscriptions.push(vscode.commands.registerCommand(`larder.${name}`, run));
  }
  context.subscriptions.push(
    vscode.languages.registerHoverProvider("*", new Hover(parts)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      // A running process keeps its settings, so it is stopped. The next request starts a process with the new
      // settings.
      const ours = ["command", "catalog", "arguments"].some((name) => change.affectsConfiguration(`larder.${name}`));
      if (ours) stop().catch(tell.failure);
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => stop().catch(tell.failure)),
  );
}

/** Stops the process. VS Code waits a few seconds for the returned promise. */
async function deactivate() {
  await current?.dispose();
  current = null;
}

module.exports = { activate, deactivate };
