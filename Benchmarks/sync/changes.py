"""Measures syncs that ask only for changes, and the end of a sync that finds many items absent."""
import os
import tempfile

from bench import program
from copies import Copy
from process import run
from table import Row
from whole import median, memory_row

CHANGES = 100


class Changes:
    """A small and a large copy of a list, with the same changes."""

    def __init__(self, larder, feed, folder, counts):
        self.feed, self.repeats, self.folder = feed, counts["repeats"], tempfile.mkdtemp(dir=folder)
        self.small, self.large = (
            Copy(larder, feed, tempfile.mkdtemp(dir=folder), counts[size]) for size in ("small", "large"))

    def rows(self):
        for copy in self.small, self.large:
            first = copy.sync(mode="whole", added=copy.items)
            yield memory_row(f"first sync of {copy.items:,} items", [first], copy.idle())
        yield from self.without_changes()
        yield self.with_changes()
        yield from self.absent()

    def without_changes(self):
        """Compares a run that finds no change with a request of the floor."""
        url, file = self.feed.list_url(self.small.items), os.path.join(self.folder, "floor.sqlite")
        run(program("sync_floor"), url, file)
        runs, floors, requests = [], [], []
        for _ in range(self.repeats):
            floors.append(run(program("sync_floor"), f"{url}since={self.small.items}&", file))
            before = self.feed.requests()
            runs.append(self.large.sync(mode="since", added=0, changed=0, removed=0))
            requests.append(self.feed.requests() - before)
        yield Row(f"run without changes, {self.large.items:,} items", "ms", 1000 * median(runs), "floor",
                  1000 * median(floors), most=4)
        yield Row("requests of a run without changes", "", max(requests), limit=1)
        if runs[0].written >= 0:
            yield Row("bytes written by a run without changes", "KiB", median(runs[1:], "written"), limit=64)
            yield Row("bytes written by the first run after the first sync", "KiB", runs[0].written, limit=64)

    def with_changes(self):
        runs = {self.small: [], self.large: []}
        for number in range(1, self.repeats + 1):
            self.feed.extend(number * CHANGES)
            for copy, taken in runs.items():
                taken.append(copy.sync(mode="since", added=CHANGES, changed=0, removed=0))
        small, large = (1000 * median(taken) for taken in runs.values())
        return Row(f"{CHANGES} changes, {self.large.items:,} items", "ms", large, f"{self.small.items:,} items", small,
                   most=1.5)

    def absent(self):
        """Lets the API lose the items that `with_changes` added. The second run removes them from the copy."""
        self.feed.extend(0)
        runs, ends = [], []
        for removed in 0, self.repeats * CHANGES:
            runs.append(self.large.sync("--whole", mode="whole", added=0, changed=0, removed=removed))
            ends.append(runs[-1].ended - self.feed.answered())
        what = f"whole sync of {self.large.items:,} items that finds {self.repeats * CHANGES:,} absent"
        yield Row(f"{what}, from the last response to the exit", "s", max(ends), limit=1)
        yield memory_row(what, runs, self.large.idle())
