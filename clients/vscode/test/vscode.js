"use strict";
// A fake of VS Code's interface. Through `user`, tests act as the user and see what the extension shows.
const { contributes } = require("../package.json");

class Emitter {
  listeners = new Set();

  event = (listener) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(value) {
    for (const listener of [...this.listeners]) listener(value);
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(...numbers) {
    [this.start, this.end] = [new Position(...numbers.slice(0, 2)), new Position(...numbers.slice(2))];
  }
}

class MarkdownString {
  constructor(value = "") {
    this.value = value;
  }
}

class Hover {
  constructor(contents, range) {
    Object.assign(this, { contents: [contents], range });
  }
}

class ThemeIcon {
  constructor(id) {
    this.id = id;
  }
}

/** `type`, `accept`, `find`, `labels`, `press` and `pressAt` are for tests; the rest is VS Code's interface. */
class QuickPick {
  #items = [];
  #value = "";
  #changed = new Emitter();
  #accepted = new Emitter();
  #button = new Emitter();
  #itemButton = new Emitter();
  #hidden = new Emitter();
  visible = false;
  disposed = false;
  busy = false;
  buttons = [];
  activeItems = [];
  onDidChangeValue = this.#changed.event;
  onDidAccept = this.#accepted.event;
  onDidTriggerButton = this.#button.event;
  onDidTriggerItemButton = this.#itemButton.event;
  onDidHide = this.#hidden.event;

  get items() {
    return this.#items;
  }

  set items(items) {
    this.#items = items;
    this.activeItems = items.slice(0, 1);
  }

  get value() {
    return this.#value;
  }

  set value(value) {
    this.#value = value;
    if (this.visible) this.#changed.fire(value);
  }

  show() {
    if (this.disposed) throw new Error("QuickPick.show() was called after dispose()");
    if (user.quick !== this) user.quick?.hide();
    this.visible = true;
    user.quick = this;
  }

  hide() {
    if (!this.visible) return;
    this.visible = false;
    if (user.quick === this) user.quick = null;
    setImmediate(() => this.#hidden.fire()); // In VS Code this event comes from another process.
  }

  dispose() {
    this.hide();
    this.disposed = true;
  }

  type(value) {
    this.value = value;
  }

  /** Accepts the item whose label starts with `label`, or the active item. */
  accept(label) {
    if (label !== undefined) this.activeItems = [this.find(label)];
    this.#accepted.fire();
  }

  find(label) {
    const found = this.items.find((item) => item.label.startsWith(label));
    if (!found) throw new Error(`there is no '${label}' among ${this.labels.join(", ")}`);
    return found;
  }

  get labels() {
    return this.items.map((item) => item.label);
  }

  press(index = 0) {
    this.#button.fire(this.buttons[index]);
  }

  pressAt(label) {
    this.#itemButton.fire({ item: this.find(label), button: this.find(label).buttons[0] });
  }
}

class TextEditor {
  constructor(text, ...places) {
    this.text = text;
    this.readOnly = false;
    this.selections = places.map(([start, end = start]) => new Range(0, start, 0, end));
  }

  async edit(callback) {
    if (this.readOnly) return false;
    const changes = [];
    callback({ replace: (range, value) => changes.push([range.start.character, range.end.character, value]) });
    changes.sort(([a], [b]) => b - a);
    for (const [start, end, value] of changes) this.text = this.text.slice(0, start) + value + this.text.slice(end);
    return true;
  }
}

/** The state that the user sees, and the actions of the user. `reset` clears the state. */
const user = {
  reset() {
    Object.assign(user, {
      quick: null, answers: [], asked: [], errors: [], notes: [], clipboard: "", log: [], channels: 0, settings: {},
      commands: new Map(), hovers: [], changed: new Emitter(), trusted: new Emitter(),
    });
    window.activeTextEditor = undefined;
  },

  /** Runs a command as from the palette, or as from a key binding with arguments. */
  run: (name, given) => user.commands.get(name)(given),

  set(name, value) {
    user.settings[name] = value;
    user.changed.fire({ affectsConfiguration: (section) => section === "larder" || section === `larder.${name}` });
  },

  /** Returns the hover at a column of a line. A test cancels `token` to move the pointer away. */
  hover(text, character, token = user.token(), languageId = "plaintext") {
    const document = { lineAt: () => ({ text }), languageId };
    return user.hovers[0].provideHover(document, new Position(0, character), token);
  },

  token() {
    const cancelled = new Emitter();
    const token = { isCancellationRequested: false, onCancellationRequested: cancelled.event, cancel };
    function cancel() {
      token.isCancellationRequested = true;
      cancelled.fire();
    }
    return token;
  },
};

/** Fulfils with the next prepared answer. Without one, the user cancels. */
async function answer(...question) {
  user.asked.push(question);
  return user.answers.shift();
}

const window = {
  activeTextEditor: undefined,
  createQuickPick: () => new QuickPick(),
  showQuickPick: (items, { title }) => answer(title, items),
  showInputBox: ({ title, prompt }) => answer(title, prompt),
  showErrorMessage: async (message) => void user.errors.push(message),
  showInformationMessage: async (message) => void user.notes.push(message),
  createOutputChannel: () => {
    user.channels += 1;
    return { appendLine: (line) => user.log.push(line), dispose: () => (user.channels -= 1) };
  },
};

const { properties } = contributes.configuration;

function get(name) {
  if (!(`larder.${name}` in properties)) throw new Error(`package.json has no setting larder.${name}`);
  return name in user.settings ? user.settings[name] : properties[`larder.${name}`].default;
}

module.exports = {
  Hover, MarkdownString, Position, Range, ThemeIcon, TextEditor, user, window,
  commands: {
    registerCommand: (name, act) => {
      user.commands.set(name, act);
      return { dispose: () => user.commands.delete(name) };
    },
  },
  env: { clipboard: { writeText: async (text) => (user.clipboard = text) } },
  languages: {
    registerHoverProvider: (selector, provider) => {
      user.hovers.push(provider);
      return { dispose: () => user.hovers.splice(user.hovers.indexOf(provider), 1) };
    },
  },
  workspace: {
    workspaceFolders: undefined,
    getConfiguration: () => ({ get }),
    onDidChangeConfiguration: (listener) => user.changed.event(listener),
    onDidGrantWorkspaceTrust: (listener) => user.trusted.event(listener),
  },
};
