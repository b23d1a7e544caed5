"""`larder cache export` and `larder sql --into` write SQLite files for other programs."""

import os
import signal
import sqlite3
import stat
import subprocess

import pytest

from harness import PATIENCE, binary, environment
from tables import TICKETS

QUERIES = [
    "select * from ticket order by id", "select * from user order by id", "select * from larder_columns",
    "select name, rows, coverage from larder_tables order by name",
    "select u.name, count(*), sum(votes), avg(price) from ticket t join user u on u._id = owner group by 1 order by 1",
    "select ticket.id, label.value from ticket, json_each(labels) label order by 1, 2",
    "select id, at, _json ->> '$.more.a[1]' from ticket where at < '2026-01-31T09:00:00.000000Z'",
]


@pytest.fixture
def larder(command, places, desk):
    """`larder(...)` runs a command with its output in pipes."""
    return lambda *args, **options: command(*args, *places, *desk.options, **options)


@pytest.fixture(autouse=True)
def synced(larder):
    assert larder("sync", "ticket").code == 0
    assert larder("list", "user").code == 0


def read(path, sql):
    with sqlite3.connect(path) as file:
        return file.execute(sql).fetchall()


def test_sqlite_gives_the_rows_of_larder(larder, home):
    done = larder("cache", "export", home / "all.sqlite")
    assert (done.code, done.stdout) == (0, b"")
    assert f"wrote {home}/all.sqlite: 2 tables with 5 items" in done.stderr
    assert "maybe not all items of user" in done.stderr
    for sql in QUERIES:
        rows = [tuple(row.values()) for row in larder("sql", sql).messages]
        assert read(home / "all.sqlite", sql) == rows and rows, sql


def test_exported_file_is_private_and_not_replaced_without_force(larder, home):
    path = home / "all.sqlite"
    assert larder("cache", "export", path).code == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    done = larder("cache", "export", path)
    assert done.code == 1 and done.stderr == f"larder: {path} exists: use --force to replace it, or name another file\n"
    assert path.read_bytes() == before
    path.write_bytes(b"old")
    assert larder("cache", "export", path, "--force").code == 0
    assert read(path, "select count(*) from ticket") == [(3,)]
    assert sorted(name for name in os.listdir(home) if name.startswith("all")) == ["all.sqlite"]


def test_cache_file_is_not_replaced(larder, home):
    cache = home / "cache" / "cache.sqlite"
    os.link(cache, home / "hard.sqlite")
    os.symlink(cache, home / "soft.sqlite")
    for path in (cache, home / "hard.sqlite", home / "soft.sqlite"):
        for args in (["cache", "export", path, "--force"], ["sql", "select 1 a", "--into", path]):
            done = larder(*args)
            assert done.code == 1 and f"{path} is the cache file; name another file" in done.stderr
    assert os.path.samefile(cache, home / "hard.sqlite")
    assert larder("sql", "select count(*) n from ticket").messages == [{"n": 3}]


def test_file_in_a_missing_folder_is_an_error(larder, home):
    path = home / "none" / "all.sqlite"
    for args in (["cache", "export", path], ["sql", "select 1 a", "--into", path]):
        done = larder(*args)
        assert done.code == 1 and done.stderr == f"larder: cannot write {path}: No such file or directory\n"
    assert larder("cache", "export", home / "x.sqlite", "--no-persistence").code == 64
    assert larder("cache", "export").code == 64


@pytest.mark.parametrize("old", [None, b"old"])
def test_interrupted_export_leaves_no_file(larder, places, desk, home, old):
    desk.items["ticket"] = [{**TICKETS[0], "id": number, "title": "x" * 300} for number in range(20_000)]
    assert larder("sync", "ticket").code == 0
    folder = home / "exports"
    folder.mkdir()
    if old:
        (folder / "all.sqlite").write_bytes(old)
    before = os.listdir(folder)
    words = ["cache", "export", folder / "all.sqlite", "--force", *places, *desk.options]
    export = subprocess.Popen([binary(), *map(str, words)], stderr=subprocess.PIPE, env=environment(home))
    while os.listdir(folder) == before:
        assert export.poll() is None
    # The process is stopped while the file is incomplete, so that it cannot finish before the signal.
    export.send_signal(signal.SIGSTOP)
    assert os.listdir(folder) != before
    export.send_signal(signal.SIGINT)
    export.send_signal(signal.SIGCONT)
    _, messages = export.communicate(timeout=PATIENCE)
    assert (export.returncode, messages) == (130, b"larder: interrupted; no file was written\n")
    assert os.listdir(folder) == before
    assert old is None or (folder / "all.sqlite").read_bytes() == old


def test_rows_of_a_query_become_a_table(larder, home):
    path = home / "some.sqlite"
    done = larder("sql", "select id, title, id / 2.0 half from ticket order by id", "--into", path)
    assert (done.code, done.stdout) == (0, b"")
    assert done.stderr == f"larder: wrote {path}, table 'result': 3 rows; ticket: 3 items, synced just now\n"
    assert read(path, "select * from result") == [(1, "one", 0.5), (2, "it's", 1.0), (30, "drei \u00fc", 15.0)]
    (table,) = read(path, "select sql from sqlite_schema")
    assert table == ('CREATE TABLE "result" ("id" INTEGER, "title" TEXT, "half" REAL) STRICT',)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_table_in_a_file_is_not_replaced_without_force(larder, home):
    path = home / "some.sqlite"
    assert larder("sql", "select 1 a", "--into", path).code == 0
    assert larder("sql", "select 2 a", "--into", path, "--into-table", "other").code == 0
    done = larder("sql", "select 3 a", "--into", path)
    assert done.code == 1 and "the table 'result' exists" in done.stderr and "--into-table NAME" in done.stderr
    assert larder("sql", "select 4 a", "--into", path, "--force").code == 0
    assert read(path, "select result.a, other.a from result, other") == [(4, 2)]


def test_rows_are_written_or_printed(larder, home):
    assert "cannot be used together" in larder("sql", "select 1", "--into", home / "a.sqlite", "--json").stderr
    assert "add --into FILE" in larder("sql", "select 1", "--into-table", "t").stderr
