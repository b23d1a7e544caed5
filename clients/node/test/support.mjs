// What the tests have in common: larders in folders of their own, and an API whose answers a test may hold.
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

/** What is to be done at a test's end, the last of it first: a folder goes after the process that writes there. */
function atEnd(t, action) {
  if (!ends.has(t)) {
    ends.set(t, []);
    t.after(async () => {
      for (const each of ends.get(t).reverse()) await each();
    });
  }
  ends.get(t).push(action);
}

/** A folder that ends with the test. */
export async function folder(t) {
  const made = await mkdtemp(path.join(os.tmpdir(), "node-larder-"));
  atEnd(t, () => rm(made, { recursive: true, force: true }));
  return made;
}

/** The options of a larder that keeps to its folder. */
export async function options(t, ...args) {
  const home = await folder(t);
  const places = ["--cache-dir", path.join(home, "cache"), "--data-dir", path.join(home, "data")];
  return { binary: BINARY, args: [...args, ...places], stderr: "ignore" };
}

/** A larder that answers from cassettes, unless it is told otherwise. */
export async function start(t, { args = ["--replay", CASSETTES], ...more } = {}) {
  const larder = await Larder.start({ ...(await options(t, ...args)), ...more });
  atEnd(t, () => larder.close({ grace: 5000 }));
  return larder;
}

/** What is settled from elsewhere. */
export function gate() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

/**
 * An API of things. `answer(id)` gives a status and a body, at once or later; without it, each id is a thing. Of a
 * list, `id` is its path's end with the query; it has three pages of two things.
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

const page = (target) => {
  const number = Number(/page=(\d+)/.exec(target)?.[1] ?? 1);
  return { pages: 3, count: 6, things: [thing(2 * number - 1), thing(2 * number)] };
};

const anything = (id) => [200, id.startsWith("things?") ? page(id) : thing(id)];

export const thing = (id) => ({ id: Number(id), name: `thing ${id}` });

/** Waits for what nobody tells of; who waits in vain is ended by the time limit of the tests. */
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
