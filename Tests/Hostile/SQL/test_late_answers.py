"""Statements that SQLite does not stop at the limits of `cache/query`. Larder answers them anyway."""

import json

import pytest

from clocked import Clocked
from test_random_statements import LATE, peak

TIMEOUT, PATIENCE = 0.2, 4  # seconds
ROWS = "with recursive r(n) as (select 1 union all select n + 1 from r limit {})"
LARGE = "with s(s) as materialized (select hex(zeroblob(2000000)))"


def repeated(expression, tables="s"):
    return f"{LARGE} select {', '.join([expression] * 200)} from {tables}"


def doubled(start, step, count):
    """Returns a chain of tables, each of which reads the one before it twice."""
    tables = [f"c0(x) as ({start})"]
    tables += [f"c{index}(x) as ({step.replace('before', f'c{index - 1}')})" for index in range(1, count)]
    return f"with {', '.join(tables)} select count(*) from c{count - 1}"


STATEMENTS = {
    # One call whose time grows with the product of the sizes.
    "json-patch": f"{ROWS.format(80_000)}, o(o) as (select json_group_object(n, 1) from r) "
    "select json_patch(o, o) from o",
    "like": f"select replace(hex(zeroblob(2000000)), '0', 'a') like '%{'a' * 97}b'",
    # Many calls without a jump between them.
    "upper": repeated("length(upper(s))"), "length": repeated("length(s)"), "concat": repeated("length(s || '')"),
    "replace": repeated("length(replace(s, '0', '1'))"), "cast": repeated("s + 1"), "trim": repeated("rtrim(s, '0')"),
    "collate": repeated("s = t collate nocase", "s, (select s || '' t from s)"),
    # Statements that take long to compile.
    "compile-union": doubled("select 1", "select x from before union all select x from before", 30),
    "compile-exists": doubled("select 1", "select a.x from before a where exists (select 1 from before b)", 17),
    "compile-in": doubled("select 1", "select x from before where x in (select x from before)", 17),
}  # fmt: skip


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement_with_a_long_step_ends_at_its_timeout(home, upstream, name):
    with Clocked(home, upstream=upstream) as larder:
        larder.call("character/list")
        data = json.dumps(STATEMENTS[name]).encode()
        try:
            times = [larder.query(data, {}, TIMEOUT, PATIENCE)[1] for _ in range(2)]
        except AssertionError:
            larder.process.kill()
            raise
        assert min(times) <= TIMEOUT + LATE


def test_memory_of_a_large_result_is_limited(home, upstream):
    with Clocked(home, "--memory-query", "32MiB", upstream=upstream) as larder:
        larder.call("character/list")
        larder.call("cache/query", sql="select 1")
        start = peak(larder)
        for count in 16, 24, 30, 40:
            sql = f"{ROWS.format(count)} select hex(zeroblob(500000)) from r"
            larder.wait(larder.send("cache/query", {"sql": sql}))
        assert peak(larder) - start <= 64
