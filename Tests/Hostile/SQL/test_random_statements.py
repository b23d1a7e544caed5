"""Random and hostile statements: each is answered on time, none writes, and cached reads are answered meanwhile.

With `-s`, the tests print their figures. `LARDER_FUZZ=1` uses new statements.
"""

import collections
import hashlib
import os
import pathlib
import random
import sqlite3
import sys

import pytest

from clocked import Clocked
from statements import KINDS, statement

SEED = random.SystemRandom().randrange(10**9) if os.environ.get("LARDER_FUZZ") else 1
TIMEOUT, LATE = 0.05, 0.1  # seconds
MEMORY, MORE_MEMORY = 32, 32  # MiB
# A busy machine can delay a reply. A statement is late only if all of its runs are, and if Larder computed meanwhile.
# A delay of a second is always late.
RUNS, ALWAYS_LATE = 5, 1
# Invalid statements and params, tables without a complete local copy, limits, invalid JSON.
CODES = {-32602, -31015, -31016, -32700}
# Two statements that do not end block further ones.
BUSY = -31011


def hashes(folder):
    """Returns the hash of each table of the cache file."""
    with sqlite3.connect(f"file:{folder}/cache/cache.sqlite?mode=ro", uri=True) as file:
        tables = [name for (name,) in file.execute("select name from sqlite_schema where type = 'table'")]
        rows = {name: sorted(map(repr, file.execute(f'select * from "{name}"'))) for name in [*tables, "sqlite_schema"]}
    return {name: hashlib.sha256("\n".join(found).encode()).hexdigest() for name, found in rows.items()}


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def peak(larder):
    """Returns the largest amount of memory that the process had, in MiB."""
    if not sys.platform.startswith("linux"):
        return 0
    status = pathlib.Path(f"/proc/{larder.process.pid}/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def percentile(times, part):
    """Returns a percentile in milliseconds."""
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000


class Attack:
    """A run of many statements against one process."""

    def __init__(self, larder):
        self.larder = larder
        self.outcomes = {kind: collections.Counter() for kind in KINDS}
        self.over, self.reads, self.waiting_reads = [], [], []

    def run(self, number):
        kind, data, more = statement(SEED, number)
        where = f"statements.py {SEED} {number}: {data[:300]!r} {more}"
        reply, took, read, is_read_first = self.larder.query(data, more, TIMEOUT)
        code = reply.get("error", {}).get("code", "rows")
        assert code in {"rows", BUSY, *CODES}, f"{where}: {reply}"
        assert code != -32700 or kind == "damaged", f"{where}: {reply}"
        self.outcomes[kind][reply["error"]["data"]["limit"] if code == -31016 else code] += 1
        self.over.append(took - TIMEOUT)
        self.reads.append(read)
        if took > TIMEOUT:
            self.waiting_reads.append(is_read_first)
        if took > TIMEOUT + LATE:
            again = [self.time(data, more) for _ in range(RUNS - 1)]
            assert min(again) <= TIMEOUT + LATE, f"{where}: {took:.3f} s, again {again}"

    def time(self, data, more):
        """Runs a statement again. Returns its seconds, without the delays by other programs."""
        before = self.larder.computed()
        took = self.larder.query(data, more, TIMEOUT)[1]
        used = self.larder.computed() - before
        return took if took >= ALWAYS_LATE else min(took, used)

    def print(self, before, memory):
        for kind, counts in self.outcomes.items():
            print(f"{kind}: {', '.join(f'{count} {name}' for name, count in counts.most_common())}")
        late, most = percentile(self.over, 0.999), max(self.over) * 1000
        print(f"after the timeout: p99.9 {late:.1f} ms, max {most:.1f} ms; peak memory +{memory:.0f} MiB")
        for name, times in ("idle", before), ("meanwhile", self.reads):
            print(f"cached reads, {name}: p50 {percentile(times, 0.5):.2f} ms, p99 {percentile(times, 0.99):.2f} ms")


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_random_statements_are_answered_on_time_and_write_nothing(home, upstream, count):
    with Clocked(home, upstream=upstream) as larder:
        larder.call("character/sync")
        for name in "location", "episode":
            larder.call(f"{name}/prefetch")
    with Clocked(home, "--memory-query", f"{MEMORY}MiB", "--offline", upstream=upstream) as larder:
        larder.call("cache/query", sql="select max(_json) from character")
        for id in range(1, 21):
            larder.call("character/get", id=id)
        idle = [larder.get()[0] for _ in range(1000)]
        found = (hashes(home), files(home))
        start, attack = peak(larder), Attack(larder)
        print(f"\n{count} statements, seed {SEED}")
        for number in range(count):
            attack.run(number)
        grown = peak(larder) - start
        attack.print(idle, grown)
        assert (hashes(home), files(home)) == found
        assert grown <= MEMORY + MORE_MEMORY
        # The statements must reach each kind of reply.
        outcomes = sum(attack.outcomes.values(), collections.Counter())
        assert {"rows", "time", "memory", *CODES} - {-31016} <= set(outcomes)
        # Reads do not wait for a statement that runs until its timeout. A busy machine can delay a few of them.
        assert attack.waiting_reads.count(True) > 0.9 * len(attack.waiting_reads) > 0
        assert larder.call("cache/query", sql="select count(*) from character")["rows"] == [[60]]
        assert not larder.arrived
