"use strict";
const assert = require("node:assert/strict");
const { rm } = require("node:fs/promises");
const { test } = require("node:test");
const { api, begin, shown, until, user, vscode } = require("./support.js");

test("picking an item shows it and inserts its field", async (t) => {
  await begin(t);
  vscode.window.activeTextEditor = new vscode.TextEditor("Who is ? And X?", [7], [13, 14]);
  user.answers = ["character"];
  await user.run("larder.pick");
  assert.deepEqual(user.asked, [["Larder", ["character", "episode", "location"]]]);
  const picker = await shown("character (from the API");
  assert.equal(picker.items[0].label, "Rick Sanchez");
  picker.type("rick");
  await until(() => picker.labels[1] === "Adjudicator Rick");
  assert.deepEqual([picker.items[1].description, picker.items[1].alwaysShow], ["8", true]);
  picker.accept("Adjudicator");
  const preview = await shown("character 8");
  assert.deepEqual(preview.labels.slice(0, 3), ["id", "name", "status"]);
  assert.equal(preview.find("origin").description, '{"name":"unknown","url":""}');
  assert.match(preview.placeholder, /^from the cache \(memory\), just now/);
  preview.accept("name");
  await until(() => vscode.window.activeTextEditor.text === "Who is Adjudicator Rick? And Adjudicator Rick?");
  assert.equal(user.quick, null);
  assert.deepEqual([user.errors, user.notes], [[], []]);
});

test("an item is requested by its id field", async (t) => {
  const whole = { number: 7, name: "the seventh", id: "x" };
  const { catalog, asked } = await api(t, (target) => target === "/renamed/7" ? whole : { things: [whole] });
  await begin(t, { catalog });
  await user.run("larder.pick", { resource: "renamed" });
  const picker = await shown("renamed (");
  await until(() => picker.items[0]?.description === "7");
  picker.accept("the seventh");
  const preview = await shown("renamed 7");
  assert.equal(preview.find("id").description, "x");
  await until(() => /^from the cache \(memory\)/.test(preview.placeholder));
  assert.deepEqual([user.errors, asked], [[], ["/renamed"]]);
});

test("the picker appends the next page to the list", async (t) => {
  await begin(t);
  await user.run("larder.pick", { resource: "character" });
  const picker = await shown("character (");
  picker.accept("$(arrow-down) more: page 2 of ");
  await until(() => picker.items.length > 40);
  assert.equal(picker.activeItems[0].description, "21");
  assert.equal(picker.items[0].description, "1");
});

test("changing the search text cancels the list request", async (t) => {
  let arrived;
  const gone = new Promise((resolve) => (arrived = resolve));
  const taken = [];
  const { catalog } = await api(t, async (target, left) => {
    if (target !== "/things?name=a") return { things: [{ id: 7, name: "the seventh" }] };
    arrived();
    await left;
    taken.push(target);
    return {};
  });
  await begin(t, { catalog });
  await user.run("larder.pick", { resource: "thing" });
  const picker = await shown("thing (");
  picker.type("a");
  await gone;
  assert.equal(picker.busy, true);
  picker.type("as");
  await until(() => !picker.busy && picker.labels[0] === "the seventh");
  await until(() => taken.length === 1);
  assert.deepEqual([user.errors, picker.labels], [[], ["the seventh"]]);
});

test("closing the preview cancels the item request", async (t) => {
  let arrived;
  const waiting = new Promise((resolve) => (arrived = resolve));
  let taken = false;
  const { catalog } = await api(t, async (target, left) => {
    if (target === "/things") return { things: [{ id: 7, name: "the seventh" }, { id: 8, name: "" }] };
    arrived();
    await left;
    taken = true;
    return {};
  });
  await begin(t, { catalog });
  await user.run("larder.pick", { resource: "thing" });
  const picker = await shown("thing (");
  await user.run("larder.stop"); // Without this, the item would be cached by the list.
  const cache = user.settings.arguments[user.settings.arguments.indexOf("--cache-dir") + 1];
  await rm(cache, { recursive: true });
  picker.accept("the seventh");
  await waiting;
  assert.equal(user.quick.busy, true);
  user.quick.hide();
  await until(() => taken);
  assert.deepEqual([user.quick, user.errors], [null, []]);
});

test("the picker searches only the last of several texts typed within the delay", async (t) => {
  const { catalog, asked } = await api(t, () => ({ things: [] }));
  await begin(t, { catalog, settings: { delay: 50 } });
  await user.run("larder.pick", { resource: "thing" });
  const picker = await shown("thing");
  for (const text of ["a", "as", "as ", "as they"]) picker.type(text);
  await until(() => !picker.busy && asked.includes("/things?name=as%20they"));
  assert.deepEqual(asked, ["/things", "/things?name=as%20they"]);
  assert.deepEqual(picker.labels, ["no item of 'thing' matches"]);
});

