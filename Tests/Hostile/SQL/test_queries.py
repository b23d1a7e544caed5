"""Statements of `cache/query` that attack: they end at their limits, read nothing else, and write nothing."""

import pathlib

import pytest

from harness import RPCError

COUNT = "with recursive r(n) as (select 1 union all select n + 1 from r)"
BIG = "hex(zeroblob(1000000))"
SLOW = [
    f"{COUNT} select max(n) from r",
    f"{COUNT} select n from r order by n desc limit 1",
    "select count(*) from character a, character b, character c, character d, character e, character f, character g",
    f"{COUNT} select group_concat(n) from r",
    f"{COUNT} select count(distinct n) from r",
    # SQLite ignores further rows after the limit of a text, but continues to count.
    f"{COUNT} select group_concat({BIG}) from r",
    f"{COUNT}, s as (select n from r) select count(*) from s, s t, s u",
    f"{COUNT} select json_group_array(n) from r",
    f"{COUNT} select count(*) from r, json_each('[1,2,3]')",
    f"select * from ({COUNT} select sum(n) over (order by n) from r)",
]
LARGE = [
    f"{COUNT} select {BIG} || n from r order by 1",
    f"{COUNT} select {BIG} || n from r",
    "select zeroblob(2147483647)",
    f"{COUNT} select json_group_array({BIG}) from r",
]
FORBIDDEN = [
    "attach 'stolen.sqlite' as other", "attach ':memory:' as other", "vacuum into 'stolen.sqlite'",
    "select load_extension('libc.so.6')", "select readfile('/etc/passwd')", "select writefile('stolen', 'x')",
    "pragma journal_mode = delete", "pragma query_only = 0", "pragma writable_schema = 1",
    "pragma temp_store_directory",
    "select * from pragma_database_list", "select * from sqlite_schema", "select * from sqlite_temp_master",
    "select * from main.sqlite_master", "select * from items", "select * from main.items", "select * from resources",
    "select * from dbstat", "select * from sqlite_stmt", "select * from fsdir('/')",
    "select * from bytecode('select 1')",
    "insert into character (id) values (1)", "update character set name = 'x'", "delete from character",
    "replace into character (id) values (1)", "create table stolen (a)", "create temp table stolen (a)",
    "create temp trigger x after insert on character begin select 1; end", "create view x as select 1",
    "create virtual table x using fts5(a)", "create virtual table x using larder(0)", "drop table character",
    "alter table character rename to x", "begin exclusive", "savepoint x", "rollback", "analyze", "reindex",
    "select fts3_tokenizer('simple')", "select sqlite_compileoption_used('X')", "explain attach 'x' as y",
    "select 1; delete from character", "select 1; attach 'x' as y", "/* select */ pragma user_version = 1",
    "with x as (select 1) delete from character", "select * from character; --\ndrop table character",
]
ODD = [
    # One call of SQLite's own functions for such texts can take minutes, and nothing can stop it.
    f"select length(replace({BIG}, '00', {BIG}))", f"select instr({BIG}, substr({BIG}, 2) || '1')",
    f"select length(trim({BIG}, {BIG}))", f"select length(ltrim({BIG} || '1', {BIG}))",
    "select " + "(" * 2000 + "1" + ")" * 2000, "select " + " + ".join(["1"] * 5000),
    "select 1 " + "union all select 1 " * 200, "select " + ", ".join(["1"] * 3000), "select ?99999",
    "select :" + "a" * 60000,
    "select 'a' like '" + "%a" * 500 + "'", "select 1" + " " * 65528, "select x'zz'", "\0", "select 1\0;",
    "select * from " + ", ".join(["character"] * 65), "select json('" + "[" * 5000 + "')", "select 'a' regexp 'b'",
    "select 'a' match 'b'", "select printf('%s%n')", "select * from character where id = ?1 and id = ?3",
]


@pytest.fixture
def larder(start):
    larder = start()
    larder.call("character/list")
    return larder


def refusal(larder, sql, **params):
    with pytest.raises(RPCError) as refused:
        larder.call("cache/query", sql=sql, **params)
    return refused.value


def still_works(larder):
    assert larder.call("cache/query", sql="select count(*) from character")["rows"] == [[20]]


@pytest.mark.parametrize("sql", SLOW)
def test_endless_statement_ends_while_other_requests_are_answered(larder, sql):
    id = larder.send("cache/query", {"sql": sql, "timeout": 0.3})
    assert larder.call("character/get", id=1)["item"]["id"] == 1
    error = larder.wait(id)["error"]
    assert (error["code"], error["data"]["limit"] in ("time", "memory")) == (-31016, True), error
    still_works(larder)


@pytest.mark.parametrize("sql", LARGE)
def test_query_with_large_values_fails_at_the_memory_limit(start, sql):
    larder = start("--memory-query", "16MiB")
    larder.call("character/list")
    error = refusal(larder, sql, timeout="60s", maxRows=100_000)
    assert (error.code, error.data["limit"]) == (-31016, "memory"), error
    still_works(larder)
    status = pathlib.Path(f"/proc/{larder.process.pid}/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0])
    assert peak < 150_000, f"{peak} kB"


@pytest.mark.parametrize("sql", FORBIDDEN)
def test_statement_that_does_more_than_read_is_refused(larder, sql, home):
    larder.call("cache/stats")
    before = set(home.rglob("*"))
    error = refusal(larder, sql)
    assert error.code == -32602, error
    assert set(home.rglob("*")) == before
    still_works(larder)


@pytest.mark.parametrize("sql", ODD, ids=range(len(ODD)))
def test_unusual_statement_is_answered(larder, sql):
    id = larder.send("cache/query", {"sql": sql})
    reply = larder.wait(id)
    assert "result" in reply or reply["error"]["code"] in (-32602, -31016), reply
    still_works(larder)


def test_ninth_waiting_query_is_refused(larder):
    ids = [larder.send("cache/query", {"sql": SLOW[0], "timeout": 0.5}) for _ in range(12)]
    codes = [larder.wait(id)["error"]["code"] for id in ids]
    assert codes.count(-31011) == 3 and codes.count(-31016) == 9
    still_works(larder)
