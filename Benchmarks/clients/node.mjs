#!/usr/bin/env node
// Measures the time that the Node client adds to a cached call, compared with a bare loop of write, readline and
// JSON.parse. Prints medians in microseconds, on one core and across cores.
// Usage: node Benchmarks/clients/node.mjs [CALLS]; LARDER_BIN names the binary.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { Larder } from "../../clients/node/lib/index.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BINARY = process.env.LARDER_BIN || path.join(ROOT, ".build/release/larder");
const CASSETTES = path.join(ROOT, "Fixtures/cassettes/rickandmorty");
const ROUNDS = 20;

/** The minimum that a program must do: write a request, read a line, parse it. */
function bare(args) {
  const child = spawn(BINARY, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = readline.createInterface({ input: child.stdout });
  let id = 0;
  let take;
  lines.on("line", (line) => take(JSON.parse(line)));
  return {
    pid: child.pid,
    get: (item) => new Promise((resolve) => {
      take = resolve;
      const params = { id: item };
      child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "character/get", params }) + "\n");
    }),
    close: () => child.stdin.end(),
  };
}

async function time(get, calls, into) {
  for (let call = 0; call < calls; call += 1) {
    const before = process.hrtime.bigint();
    await get(1);
    into.push(Number(process.hrtime.bigint() - before) / 1000);
  }
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function measure(calls, apart) {
  const home = mkdtempSync(path.join(os.tmpdir(), "larder-bench-"));
  const args = (name) => {
    const place = path.join(home, name);
    return ["--replay", CASSETTES, "--cache-dir", place, "--data-dir", place];
  };
  const loop = bare(args("bare"));
  const larder = await Larder.start({ binary: BINARY, args: args("client") });
  // taskset keeps the processes on different cores. Without it, the scheduler would put both on one core.
  if (apart) for (const { pid } of [loop, larder]) spawnSync("taskset", ["-acp", "1", String(pid)]);
  const ways = { bare: (id) => loop.get(id), client: (id) => larder.character.get(id) };
  const taken = { bare: [], client: [] };
  // The first round is a warm-up and does not count. The two callers take turns, so that other load on the machine
// affects both.
  for (const get of Object.values(ways)) await time(get, calls / ROUNDS, []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, get] of Object.entries(ways)) await time(get, calls / ROUNDS, taken[name]);
  }
  loop.close();
  await larder.close();
  rmSync(home, { recursive: true });
  return { bare: median(taken.bare), client: median(taken.client) };
}

const calls = Number(process.argv[2] || 40_000);
if (process.env.LARDER_BENCH_PLACE) {
  const { bare, client } = await measure(calls, process.env.LARDER_BENCH_PLACE === "across cores");
  const [left, right, added] = [bare, client, client - bare].map((value) => value.toFixed(1).padStart(7));
  console.log(`${process.env.LARDER_BENCH_PLACE.padEnd(14)} bare ${left}   client ${right}   added ${added}`);
} else {
  const itself = [fileURLToPath(import.meta.url), String(calls)];
  for (const place of ["one core", "across cores"]) {
    const env = { ...process.env, LARDER_BENCH_PLACE: place };
    spawnSync("taskset", ["-c", "0", process.execPath, ...itself], { stdio: "inherit", env });
  }
}
