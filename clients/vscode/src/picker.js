"use strict";
// The items that a text finds, as one types. A list that is asked for is taken back when the text changes.
const vscode = require("vscode");
const { LarderError } = require("./client.js");
const { TakenBack } = require("./connection.js");
const format = require("./format.js");
const { Preview } = require("./preview.js");
const tell = require("./tell.js");

/**
 * @typedef {import("vscode").QuickPickItem & {
 *   item?: import("./values").Item, again?: string, next?: unknown,
 * }} Entry what is accepted: an item, a text that was looked for before, or a further page
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
    this.text = undefined; // That which is looked for.
    /** @type {string[]} */
    this.recents = [];
    /** @type {import("./values").Request | null} */
    this.request = null;
    /** @type {any} */
    this.result = null;
    this.quick = /** @type {import("vscode").QuickPick<Entry>} */ (vscode.window.createQuickPick());
    this.quick.title = resource.name;
    const takes = [...resource.scope, ...Object.keys(resource.filters).sort()];
    this.quick.placeholder = `What to look for; NAME=VALUE with ${["id", ...takes].join(", ")}`;
    this.quick.onDidChangeValue((value) => this.look(value, connection.setting("delay")));
    this.quick.onDidAccept(() => this.accept());
    this.quick.onDidHide(() => {
      this.takeBack();
      this.quick.dispose();
    });
  }

  /** @param {string} text what is looked for at first */
  open(text) {
    this.quick.value = text;
    this.quick.show();
    this.look(text, 0);
    const remembered = this.connection.setting("remember");
    return remembered ? this.readRecents().catch(() => {}) : undefined; // It is no reason to disturb anybody.
  }

  async readRecents() {
    const { recents } = await this.connection.call("recents/list", { scope: this.resource.name });
    this.recents = recents;
    if (this.text === "" && this.result) this.show();
  }

  takeBack() {
    clearTimeout(this.timer);
    this.control.abort();
  }

  /**
   * Looks for a text, unless another one comes within the delay.
   *
   * @param {string} text @param {number} delay
   */
  look(text, delay) {
    if (text === this.text) return;
    this.takeBack();
    this.text = text;
    this.quick.busy = true;
    this.timer = setTimeout(() => {
      try {
        this.request = this.query.request(this.resource, text);
        void this.ask(this.request.params, []);
      } catch (error) {
        this.say(tell.words(error));
      }
    }, delay);
  }

  /** @param {object} params @param {import("./values").Item[]} before the items of the pages before */
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
      const ended = error instanceof TakenBack || (error instanceof LarderError && error.code === null);
      if (!ended) return this.say(tell.words(error));
      // What is wrong with the process is wrong with every text.
      this.quick.hide();
      tell.failure(error);
    }
  }

  /**
   * Says something in place of items: a message for each text that is typed would be too much.
   *
   * @param {string} words
   */
  say(words) {
    this.quick.busy = false;
    this.result = null;
    this.quick.items = [{ label: format.oneLine(words), alwaysShow: true }];
  }

  /** @param {number} [active] which of the items is the active one */
  show(active = 0) {
    const { items, page } = this.result;
    if (items.length === 0 && this.recents.length === 0) return this.say(`no ${this.resource.name} is like that`);
    this.quick.busy = false;
    this.quick.title = `${this.resource.name} (${format.provenance(this.result)})`;
    // All that was found is shown: the editor would leave out what has the text in other fields than its name.
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
      this.look(entry.again, 0);
    } else if (entry?.next !== undefined) {
      void this.ask({ .../** @type {any} */ (this.request).params, page: entry.next }, this.result.items);
    } else if (entry?.item) {
      this.chosen(entry.item);
    }
  }

  /**
   * An item of a list may show less than there is: where it has an id, the whole one is asked for.
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
