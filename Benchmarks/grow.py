"""Measures reads of one item and searches in growing cache files, for `run --grow`.

The files are filled with copies of a row that Larder wrote.
"""
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Tests", "EndToEnd"))
import checksums

SIZES = [1_000, 10_000, 100_000, 1_000_000]
SEARCHED = 100_000
READS = 1_000

FILL = """
INSERT INTO items (resource, id, partial, fetched_at, used_at, invalidated, json, checksum)
WITH RECURSIVE n (i) AS (VALUES (:first) UNION ALL SELECT i + 1 FROM n WHERE i < :last),
copies (resource, id, partial, fetched_at, used_at, invalidated, json, etag, modified) AS MATERIALIZED (
    SELECT resource, CAST(i AS TEXT), partial, fetched_at, used_at, invalidated, CAST(replace(replace(
        CAST(json AS TEXT), '"id":1,', '"id":' || i || ','), 'Rick Sanchez 1"', 'Rick Sanchez ' || i || '"') AS BLOB),
        NULL, NULL
    FROM n, (SELECT * FROM items WHERE id = '1')
)
SELECT resource, id, partial, fetched_at, used_at, invalidated, json, %s FROM copies
""" % checksums.ITEM.format(name=checksums.NAME)

SEARCHES = [
    ("a word of a few items", {"text": "rick 4711"}), ("a word of every item", {"text": "rick"}),
    ("the beginning of a word of every item", {"text": "r"}),
    ("a field, no text", {"filter": {"name": "Rick Sanchez 7"}}), ("no text", {}),
]


def fill(bench, count, before=None):
    """Creates a folder with a cache file of `count` items. `before` is the folder of a smaller file to start from."""
    folder = bench.new_folder()
    if before:
        shutil.copy(os.path.join(before, "cache.sqlite"), folder)
    else:
        subprocess.run([*bench.server(folder), "call", "character/get", "id=1"], check=True, stdout=subprocess.DEVNULL)
    with sqlite3.connect(os.path.join(folder, "cache.sqlite")) as file:
        first = file.execute("SELECT count(*) + 1 FROM items").fetchone()[0]
        checksums.register(file)
        file.execute(FILL, {"first": first, "last": count})
        assert file.execute("SELECT count(*) FROM items").fetchone()[0] == count
    file.close()
    return folder


def reads(bench, drive, one_core, rounds):
    """Measures reads in cache files of each size in turn. Returns the p50 of each size, and the files' folders."""
    folders, folder = {}, None
    for size in SIZES:
        folder = folders[size] = fill(bench, size, folder)
    results = {size: [] for size in SIZES}
    for _ in range(rounds):
        for size in SIZES:
            path = os.path.join(bench.folder, "grown.ndjson")
            with open(path, "w") as file:
                for ident in random.sample(range(1, size + 1), READS):
                    request = {"jsonrpc": "2.0", "id": 10_000_000 + ident, "method": "character/get",
                               "params": {"id": ident}}
                    file.write(json.dumps(request, separators=(",", ":")) + "\n")
            server = bench.server(folders[size], "--disk", "4GiB")
            with one_core():
                results[size].append(drive("ping", ["-w", READS // 20, "-e", "persistence"], path, server)["p50_us"])
    return {size: statistics.median(taken) for size, taken in results.items()}, folders


class Session:
    """A larder process with one request in flight."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, params):
        """Sends one search request. Returns the result and the duration in milliseconds."""
        request = {"jsonrpc": "2.0", "id": 1, "method": "character/search", "params": params}
        started = time.perf_counter()
        self.process.stdin.write((json.dumps(request) + "\n").encode())
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        return reply["result"], (time.perf_counter() - started) * 1000

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def searches(bench, folder):
    """Measures the first search in a cache file, and the p50 of each later search."""
    session = Session(bench.server(folder, "--disk", "4GiB"))
    try:
        found, first = session.ask({"text": "rick"})
        assert found["count"] == SEARCHED, found["count"]
        lines = [("the first one, which indexes all items", f"{SEARCHED:,}", first)]
        for what, params in SEARCHES:
            times = []
            for _ in range(20):
                found, took = session.ask(params)
                times.append(took)
            lines.append((what, f"{found['count']:,}", statistics.median(times)))
    finally:
        session.close()
    return lines


def report(bench, drive, one_core, rounds):
    medians, folders = reads(bench, drive, one_core, rounds)
    print("| items in the file | L2 hit, one in flight, same core, p50 | to the smallest |")
    print("| ---: | ---: | ---: |")
    for size, median in medians.items():
        print(f"| {size:,} | {median:.1f} us | {median / medians[SIZES[0]]:.2f}x |")
    ratio = medians[SIZES[-1]] / medians[SIZES[0]]
    print(f"\nBudget: at most 1.5x ({'met' if ratio <= 1.5 else 'missed'}).\n")
    print(f"| search of {SEARCHED:,} items | found | time |")
    print("| --- | ---: | ---: |")
    for what, count, took in searches(bench, folders[SEARCHED]):
        print(f"| {what} | {count} | {took:,.1f} ms |")
