"""Measures syncs that read the whole list, and compares them with the floor, a script and dlt."""
import os
import statistics
import sys
import tempfile

from bench import HERE, Fault, program
from copies import Copy
from process import run
from table import Row

SCRIPT = os.path.join(HERE, "sync", "script.py")
WITH_DLT = os.path.join(HERE, "sync", "with_dlt.py")
# The memory in MiB that a sync may take in addition to the memory of an idle process: 8 MiB and two pages of 62 kB.
MEMORY = 8 + 2 * 0.06


def median(runs, field="seconds"):
    return statistics.median(getattr(run, field) for run in runs)


def memory_row(what, runs, idle):
    return Row(f"peak memory, {what}", "MiB", median(runs, "memory"), "idle", idle, limit=idle + MEMORY)


class WholeSyncs:
    """The first sync of each program starts without a file. The second sync finds nothing changed."""

    def __init__(self, larder, feed, folder, counts, dlt=None):
        self.larder, self.feed, self.folder, self.dlt = larder, feed, folder, dlt
        self.items, self.rounds = counts["items"], counts["rounds"]

    def floor(self, folder):
        command = [program("sync_floor"), self.feed.list_url(self.items), os.path.join(folder, "floor.sqlite")]
        return run(*command), run(*command)

    def copy(self, folder):
        copy = Copy(self.larder, self.feed, folder, self.items)
        return (copy.sync(mode="whole", added=self.items),
                copy.sync("--whole", mode="whole", added=0, changed=0, removed=0, items=self.items))

    def script(self, folder, python=sys.executable, path=SCRIPT):
        command = [python, path, self.feed.list_url(self.items), folder]
        runs = run(*command), run(*command)
        if any(run.output != str(self.items) for run in runs):
            raise Fault(f"{path}: expected {self.items} items, but it stored {', '.join(run.output for run in runs)}")
        return runs

    def measured(self):
        """Returns the first runs and the second runs of each program."""
        measures = {"floor": self.floor, "larder": self.copy, "script": self.script}
        results = {name: [] for name in measures}
        for _ in range(self.rounds):
            for name, measure in measures.items():
                with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                    results[name].append(measure(folder))
        if self.dlt:
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                results["dlt"] = [self.script(folder, self.dlt, WITH_DLT)]
        return {name: list(zip(*runs)) for name, runs in results.items()}

    def rows(self):
        results = self.measured()
        larder = results.pop("larder")
        for index, what in enumerate([f"first sync of {self.items:,} items", "whole sync that finds no change"]):
            for name, runs in results.items():
                most = 2 if (index, name) == (0, "floor") else None
                yield Row(what, "s", median(larder[index]), name, median(runs[index]), most=most)
