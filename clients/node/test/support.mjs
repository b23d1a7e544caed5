// Helpers of the tests: clients with their own folders, and an API whose answers a test can delay.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Larder } from "../lib/index.mjs";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const BINARY = path.resolve(process.env.LARDER_BIN || path.join(ROOT, ".build/release/larder"));
export const CASSETTES = path.join(ROOT, "Fixtures/cassettes/rickandmorty");

const ends = new WeakMap();

/** Registers a cleanup action. Actions run in reverse order: a folder is removed after the exit of its process. */
function atEnd(t, action) {
  if (!ends.has(t)) {
    ends.set(t, []);
    t.after(async () => {
      for (const each of ends.get(t).reverse()) await each();
    });
  }
  ends.get(t).push(action);
}

/** Creates a temporary folder that is removed at the end of the test. */
export async function folder(t) {
  const made = await mkdtemp(path.join(os.tmpdir(), "node-larder-"));
  atEnd(t, () => rm(made, { recursive: true, force: true }));
  return made;
}

/** Returns options with which larder writes only to a temporary folder. */
export async function options(t, ...args) {
  const home = await folder(t);
  const places = ["--cache-dir", path.join(home, "cache"), "--data-dir", path.join(home, "data")];
  return { binary: BINARY, args: [...args, ...places], stderr: "ignore" };
}

/** Starts a client. By default its process replays recorded API responses. */
export async function start(t, { args = ["--replay", CASSETTES], ...more } = {}) {
  const larder = await Larder.start({ ...(await options(t, ...args)), ...more });
  atEnd(t, () => larder.close({ grace: 5000 }));
  return larder;
}

/** Returns a promise with its `resolve` and `reject` functions. */
export function gate() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

/**
 * Starts an API of things and writes a catalog for it. `answer(id)` returns the status and body of a response, or a
 * promise of them. By default each id exists, and the list has three pages of two things. For a request of the list,
 * `id` is the last part of the path, with the query.
 */
export async function api(t, answer = anything) {
  const asked = [];
  const server = http.createServer(async (request, response) => {
    const id = request.url.split("/").pop();
    asked.push(id);
    const left = new Promise((resolve) => response.on("close", resolve));
    const [status, body, headers = {}] = await answer(id, left);
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(t, () => {
    server.close();
    server.closeAllConnections();
  });
  const home = await folder(t);
  const catalog = path.join(home, "things.json");
  const url = `http://127.0.0.1:${server.address().port}`;
  await writeFile(catalog, JSON.stringify({
    larder: 1,
    apis: { things: { baseURL: url, timeout: "10m", retries: 0, maxConcurrent: 1000 } },
    resources: {
      thing: { api: "things", id: "integer", fields: { id: "integer", name: "string" },
        rest: {
          get: { path: "/things/{id}" },
          list: { path: "/things", items: "things", filters: { name: "name" },
            pagination: { style: "page", param: "page", pages: "pages", count: "count" } },
        } },
      issue: { api: "things", scope: { owner: "string", repo: "string" }, id: "integer",
        fields: { id: "integer", name: "string" }, rest: { get: { path: "/{owner}/{repo}/{id}" } } },
    },
  }));
  return { args: ["--catalog", catalog], asked };
}

/** Returns the body of a page of the list, for the last part of its path. */
export const page = (target) => {
  const number = Number(/page=(\d+)/.exec(target)?.[1] ?? 1);
  return { pages: 3, count: 6, things: [thing(2 * number - 1), thing(2 * number)] };
};

const anything = (id) => [200, id.startsWith("things?") ? page(id) : thing(id)];

export const thing = (id) => ({ id: Number(id), name: `thing ${id}` });

/** Polls until `isSo()` is true. If it stays false, the test fails at its time limit. */
export async function eventually(isSo) {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
