#!/usr/bin/env python3
"""Measures the time that the Python clients add to a cached call, compared with a bare write, readline and parse.

    Benchmarks/clients/python.py [--runs 10] [--rounds 20] [--calls 100]

Each of the three callers reads the same item from the memory of its own larder process. They take turns in short
rounds, so that load from unrelated processes affects all of them. `one core` binds both processes to one core; `two
cores` binds the larder process and the caller to different cores.

There are several runs with new processes, because one Python process can be about 10 us slower per call than another
process with the same work, for its whole life. The script prints the lowest, middle and highest median, in
microseconds. The highest added time is the result.
"""

import argparse
import asyncio
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))

from larder import AsyncLarder, Larder  # noqa: E402

BINARY = os.environ.get("LARDER_BIN") or str(ROOT / ".build" / "release" / "larder")
CASSETTES = str(ROOT / "Fixtures" / "cassettes" / "rickandmorty")


class Bare:
    """A minimal caller without a client library."""

    def __init__(self, args):
        self.process = subprocess.Popen([BINARY, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id, self.pid = 0, self.process.pid

    def get(self, id):
        self.id += 1
        request = {"jsonrpc": "2.0", "id": self.id, "method": "character/get", "params": {"id": id}}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["result"]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        self.process.wait()


def timed(get, calls, into):
    for _ in range(calls):
        before = time.perf_counter_ns()
        get(1)
        into.append(time.perf_counter_ns() - before)


async def timed_in_a_loop(get, calls, into):
    for _ in range(calls):
        before = time.perf_counter_ns()
        await get(1)
        into.append(time.perf_counter_ns() - before)


async def measure(rounds, calls, places):
    args = ["--replay", CASSETTES, *places]
    bare, blocking = Bare(args), Larder(args, binary=BINARY)
    async with AsyncLarder(args, binary=BINARY) as tasks:
        assert bare.get(1)["item"] == blocking.character.get(1).item == (await tasks.character.get(1)).item
        results = {}
        for name, cores in (("one core", [0, 0]), ("two cores", [0, 1])):
            usable = sorted(os.sched_getaffinity(0))
            if cores[1] >= len(usable):
                continue
            caller, server = usable[cores[0]], usable[cores[1]]
            for pid in (bare.pid, blocking.pid, tasks.pid):
                for thread in os.listdir(f"/proc/{pid}/task"):
                    os.sched_setaffinity(int(thread), {server})
            os.sched_setaffinity(0, {caller})
            taken = {"bare loop": [], "Larder": [], "AsyncLarder": []}
            for _ in range(rounds):
                timed(bare.get, calls, taken["bare loop"])
                timed(blocking.character.get, calls, taken["Larder"])
                await timed_in_a_loop(tasks.character.get, calls, taken["AsyncLarder"])
            os.sched_setaffinity(0, set(usable))
            results[name] = {who: round(statistics.median(times) / 1000, 1) for who, times in taken.items()}
    blocking.close()
    bare.close()
    return results


def one_run(options):
    with tempfile.TemporaryDirectory() as folder:
        places = ["--cache-dir", f"{folder}/cache", "--data-dir", f"{folder}/data"]
        return asyncio.run(measure(options.rounds, options.calls, places))


def spread(values):
    return f"{min(values):5.1f} {statistics.median(values):5.1f} {max(values):5.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=20, help="rounds per run")
    parser.add_argument("--calls", type=int, default=100, help="calls of each caller per round")
    parser.add_argument("--one", action="store_true", help="make one run in this process and print JSON")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one_run(options)))
        return
    command = [sys.executable, __file__, "--one", f"--rounds={options.rounds}", f"--calls={options.calls}"]
    runs = [json.loads(subprocess.check_output(command)) for _ in range(options.runs)]
    print(f"{options.runs} runs; lowest, middle and highest median, us")
    for place in runs[0]:
        print(f"{place:10} bare loop          {spread([run[place]['bare loop'] for run in runs])}")
        for who in ("Larder", "AsyncLarder"):
            print(f"{place:10} {who:12} adds  {spread([run[place][who] - run[place]['bare loop'] for run in runs])}")


if __name__ == "__main__":
    main()
