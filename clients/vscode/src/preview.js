"use strict";
// Shows one item as a list of its fields, with its source. Enter inserts a field.
const vscode = require("vscode");
const format = require("./format.js");
const { insert } = require("./insert.js");
const tell = require("./tell.js");

const COPY = { iconPath: new vscode.ThemeIcon("copy"), tooltip: "Copy" };
const REFRESH = { iconPath: new vscode.ThemeIcon("refresh"), tooltip: "Request from the API Again" };

class Preview {
  /**
   * @param {import("./connection").Connection} connection @param {import("./values").Resource} resource
   * @param {import("vscode").TextEditor | undefined} editor the target of inserted fields
   */
  constructor(connection, resource, editor) {
    this.connection = connection;
    this.resource = resource;
    this.editor = editor;
    this.control = new AbortController();
    this.quick = vscode.window.createQuickPick();
    this.quick.title = resource.name;
    this.quick.matchOnDescription = true;
    this.quick.onDidAccept(() => this.accept());
    this.quick.onDidTriggerItemButton(({ item }) => {
      void vscode.env.clipboard.writeText(this.textOf(item.label));
      this.quick.hide();
    });
    // Closing the preview cancels its request.
    this.quick.onDidHide(() => {
      this.control.abort();
      this.quick.dispose();
    });
    /** @type {import("./values").Item} */
    this.item = {};
    /** @type {import("vscode").Disposable | undefined} */
    this.button = undefined;
  }

  /**
   * Shows a result.
   *
   * @param {import("./values").Provenance & { item: import("./values").Item }} result
   */
  show(result) {
    this.item = result.item;
    this.quick.title = format.title(this.resource, this.item);
    this.quick.placeholder = `${format.provenance(result)}; Enter inserts a field`;
    this.quick.items = format.fields(this.resource, this.item).map((field) => ({
      label: field,
      description: format.oneLine(format.text(this.item[field])),
      buttons: [COPY],
    }));
    this.quick.busy = false;
    this.quick.show();
  }

  /**
   * Requests an item and shows it.
   *
   * @param {import("./values").Request} request @param {string} [cachePolicy]
   */
  async ask(request, cachePolicy) {
    this.quick.busy = true;
    this.quick.show();
    const params = cachePolicy ? { ...request.params, cachePolicy } : request.params;
    try {
      const result = await this.connection.call(request.method, params, this.control.signal);
      if (this.control.signal.aborted) return;
      this.quick.buttons = [REFRESH];
      this.button?.dispose();
      this.button = this.quick.onDidTriggerButton(() => void this.ask(request, "none"));
      this.show(result);
    } catch (error) {
      this.quick.hide();
      tell.failure(error);
    }
  }

  /** @param {string} field */
  textOf(field) {
    return format.text(this.item[field]);
  }

  accept() {
    const [active] = this.quick.activeItems;
    if (!active) return;
    this.quick.hide();
    insert(this.editor, this.textOf(active.label)).catch(tell.failure);
  }
}

module.exports = { Preview };
