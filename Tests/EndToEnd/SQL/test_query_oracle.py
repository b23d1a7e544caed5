"""Random queries over random items give the rows that SQLite gives for the tables of `larder cache export`."""

import math
import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness import Larder, RPCError, run
from tables import Desk, serving

TEXTS = st.sampled_from(
    ["", "a", "A", "ab", "it's", "10", "9", " 1", "1.5", "é", "日本", "a%", "\n", "null", "[1]", "{}"]
)
DATES = st.sampled_from(
    ["2026-01-31T09:05:00Z", "2026-01-31T09:05:00.5Z", "2025-12-31T23:59:59-01:00", "1969-07-20T20:17:40Z"]
)
NUMBERS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(-3, 3))
REALS = st.one_of(st.floats(-1e9, 1e9), st.integers(-5, 5))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), TEXTS),
    lambda values: st.one_of(st.lists(values, max_size=3), st.dictionaries(TEXTS, values, max_size=2)),
    max_leaves=4,
)
OWNERS = st.sampled_from(["ada", "bob", "ADA", "10", "x"])


def optional(values):
    return st.one_of(st.none(), values)


TICKET = st.fixed_dictionaries(
    {"id": st.one_of(st.integers(-5, 12), st.just(2**53)), "labels": st.lists(TEXTS, max_size=3), "more": JSON},
    optional={
        "title": optional(TEXTS), "votes": optional(NUMBERS), "price": optional(REALS),
        "urgent": optional(st.booleans()), "at": optional(DATES), "owner": optional(OWNERS),
    },
)  # fmt: skip
USER = st.fixed_dictionaries({"id": OWNERS}, optional={"name": optional(TEXTS), "team": optional(TEXTS)})
ITEMS = st.fixed_dictionaries({
    "ticket": st.lists(TICKET, min_size=4, max_size=12, unique_by=lambda one: one["id"]),
    "user": st.lists(USER, min_size=2, max_size=4, unique_by=lambda one: one["id"]),
})  # fmt: skip

COLUMNS = ["id", "title", "votes", "price", "urgent", "at", "labels", "owner", "more", "_id", "_json"]
SOURCES = {
    "ticket t": [f"t.{name}" for name in COLUMNS],
    "user u": ["u.id", "u.name", "u.team", "u._id"],
    "ticket t join user u on u._id = t.owner": ["t.id", "t.votes", "t._id", "u.name", "u._id"],
    "user u left join ticket t on t.owner = u.id": ["t.id", "t.price", "u.id", "u.team"],
    "ticket t, json_each(t.labels) l": ["t.id", "l.key", "l.value", "l.type"],
    "ticket t join ticket s on s._id = t.votes": ["t.id", "s.title", "s._id"],
}
LITERALS = st.sampled_from(["null", "0", "1", "-1", "2.5", "'a'", "'10'", "''", "9007199254740992", "'ada'"])
BINARY = st.sampled_from(
    ["+", "-", "*", "/", "%", "||", "=", "<>", "<", ">=", "is", "is not", "and", "or", "like", "glob", "&"]
)
CALLS = st.sampled_from(
    ["upper({})", "length({})", "typeof({})", "coalesce({}, 'none')", "hex({})", "round({}, 2)", "not {}",
     # The order in which rows are evaluated may differ, so no function may fail for some values only.
     "case when json_valid({0}) then {0} ->> '$[0]' end",
     "trim({})", "instr({}, 'a')", "replace({}, 'a', 'b')",
     "cast({} as text)", "cast({} as integer)", "cast({} as real)", "{} is null", "{} in (1, 'a', null)", "quote({})",
     "{} between 'a' and 'b'", "substr({}, 2)", "json_valid({})", "json_quote({})", "strftime('%Y', {})", "-{}",
     "case when {} then 'yes' else 'no' end", "{} collate nocase", "unicode({})", "nullif({}, 1)"]
)  # fmt: skip
AGGREGATES = st.sampled_from(
    ["count(*)", "count({})", "count(distinct {})", "sum({})", "avg({})", "min({})", "max({})", "total({})"]
)


@st.composite
def expressions(draw, columns, depth=2):
    if depth == 0 or draw(st.booleans()):
        return draw(st.one_of(st.sampled_from(columns), LITERALS))
    part = expressions(columns, depth - 1)
    if draw(st.booleans()):
        return f"({draw(CALLS).format(draw(part))})"
    return f"({draw(part)} {draw(BINARY)} {draw(part)})"


@st.composite
def queries(draw):
    """A statement whose rows are in a fixed order, but for equal rows."""
    source = draw(st.sampled_from(sorted(SOURCES)))
    part = expressions(SOURCES[source])
    is_grouped = draw(st.booleans())
    shown = draw(st.lists(part, min_size=1, max_size=3))
    group = ""
    if is_grouped:
        group = f" group by {', '.join(str(index + 1) for index in range(len(shown)))}"
        shown = [*shown, draw(AGGREGATES).format(draw(st.sampled_from(SOURCES[source])))]
    where = f" where {draw(part)}" if draw(st.booleans()) else ""
    order = ", ".join(f"{index + 1} collate binary" for index in range(len(shown)))
    limit = f" limit {draw(st.integers(1, 4))}" if draw(st.booleans()) else ""
    return f"select {', '.join(shown)} from {source}{where}{group} order by {order}{limit}"


def oracle(file, sql):
    """Returns the rows that SQLite gives for the exported tables; None if it reports an error."""
    try:
        return [list(row) for row in file.execute(sql)]
    except sqlite3.Error:
        return None


def answer(larder, sql):
    try:
        return larder.call("cache/query", sql=sql, maxRows=10_000)["rows"]
    except RPCError as error:
        assert error.code == -32602, (sql, error)
        return None


def exact(rows):
    """The rows with the types of their values: 1 and 1.0 are different."""
    return rows and [[(type(value).__name__, value) for value in row] for row in rows]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return lambda: tmp_path_factory.mktemp("oracle")


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], max_examples=50)
@given(items=ITEMS, statements=st.lists(queries(), min_size=20, max_size=20))
def test_random_queries_give_the_rows_of_the_exported_tables(folders, items, statements):
    home, desk = folders(), Desk()
    desk.items = items
    with serving(desk.answer) as desk.url:
        options = ["--catalog", str(desk.catalog(home))]
        larder = Larder(home, *options)
        try:
            for name in items:
                larder.call(f"{name}/sync")
            path = home / "export.sqlite"
            places = ["--cache-dir", str(home / "cache"), "--data-dir", str(home / "data")]
            done = run(home, "cache", "export", str(path), *options, *places)
            assert done.code == 0, done
            file = sqlite3.connect(path)
            for sql in statements:
                expected = oracle(file, sql)
                if any(isinstance(cell, float) and math.isinf(cell) for row in expected or [] for cell in row):
                    continue  # JSON has no infinite numbers.
                assert exact(answer(larder, sql)) == exact(expected), sql
            file.close()
        finally:
            larder.close()
