"use strict";
// Shows the item that the text under the pointer names: `character/2`, or an id alone if the resource is known.
const vscode = require("vscode");
const { LarderError } = require("./client.js");
const format = require("./format.js");
const tell = require("./tell.js");

// A lookahead finds overlapping matches too: `character/2` in `api/character/2`.
const NAMED = /(?<![\w.-])(?=([\w.-]+)[/:]([\w%-]+(?:\.[\w%-]+)*))/g;
const ALONE = /(?<![\w-])(?=()([\w-]+))/g;
const MAX_VALUE_LENGTH = 200;
const MAX_FIELDS = 40;

/**
 * Returns the matches of a pattern in a line at a column. Resource names and the text before them may contain dots, so
 * each suffix after a dot may be the resource name. The longest suffix comes first.
 *
 * @param {string} line @param {number} at @param {RegExp} pattern
 */
function matchesAt(line, at, pattern) {
  const all = [...line.matchAll(pattern)].flatMap(({ index = 0, 1: text, 2: id }) => {
    const end = index + (text ? text.length + 1 : 0) + id.length;
    const starts = [0, ...[...text.matchAll(/\./g)].map((dot) => (dot.index ?? 0) + 1)];
    return end < at ? [] : starts.map((start) => ({ name: text.slice(start), id, start: index + start, end }));
  });
  return all.filter(({ start, end }) => start <= at && at <= end);
}

/**
 * Whether an id matches the schema of `get`. For example, a word does not match if ids are integers.
 *
 * @param {any} schema @param {string} id
 */
function fits(schema, id) {
  const of = (schema?.anyOf ?? [schema]).filter((/** @type {any} */ one) => one?.type === "string");
  return of.some((/** @type {any} */ { pattern }) => pattern === undefined || new RegExp(pattern, "u").test(id));
}

/**
 * Returns text escaped for Markdown, so that data of an API cannot become a link, an image or HTML.
 *
 * @param {string} text
 */
function plain(text) {
  const cut = text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
  return cut.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

class Hover {
  /** @param {import("./extension").Parts} parts */
  constructor({ connection, catalog, query }) {
    this.connection = connection;
    this.catalog = catalog;
    this.query = query;
    this.hasReported = false; // Whether an error was shown. Further errors are not shown.
  }

  /**
   * @param {import("vscode").TextDocument} document @param {import("vscode").Position} position
   * @param {import("vscode").CancellationToken} token
   */
  async provideHover(document, position, token) {
    if (!this.connection.setting("hover", document)) return null;
    const line = document.lineAt(position.line).text;
    const named = matchesAt(line, position.character, NAMED);
    const known = this.connection.setting("resource", document);
    const alone = known ? matchesAt(line, position.character, ALONE).map((one) => ({ ...one, name: known })) : [];
    if (named.length + alone.length === 0) return null;
    const control = new AbortController();
    const listening = token.onCancellationRequested(() => control.abort());
    if (token.isCancellationRequested) control.abort();
    try {
      const resources = await this.catalog.load();
      this.hasReported = false;
      const found = [...named, ...alone].find(({ name }) => resources.has(name));
      const resource = found && resources.get(found.name);
      if (!resource?.get || !found || control.signal.aborted || !fits(resource.id, found.id)) return null;
      if (this.query.openScope(resource, "").length > 0) return null;
      const content = await this.ask(resource, found.id, control.signal);
      return new vscode.Hover(content, new vscode.Range(position.line, found.start, position.line, found.end));
    } catch (error) {
      if (!control.signal.aborted && !this.hasReported) tell.failure(error);
      this.hasReported ||= !control.signal.aborted;
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
      return new vscode.MarkdownString(`**${plain(`${resource.name} ${id}`)}**: ${plain(tell.messageOf(error))}`);
    }
  }

  /**
   * @param {import("./values").Resource} resource
   * @param {import("./values").Provenance & { item: import("./values").Item }} result
   */
  content(resource, result) {
    const { item } = result;
    const rows = format.fields(resource, item).slice(0, MAX_FIELDS).map((field) => (
      `- **${plain(field)}**: ${plain(format.oneLine(format.text(item[field])))}\n`));
    const head = `**${plain(format.title(resource, item))}**, ${plain(format.provenance(result))}`;
    return new vscode.MarkdownString(`${head}\n\n${rows.join("")}`);
  }
}

module.exports = { Hover };
