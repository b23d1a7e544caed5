"""Measures memory hits while a query runs in the same process, and the memory of the process."""
import contextlib
import json
import statistics

from bench import Fault, one_core
from queries import GROUP, request
from session import Larder, Program, percentile
from table import Row

QUERY = 10  # The id of the request with the query.
ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"


class HitsDuringQuery:
    """One request is in flight at a time. Larder and this process share one core, as in the other rows of hits."""

    def __init__(self, data, counts):
        self.data, self.count, self.rounds = data, counts["hits"], counts["rounds"]

    def round(self):
        """Returns the p50 and the p99 without a query, and during an endless one, in us."""
        with one_core(), contextlib.ExitStack() as stack:
            larder = Larder(self.data.command)
            stack.callback(larder.kill)
            larder.send(1, "ticket/get", id=1)
            larder.wait(1)
            larder.hits(self.count // 10, resource="ticket")
            before = larder.hits(self.count, resource="ticket")
            larder.send(QUERY, "cache/query", sql=ENDLESS, timeout="60s")
            larder.hits(self.count // 10, resource="ticket")
            during = larder.hits(self.count, resource="ticket")
            if QUERY in larder.early:
                raise Fault("the query ended during the measurement")
        return [percentile(times, part) for part in (0.5, 0.99) for times in (before, during)]

    def rows(self):
        p50, p50_during, p99, p99_during = map(statistics.median, zip(*(self.round() for _ in range(self.rounds))))
        yield Row("memory hit during an endless query, p50", "us", p50_during, "without a query", p50, most=1.15)
        yield Row("memory hit during an endless query, p99", "us", p99_during, "without a query", p99)


def resident(process):
    """Returns the resident memory of a process in MiB; nil if the system does not report it."""
    with contextlib.suppress(OSError), open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS:"))


class Memory:
    """A process that has read one item from the cache file, before and after a query."""

    def __init__(self, data):
        self.data = data

    def rows(self):
        with contextlib.closing(Program(self.data.command)) as larder:
            get = json.loads(larder.ask('{"jsonrpc":"2.0","id":1,"method":"ticket/get","params":{"id":1}}'))
            if get["result"]["source"] != "persistence":
                raise Fault(f"expected an item from the cache file, but the reply is {get}")
            before = resident(larder.process)
            larder.ask(request(GROUP))
            after = resident(larder.process)
        if before and after:
            yield Row("resident memory after the group query", "MiB", after, "before", before)