test("a recent search can be repeated", async (t) => {
  await begin(t);
  await user.run("larder.recents", { resource: "character" });
  assert.deepEqual(user.notes, ["larder: no recent searches in character"]);
  await user.run("larder.pick", { resource: "character", text: "rick" });
  (await shown("character (")).accept("Adjudicator");
  (await shown("character 8")).hide();
  await user.run("larder.pick", { resource: "character" });
  const picker = await shown("character (");
  await until(() => picker.labels.at(-1) === "$(history) rick");
  picker.accept("$(history)");
  await until(() => picker.labels[1] === "Adjudicator Rick");
  assert.equal(picker.value, "rick");
  picker.hide();
  user.answers = ["rick"];
  await user.run("larder.recents", { resource: "character" });
  await until(() => user.quick?.labels[1] === "Adjudicator Rick");
  assert.deepEqual(user.asked, [["character, recent searches", ["rick"]]]);
});

test("the picker asks the user once for missing scope parameters", async (t) => {
  const { catalog } = await api(t, (target) => ({ id: 7, name: target }));
  await begin(t, { catalog });
  await user.run("larder.pick", { resource: "issue" }); // The user cancels.
  assert.equal(user.quick, null);
  user.answers = ["apple", "swift"];
  await user.run("larder.pick", { resource: "issue", text: "7" });
  assert.deepEqual(user.asked.slice(1), [["issue", "owner"], ["issue", "repo"]]);
  (await shown("issue (")).accept("/apple/swift/7");
  (await shown("issue 7")).hide();
  await user.run("larder.pick", { resource: "issue", text: "repo=rust 7" });
  const picker = await until(() => user.quick?.labels[0] === "/apple/rust/7" && user.quick);
  picker.type("repo=c 7"); // Typed parents are remembered only after an item was picked.
  await until(() => picker.labels[0] === "/apple/c/7");
  picker.type("repo=rust 7");
  await until(() => picker.labels[0] === "/apple/rust/7");
  picker.accept();
  (await shown("issue 7")).hide();
  await user.run("larder.pick", { resource: "issue", text: "8" });
  await until(() => user.quick?.labels[0] === "/apple/rust/8");
  assert.equal(user.asked.length, 3);
});

test("a filter of the list may be named id", async (t) => {
  const { catalog, asked } = await api(t, () => ({ things: [{ id: 7, name: "the seventh" }] }));
  await begin(t, { catalog });
  await user.run("larder.pick", { resource: "thing", text: "id=7" });
  await shown("thing (");
  assert.deepEqual(asked, ["/things?id=7"]);
});

test("the picker shows errors in the search text or a reply in its list", async (t) => {
  await begin(t);
  await user.run("larder.pick", { resource: "character", text: "colour=red" });
  const picker = await shown("character");
  assert.match(picker.labels[0], /^'character' has no filter 'colour'; use one of id, gender, name, /);
  picker.accept();
  assert.equal(user.quick, picker);
  picker.type("id=99999");
  await until(() => picker.labels[0].includes("Character not found"));
  picker.type("nobody at all");
  await until(() => picker.labels[0] === "no item of 'character' matches");
  assert.deepEqual(user.errors, []);
  await user.run("larder.pick", { resource: "planet" });
  assert.deepEqual(user.errors, ["larder: there is no resource 'planet'; use one of character, episode, location"]);
});

test("the picker's buttons request the item again and copy a field", async (t) => {
  await begin(t);
  await user.run("larder.pick", { resource: "character", text: "rick" });
  (await shown("character (")).accept("Adjudicator");
  const preview = await shown("character 8");
  assert.match(preview.placeholder, /^from the cache \(memory\)/);
  preview.press();
  await until(() => preview.placeholder.startsWith("from the API"));
  preview.pressAt("name");
  assert.equal(user.clipboard, "Adjudicator Rick");
  assert.equal(user.quick, null);
});

test("a picked text is copied if no editor is open, and a read-only document is an error", async (t) => {
  await begin(t);
  const insert = async () => {
    await user.run("larder.pick", { resource: "location", text: "id=15" });
    (await shown("location (")).accept("Bird World");
    (await shown("location 15")).accept("name");
  };
  await insert();
  await until(() => user.notes.length === 1);
  assert.equal(user.clipboard, "Bird World");
  vscode.window.activeTextEditor = new vscode.TextEditor("", [0]);
  vscode.window.activeTextEditor.readOnly = true;
  await insert();
  await until(() => user.errors.length === 1);
  assert.deepEqual(user.errors, ["larder: cannot insert: the document is read-only"]);
});
