"use strict";
// The item that the text below the pointer names: `character/2`, or an id alone where the resource is known.
const vscode = require("vscode");
const { LarderError } = require("./client.js");
const format = require("./format.js");
const tell = require("./tell.js");

// It takes no text, so that what begins within another one is found too: `api/character/2`.
const NAMED = /(?<![\w.-])(?=([\w.-]+)[/:]([\w%-]+(?:\.[\w%-]+)*))/g;
const ALONE = /(?<![\w-])(?=()([\w-]+))/g;
const LONGEST = 200; // characters of a value
const MOST = 40; // fields

/**
 * What a line has at a place, by a pattern. Names of resources may have dots, and so may what stands before one: each
 * text behind a dot may be the name, the longest first.
 *
 * @param {string} line @param {number} at @param {RegExp} pattern
 */
function standing(line, at, pattern) {
  const all = [...line.matchAll(pattern)].flatMap(({ index = 0, 1: text, 2: id }) => {
    const end = index + (text ? text.length + 1 : 0) + id.length;
    const starts = [0, ...[...text.matchAll(/\./g)].map((dot) => (dot.index ?? 0) + 1)];
    return end < at ? [] : starts.map((start) => ({ name: text.slice(start), id, start: index + start, end }));
  });
  return all.filter(({ start, end }) => start <= at && at <= end);
}

/**
 * Whether `get` can take it: a word of a text is no integer.
 *
 * @param {any} schema @param {string} id
 */
function fits(schema, id) {
  const of = (schema?.anyOf ?? [schema]).filter((/** @type {any} */ one) => one?.type === "string");
  return of.some((/** @type {any} */ { pattern }) => pattern === undefined || new RegExp(pattern, "u").test(id));
}

/**
 * Text in Markdown, whatever it is: nothing of an API's words becomes a link, an image or HTML.
 *
 * @param {string} words
 */
function plain(words) {
  const cut = words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
  return cut.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

class Hover {
  /** @param {import("./extension").Parts} parts */
  constructor({ connection, catalog, query }) {
    this.connection = connection;
    this.catalog = catalog;
    this.query = query;
    this.told = false; // That there is no process; each movement of the pointer would tell it again.
  }

  /**
   * @param {import("vscode").TextDocument} document @param {import("vscode").Position} position
   * @param {import("vscode").CancellationToken} token
   */
  async provideHover(document, position, token) {
    if (!this.connection.setting("hover", document)) return null;
    const line = document.lineAt(position.line).text;
    const named = standing(line, position.character, NAMED);
    const known = this.connection.setting("resource", document);
    const alone = known ? standing(line, position.character, ALONE).map((one) => ({ ...one, name: known })) : [];
    if (named.length + alone.length === 0) return null;
    const control = new AbortController();
    const listening = token.onCancellationRequested(() => control.abort());
    if (token.isCancellationRequested) control.abort();
    try {
      const resources = await this.catalog.load();
      this.told = false;
      const found = [...named, ...alone].find(({ name }) => resources.has(name));
      const resource = found && resources.get(found.name);
      if (!resource?.get || !found || control.signal.aborted || !fits(resource.id, found.id)) return null;
      if (this.query.openScope(resource, "").length > 0) return null;
      const content = await this.ask(resource, found.id, control.signal);
      return new vscode.Hover(content, new vscode.Range(position.line, found.start, position.line, found.end));
    } catch (error) {
      if (!control.signal.aborted && !this.told) tell.failure(error);
      this.told ||= !control.signal.aborted;
      return null;
    } finally {
      listening.dispose();
    }
  }

  /** @param {import("./values").Resource} resource @param {string} id @param {AbortSignal} signal */
  async ask(resource, id, signal) {
    try {
      const params = { ...this.query.scope(resource), id };
      return this.content(resource, await this.connection.call(`${resource.name}/get`, params, signal));
    } catch (error) {
      if (signal.aborted || !(error instanceof LarderError) || error.code === null) throw error;
      return new vscode.MarkdownString(`**${plain(`${resource.name} ${id}`)}**: ${plain(tell.words(error))}`);
    }
  }

  /**
   * @param {import("./values").Resource} resource
   * @param {import("./values").Provenance & { item: import("./values").Item }} result
   */
  content(resource, result) {
    const { item } = result;
    const rows = format.fields(resource, item).slice(0, MOST).map((field) => (
      `- **${plain(field)}**: ${plain(format.oneLine(format.text(item[field])))}\n`));
    const head = `**${plain(format.title(resource, item))}**, ${plain(format.provenance(result))}`;
    return new vscode.MarkdownString(`${head}\n\n${rows.join("")}`);
  }
}

module.exports = { Hover };
