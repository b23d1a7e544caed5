"""`larder sql --sync` updates the local copies of a statement's tables first."""

import json

import pytest

from tables import PAGES


@pytest.fixture
def larder(command, places, desk):
    """`larder(...)` runs a command with its output in pipes."""
    return lambda *args, **options: command(*args, *places, *desk.options, **options)


def paths(desk):
    return [target.partition("?")[0] for target in desk.requests]


def test_only_the_tables_of_the_statement_are_synced(larder, desk):
    done = larder("sql", "select count(*) n from ticket", "--sync", "1h")
    assert (done.messages, done.code, done.stderr) == ([{"n": 3}], 0, "")
    assert paths(desk) == ["/ticket"]
    desk.items["user"].append({"id": "eve", "name": "Eve", "team": None})
    done = larder("sql", "select count(*) n from user, ticket where ticket.id = ?", "1", "--sync", "1h", "--table")
    assert done.stdout.split() == [b"n", b"3"] and paths(desk) == ["/ticket", "/user"]
    assert "ticket: 3 items, synced" in done.stderr and "user: 3 items, synced" in done.stderr


def test_older_copy_is_synced_again(larder, desk):
    assert larder("sync", "ticket").code == 0
    desk.items["ticket"].pop()
    assert larder("sql", "select count(*) n from ticket", "--sync", "1h").messages == [{"n": 3}]
    assert larder("sql", "select count(*) n from ticket", "--sync", "0").messages == [{"n": 2}]


def test_failed_sync_is_an_error(larder, desk):
    done = larder("sql", "select count(*) n from ticket", "--sync", "1h", "--offline")
    assert (done.code, done.stdout) == (1, b"") and done.stderr.startswith("larder: cannot sync ticket: ")


def test_fault_of_the_statement_is_reported_without_a_request(larder, desk):
    for statement in ("select nme from ticket", "delete from ticket", "select id from ticket where id = ?"):
        assert larder("sql", statement, "--sync", "0").code == 1
    assert "no such column: nme" in larder("sql", "select nme from ticket", "--sync", "0").stderr


def test_only_scopes_with_a_copy_are_synced(command, places, desk, home):
    api = {"baseURL": desk.url, "retries": 0}
    note = {
        "api": "desk", "id": "integer", "scope": {"team": "string"}, "fields": {"id": "integer"},
        "rest": {"list": {"path": "/ticket", "query": {"team": "{team}"}, "items": "items", "pagination": PAGES}},
    }
    path = home / "notes.json"
    path.write_text(json.dumps({"larder": 1, "apis": {"desk": api}, "resources": {"note": note}}))
    larder = lambda *args: command(*args, *places, "--catalog", path)  # noqa: E731
    statement = ["sql", "select team, count(*) n from note group by 1", "--sync", "0"]
    done = larder(*statement)
    assert done.code == 1 and "no local copy of 'note' to sync\n" in done.stderr
    assert "  start with: larder sync note team=VALUE --catalog " in done.stderr
    assert larder("sync", "note", "team=a").code == 0
    assert larder("list", "note", "team=b").code == 0
    desk.requests.clear()
    assert sorted(row["team"] for row in larder(*statement).messages) == ["a", "b"]
    assert ["team=a" in target for target in desk.requests] == [True]
