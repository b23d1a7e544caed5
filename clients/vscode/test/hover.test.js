"use strict";
const assert = require("node:assert/strict");
const { symlink } = require("node:fs/promises");
const path = require("node:path");
const { test } = require("node:test");
const { api, begin, until, user } = require("./support.js");

const words = (hover) => hover.contents[0].value.replaceAll("\\", "");

test("a hover shows the item named in the text and its source", async (t) => {
  await begin(t);
  const text = "see (character/2), or https://rickandmortyapi.com/api/location/15.";
  const hover = await user.hover(text, 8);
  const rows = words(hover).replaceAll("*", "").split("\n");
  assert.deepEqual(rows.slice(0, 4), ["character 2, from the API, just now", "", "- id: 2", "- name: Morty Smith"]);
  assert.deepEqual([hover.range.start.character, hover.range.end.character], [5, 16]);
  assert.match(words(await user.hover(text, 6)), /^\*\*character 2\*\*, from the cache \(memory\)/);
  assert.match(words(await user.hover(text, text.length - 2)), /name\*\*: Bird World/);
  assert.equal(await user.hover(text, 1), null);
  assert.match(words(await user.hover("character:99999", 3)), /^\*\*character 99999\*\*: .*Character not found/);
  assert.equal(await user.hover("character/first", 3), null); // The ids of characters are integers.
  assert.deepEqual(user.errors, []);
});

test("a hover over an id shows its item if the setting names the resource", async (t) => {
  await begin(t, { settings: { resource: "location" } });
  assert.match(words(await user.hover("see 15, and character/2", 5)), /name\*\*: Bird World/);
  assert.match(words(await user.hover("see 15, and character/2", 22)), /name\*\*: Morty Smith/);
  assert.equal(await user.hover("see 15, and character/2", 1), null);
});

test("a hover finds items whose resource name or preceding text contains dots", async (t) => {
  const { catalog } = await api(t, (target) => ({ id: 7, name: target }));
  await begin(t, { catalog });
  for (const [text, at, name, start] of [
    ["my.thing/7", 4, "mine", 0], ["your.thing/7", 6, "things", 5], ["a.my.thing/7", 3, "mine", 2],
  ]) {
    const hover = await user.hover(text, at);
    assert.match(words(hover), new RegExp(`/${name}/7`));
    assert.equal(hover.range.start.character, start);
  }
  assert.equal(await user.hover("your.thing/7", 1), null);
});

test("a hover over text without an item starts no process", async (t) => {
  await begin(t);
  assert.equal(await user.hover("nothing of the kind", 3), null);
  user.set("hover", false);
  assert.equal(await user.hover("character/2", 3), null);
  assert.equal(user.channels, 0);
});

test("moving the pointer away cancels the request of a hover", async (t) => {
  let arrived;
  const waiting = new Promise((resolve) => (arrived = resolve));
  let taken = false;
  const { catalog } = await api(t, async (_, left) => {
    arrived();
    await left;
    taken = true;
  });
  await begin(t, { catalog });
  const token = user.token();
  const hover = user.hover("thing/7", 3, token);
  await waiting;
  token.cancel();
  assert.equal(await hover, null);
  await until(() => taken);
  assert.deepEqual(user.errors, []);
});

test("a hover shows API data as plain text", async (t) => {
  const name = "![x](http://127.0.0.1/x.png) <img src=x> [y](command:z) `a` | b\n# c";
  const { catalog } = await api(t, () => ({ id: 7, name }));
  await begin(t, { catalog });
  const { value, isTrusted } = (await user.hover("thing/7", 3)).contents[0];
  assert.ok(!isTrusted);
  const shownName = /\*\*name\*\*: (.*)\n$/.exec(value)[1];
  // All punctuation is escaped, so only letters remain.
  assert.equal(shownName.replace(/\\[!-/:-@[-`{-~]/g, ""), "xhttp127001xpng img srcx ycommandz a  b  c");
});

test("a missing program is reported once, and the next hover tries to start it again", async (t) => {
  const { command, home } = await begin(t);
  const program = path.join(home, "program");
  user.set("command", program);
  assert.equal(await user.hover("character/2", 3), null);
  assert.equal(await user.hover("character/2", 3), null);
  assert.deepEqual(user.errors, [`larder: cannot start '${program}'; put larder on the PATH, or set larder.command`]);
  await symlink(command, program);
  assert.match(words(await user.hover("character/2", 3)), /Morty Smith/);
});
