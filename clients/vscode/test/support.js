"use strict";
// Helpers of the tests: the extension in a fake VS Code, and an API whose answers a test can delay.
const { mkdtemp, readFile, rm, writeFile } = require("node:fs/promises");
const http = require("node:http");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const vscode = require("./vscode.js");

const ROOT = path.join(__dirname, "..", "..", "..");
const BINARY = path.resolve(process.env.LARDER_BIN || path.join(ROOT, ".build/release/larder"));
const CASSETTES = path.join(ROOT, "Fixtures/cassettes/rickandmorty");
const { user } = vscode;

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(process.env.LARDER_EXTENSION ?? "../src/extension.js");

/** Polls until `isSo()` is truthy and fulfils with its value. If it stays falsy, the test fails at its time limit. */
async function until(isSo) {
  for (;;) {
    const found = await isSo();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Fulfils with the shown list when its title starts with `title` and it is not busy. */
function shown(title = "") {
  return until(() => user.quick?.title?.startsWith(title) && !user.quick.busy && user.quick);
}

/**
 * Activates the extension in a new window. Its process replays recorded responses, or uses the API of `catalog`.
 * Fulfils with the folder of the test, the program, `pids()` of all started processes, and `end()`.
 */
async function begin(t, { catalog, settings = {} } = {}) {
  const home = await mkdtemp(path.join(os.tmpdir(), "vscode-larder-"));
  const places = ["--cache-dir", path.join(home, "cache"), "--data-dir", path.join(home, "data")];
  const command = path.join(home, "larder");
  await writeFile(command, `#!/bin/sh\necho $$ >> "${home}/pids"\nexec "${BINARY}" "$@"\n`, { mode: 0o755 });
  user.reset();
  const replay = catalog ? [] : ["--replay", CASSETTES];
  user.settings = { command, catalog: catalog ?? "", arguments: [...replay, ...places], delay: 0, ...settings };
  const context = { subscriptions: [] };
  extension.activate(context);
  const end = async () => {
    for (const each of context.subscriptions.splice(0)) each.dispose();
    await extension.deactivate();
  };
  t.after(async () => {
    await end();
    await rm(home, { recursive: true, force: true });
  });
  const pids = async () => (await readFile(path.join(home, "pids"), "utf8")).trim().split("\n").map(Number);
  return { home, command, end, pids };
}

/**
 * Starts an API of things and of issues with parents. Fulfils with the path of its catalog and the requested paths.
 * `answer(target, left)` returns a body or a promise of a body. `left` fulfils when larder closes the connection.
 */
async function api(t, answer) {
  const asked = [];
  const server = http.createServer(async (request, response) => {
    asked.push(request.url);
    const left = new Promise((resolve) => response.on("close", resolve));
    response.end(JSON.stringify(await answer(request.url, left)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const home = await mkdtemp(path.join(os.tmpdir(), "vscode-api-"));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(home, { recursive: true, force: true });
  });
  const catalog = path.join(home, "things.json");
  const fields = { id: "integer", name: "string" };
  await writeFile(catalog, JSON.stringify({
    larder: 1,
    apis: { things: { baseURL: `http://127.0.0.1:${server.address().port}`, timeout: "10m", retries: 0 } },
    resources: {
      thing: { api: "things", id: "integer", fields,
        rest: { get: { path: "/things/{id}" },
          list: { path: "/things", items: "things", filters: { name: "name", id: "id" } } } },
      // The items have a field `id` that is not their id.
      renamed: { api: "things", id: { type: "integer", from: "number" },
        fields: { number: "integer", name: "string", id: "string" },
        rest: { get: { path: "/renamed/{id}" }, list: { path: "/renamed", items: "things" } } },
      "my.thing": { api: "things", id: "integer", fields, rest: { get: { path: "/mine/{id}" } } },
      issue: { api: "things", scope: { owner: "string", repo: "string" }, id: "integer", fields,
        rest: { get: { path: "/{owner}/{repo}/{id}" } } },
    },
  }));
  return { catalog, asked };
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

module.exports = { CASSETTES, api, begin, isRunning, shown, until, user, vscode };
