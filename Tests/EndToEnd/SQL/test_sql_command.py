"""`larder sql` prints the rows of a statement over the cache."""

import csv
import io
import json

import pytest


@pytest.fixture
def sql(command, places, desk):
    """`sql(statement, ...)` runs `larder sql` with its output in pipes."""
    return lambda *args, **options: command("sql", *args, *places, *desk.options, **options)


@pytest.fixture(autouse=True)
def synced(command, places, desk):
    assert command("sync", "ticket", *places, *desk.options).code == 0
    assert command("list", "user", *places, *desk.options).code == 0
    desk.requests.clear()
    yield
    assert desk.requests == []


def test_rows_are_json_lines_in_a_pipe(sql):
    done = sql("select id, votes, price, at, labels from ticket where id > ? order by id", "1")
    assert done.messages == [
        {"id": 2, "votes": None, "price": 2.0, "at": "2026-01-31T08:05:00.500000Z", "labels": "[]"},
        {"id": 30, "votes": 9007199254740993, "price": None, "at": None, "labels": '["b","c"]'},
    ]
    assert (done.code, done.stderr) == (0, "")


def test_table_is_followed_by_its_coverage(sql):
    done = sql("select t.id, u.id, title from ticket t join user u on u._id = owner where t.id = 1", "--table")
    assert done.stdout.decode().splitlines() == ["id  id_2  title", " 1  ada   one"]
    coverage = {part.partition(":")[0]: part for part in done.stderr.strip().split("; ")[1:]}
    assert coverage["ticket"] == "ticket: 3 items, synced just now"
    assert coverage["user"].startswith("user: 2 items, maybe not all (larder sync user --catalog ")
    assert done.stderr.startswith("1 row; ")


@pytest.mark.parametrize("format", ["json", "jsonl", "csv", "tsv", "markdown", "yaml", "record", "table"])
def test_every_format_prints_the_values(sql, format):
    done = sql("select id, title from ticket where title like :like", "like=dr%", "--output", format)
    assert done.code == 0 and "30" in done.stdout.decode() and "drei \u00fc" in done.stdout.decode()
    assert (done.stderr == "") == (format not in ("table", "record"))


def test_csv_has_its_header_without_rows(sql):
    done = sql("select id, title from ticket where false", "-o", "csv")
    assert list(csv.reader(io.StringIO(done.stdout.decode()))) == [["id", "title"]]


def test_query_comes_from_stdin(sql):
    assert sql("-", "2", input=b"select ? + 1 as n -- a comment\n").messages == [{"n": 3}]
    assert "not UTF-8" in sql("-", input=b"select '\xff'").stderr


def test_further_rows_are_reported(sql):
    done = sql("select id from ticket", "--max-rows", "2")
    assert len(done.messages) == 2
    assert done.stderr == "larder: only the first 2 rows: --max-rows N prints more\n"
    assert "2 rows, more: --max-rows N; " in sql("select id from ticket", "--max-rows", "2", "--table").stderr


def test_fault_is_shown_in_the_statement(sql):
    done = sql("select id,\n  nme from ticket")
    assert (done.code, done.stdout) == (1, b"")
    assert done.stderr.splitlines()[:3] == ["larder: no such column: nme", "    nme from ticket", "    ^"]


def test_table_without_a_copy_is_refused_with_the_command_that_makes_it(sql):
    assert sql("select count(*) n from ticket", "--coverage", "synced").messages == [{"n": 3}]
    done = sql("select 1 from ticket, user", "--coverage", "synced")
    assert done.code == 1 and done.stderr.startswith("larder: notSynced: no complete, recent copy of 'user'\n")
    assert done.stderr.splitlines()[1].startswith("  larder sync user --catalog ")


def test_limits_are_reported_with_their_options(sql):
    endless = "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r"
    done = sql(endless, "--timeout", "0.1s")
    assert done.code == 1 and "time limit" in done.stderr and "--timeout 30s" in done.stderr
    done = sql("select group_concat(hex(zeroblob(100000)) || a.id || b.id) from ticket a, ticket b, ticket c",
               "--memory-query", "1MiB")
    assert done.code == 1 and "memory limit" in done.stderr and "--memory-query 1GiB" in done.stderr


def test_other_statement_is_refused(sql):
    done = sql("delete from ticket")
    assert done.code == 1 and done.stderr.endswith("describes them\n")
    assert sql("select count(*) n from ticket").messages == [{"n": 3}]


def test_command_line_without_quotes_is_refused(sql):
    done = sql("select", "id", "from", "ticket")
    assert (done.code, done.stdout) == (64, b"") and "put it in quotes" in done.stderr


def test_controls_in_values_do_not_reach_a_terminal(sql):
    done = sql("select char(27) || '[2J' as a, 1 as b", "--table")
    assert "\x1b" not in done.stdout.decode() and json.loads(sql("select char(27) as a").stdout)["a"] == "\x1b"
