"""Measures queries, and compares them with the floor, with tables of JSON, with DuckDB and with jq."""
import contextlib
import json
import os
import shutil
import statistics

from bench import HERE, Fault, measure, one_core, program
from process import run
from session import Program
from table import Row

WITH_DUCKDB = os.path.join(HERE, "sql", "with_duckdb.py")
GROUP = "select state, count(*), avg(votes) from ticket group by state"
JOIN = ("select u.name, count(*) from ticket t join user u on u._id = t.owner where t.state = 'open'"
        " group by 1")
COUNT = "select count(*) from ticket"
# The name of a query, its statement, the statement over tables of JSON, and the budget.
QUERIES = [
    ("group", GROUP, "select json_extract(json, '$.state'), count(*), avg(json_extract(json, '$.votes')) from ticket"
     " group by 1", 6),
    ("join", JOIN, "select json_extract(u.json, '$.name'), count(*) from ticket t join user u"
     " on u.id = json_extract(t.json, '$.owner') where json_extract(t.json, '$.state') = 'open' group by 1", 5),
    ("count(*)", COUNT, COUNT, 3),
]
JQ = ("reduce inputs as $t ({}; .[$t.state] |= [.[0] + 1, .[1] + $t.votes])"
      " | to_entries | map([.key, .value[0], .value[1] / .value[0]])")


def request(sql):
    # The default time limit is too short for a machine with much other load.
    params = {"sql": sql, "timeout": "60s"}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "cache/query", "params": params})


class Queries:
    def __init__(self, data, counts, duckdb=None):
        self.data, self.counts = data, counts
        self.floor, self.json = ([program("sql_floor"), path] for path in (data.plain, data.json))
        self.duckdb = duckdb and [duckdb, WITH_DUCKDB, data.folder]

    def check(self, statements):
        """Checks that Larder and the floor return the same rows for each statement. Returns the rows of the last
        one."""
        with contextlib.closing(Program(self.data.command)) as larder, contextlib.closing(Program(self.floor)) as floor:
            for sql in statements:
                reply, rows = json.loads(larder.ask(request(sql))), json.loads(floor.ask(sql))
                if not rows or reply.get("result", {}).get("rows") != rows:
                    raise Fault(f"{sql}: expected {str(rows)[:300]}, but the reply is {str(reply)[:300]}")
        return rows

    def check_rows(self, command, sql, expected):
        with contextlib.closing(Program(command)) as other:
            rows = json.loads(other.ask(sql))
        if sorted(rows) != sorted(expected):
            raise Fault(f"{sql}: expected {str(expected)[:300]}, but {command[0]} returned {str(rows)[:300]}")

    def milliseconds(self, command, lines, warm):
        """Returns the p50 of the time to the reply. One line is in flight at a time."""
        path = self.data.path("lines")
        with open(path, "w") as file:
            file.writelines(line + "\n" for line in lines)
        return measure(program("drive"), "ping", "-w", warm, path, "--", *command)["p50_us"] / 1000

    def rounds(self, measures):
        """Makes all measurements in turn, once in each round. Returns the median of each."""
        taken = [{name: take() for name, take in measures.items()} for _ in range(self.counts["rounds"])]
        return {name: statistics.median(times[name] for times in taken) for name in measures}

    def rows(self):
        for name, sql, json_sql, most in QUERIES:
            expected = self.check([sql])
            self.check_rows(self.json, json_sql, expected)
            repeats = self.counts["repeats"]
            lines = {"larder": (self.data.command, request(sql)), "floor": (self.floor, sql),
                     "json_extract": (self.json, json_sql)}
            if self.duckdb:
                self.check_rows(self.duckdb, sql, expected)
                lines["DuckDB, JSON lines"] = self.duckdb, sql
            measures = {what: lambda command=command, line=line: self.milliseconds(command, [line] * (repeats + 1), 1)
                        for what, (command, line) in lines.items()}
            if name == "group" and shutil.which("jq"):
                measures["jq, JSON lines"] = lambda: self.jq(expected)
            times = self.rounds(measures)
            larder = times.pop("larder")
            for other, time in times.items():
                yield Row(f"{name}, {self.data.tickets:,} items", "ms", larder, other, time,
                          most=most if other == "floor" else None)
        yield self.row_by_id()

    def row_by_id(self):
        count = self.counts["reads"]
        ids = [number * 7919 % self.data.tickets + 1 for number in range(count)]
        statements = [f"select * from ticket where _id = {id}" for id in ids]
        self.check(statements)
        with one_core():
            times = self.rounds({
                "larder": lambda: self.milliseconds(self.data.command, map(request, statements), count // 10),
                "floor": lambda: self.milliseconds(self.floor, statements, count // 10)})
        return Row("row by _id, same core, p50", "us", 1000 * times["larder"], "floor", 1000 * times["floor"], most=2)

    def jq(self, expected):
        """Returns the time of jq from its start to its exit."""
        done = run("jq", "-n", "-c", JQ, self.data.path("ticket.json"))
        if sorted(json.loads(done.output)) != sorted(expected):
            raise Fault(f"jq: expected {expected}, but it printed {done.output}")
        return 1000 * done.seconds
