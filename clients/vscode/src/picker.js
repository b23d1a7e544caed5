"use strict";
// Shows the items that match the typed text while the user types. When the text changes, its request is cancelled.
const vscode = require("vscode");
const { LarderError } = require("./client.js");
const { CancelledRequest } = require("./connection.js");
const format = require("./format.js");
const { Preview } = require("./preview.js");
const tell = require("./tell.js");

/**
 * @typedef {import("vscode").QuickPickItem & {
 *   item?: import("./values").Item, again?: string, next?: unknown,
 * }} Entry an item, a recent search, or the next page
 */

class Picker {
  /** @param {import("./extension").Parts} parts @param {import("./values").Resource} resource */
  constructor({ connection, query }, resource) {
    this.connection = connection;
    this.query = query;
    this.resource = resource;
    this.editor = vscode.window.activeTextEditor;
    this.control = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {string | undefined} */
    this.text = undefined; // The text of the current search.
    /** @type {string[]} */
    this.recents = [];
    /** @type {import("./values").Request | null} */
    this.request = null;
    /** @type {any} */
    this.result = null;
    this.quick = /** @type {import("vscode").QuickPick<Entry>} */ (vscode.window.createQuickPick());
    this.quick.title = resource.name;
    const takes = [...resource.scope, ...Object.keys(resource.filters).sort()];
    this.quick.placeholder = `Search text, or NAME=VALUE with ${["id", ...takes].join(", ")}`;
    this.quick.onDidChangeValue((value) => this.search(value, connection.setting("delay")));
    this.quick.onDidAccept(() => this.accept());
    this.quick.onDidHide(() => {
      this.cancel();
      this.quick.dispose();
    });
  }

  /** @param {string} text the first search text */
  open(text) {
    this.quick.value = text;
    this.quick.show();
    this.search(text, 0);
    const remembered = this.connection.setting("remember");
    return remembered ? this.readRecents().catch(() => {}) : undefined; // Recent searches are not required.
  }

  async readRecents() {
    const { recents } = await this.connection.call("recents/list", { scope: this.resource.name });
    this.recents = recents;
    if (this.text === "" && this.result) this.show();
  }

  cancel() {
    clearTimeout(this.timer);
    this.control.abort();
  }

  /**
   * Searches for a text after `delay` milliseconds, unless the user changes the text before.
   *
   * @param {string} text @param {number} delay
   */
  search(text, delay) {
    if (text === this.text) return;
    this.cancel();
    this.text = text;
    this.quick.busy = true;
    this.timer = setTimeout(() => {
      try {
        this.request = this.query.request(this.resource, text);
        void this.ask(this.request.params, []);
      } catch (error) {
        this.showMessage(tell.messageOf(error));
      }
    }, delay);
  }

  /** @param {object} params @param {import("./values").Item[]} before the items of the previous pages */
  async ask(params, before) {
    const request = /** @type {import("./values").Request} */ (this.request);
    const control = (this.control = new AbortController());
    this.quick.busy = true;
    try {
      const result = await this.connection.call(request.method, params, control.signal);
      if (control.signal.aborted) return;
      this.result = { ...result, items: [...before, ...(result.items ?? [result.item])] };
      this.show(before.length);
    } catch (error) {
      if (control.signal.aborted) return;
      const ended = error instanceof CancelledRequest || (error instanceof LarderError && error.code === null);
      if (!ended) return this.showMessage(tell.messageOf(error));
      // The process failed, so every other text would fail too. The picker closes.
      this.quick.hide();
      tell.failure(error);
    }
  }

  /**
   * Shows a message in the list, because a notification for each typed text would disturb the user.
   *
   * @param {string} message
   */
  showMessage(message) {
    this.quick.busy = false;
    this.result = null;
    this.quick.items = [{ label: format.oneLine(message), alwaysShow: true }];
  }

  /** @param {number} [active] the index of the active item */
  show(active = 0) {
    const { items, page } = this.result;
    if (items.length === 0 && this.recents.length === 0) {
      return this.showMessage(`no item of '${this.resource.name}' matches`);
    }
    this.quick.busy = false;
    this.quick.title = `${this.resource.name} (${format.provenance(this.result)})`;
    // VS Code would hide items whose label does not contain the text, although another field may match.
    const entries = items.map((/** @type {import("./values").Item} */ item) => ({
      label: format.name(item), description: format.text(format.id(this.resource, item) ?? item.id ?? item.number), item,
      alwaysShow: true,
    }));
    const again = this.text === "" ? this.recents.map((one) => (
      { label: `$(history) ${one}`, again: one, alwaysShow: true })) : [];
    const next = page?.next ?? null;
    const pages = page?.pages ? ` of ${page.pages}` : "";
    const more = next === null ? [] : [
      { label: `$(arrow-down) more: page ${next}${pages}`, next, alwaysShow: true }];
    this.quick.items = [...entries, ...more, ...again];
    if (active > 0 && entries[active]) this.quick.activeItems = [entries[active]];
  }

  accept() {
    const [entry] = this.quick.activeItems;
    if (entry?.again !== undefined) {
      this.quick.value = entry.again;
      this.search(entry.again, 0);
    } else if (entry?.next !== undefined) {
      void this.ask({ .../** @type {any} */ (this.request).params, page: entry.next }, this.result.items);
    } else if (entry?.item) {
      this.chosen(entry.item);
    }
  }

  /**
   * Shows the chosen item. Items of a list may lack fields, so an item with an id is requested in full.
   *
   * @param {import("./values").Item} item
   */
  chosen(item) {
    const { connection, resource, result } = this;
    const { scope } = /** @type {import("./values").Request} */ (this.request);
    const text = this.text ?? "";
    this.quick.hide();
    this.query.remember(resource, scope);
    if (connection.setting("remember") && text.trim()) {
      connection.call("recents/add", { text, scope: resource.name }).catch(() => {});
    }
    const preview = new Preview(connection, resource, this.editor);
    const id = format.id(resource, item);
    if (!resource.get || id === null) return preview.show({ ...result, item });
    const method = `${resource.name}/get`;
    void preview.ask({ method, params: { ...scope, id }, scope });
  }
}

module.exports = { Picker };
