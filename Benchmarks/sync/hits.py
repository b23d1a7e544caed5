"""Measures memory hits while a sync runs in the same process."""
import contextlib
import statistics
import tempfile

from bench import one_core
from copies import Copy
from session import Larder, percentile
from table import Row

COUNT = 20_000
SYNC = 10  # The id of the request for a sync.


class HitsDuringSync:
    """One request is in flight at a time. The API may use all cores. Larder and this process share one core, because
    waking another core would cost more than a hit, except during a sync, which keeps all cores awake."""

    def __init__(self, larder, feed, folder, counts):
        self.larder, self.feed, self.folder = larder, feed, folder
        self.items, self.rounds = counts["items"], counts["rounds"]

    def round(self):
        """Returns the p50 before the first sync of a copy, and during it, in us."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            copy = Copy(self.larder, self.feed, folder, self.items)
            with one_core(), contextlib.closing(Larder(copy.server())) as larder:
                larder.send(1, "character/get", id=1)
                larder.wait(1)
                larder.hits(COUNT // 10)
                before = larder.hits(COUNT)
                larder.send(SYNC, "feed/sync")
                # A sync takes longer than a hit for each item.
                during = larder.hits(self.items // 5, until=lambda: SYNC in larder.early)
            copy.sync("--max-age", "1h", mode="none", items=self.items)
        return percentile(before, 0.5), percentile(during, 0.5)

    def rows(self):
        before, during = map(statistics.median, zip(*(self.round() for _ in range(self.rounds))))
        yield Row(f"memory hit during the first sync of {self.items:,} items, p50", "us", during, "without a sync",
                  before, most=1.1)
