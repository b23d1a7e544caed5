"""`cache/query` runs SQL over all cached items."""

import sqlite3
import time

import pytest

from harness import RPCError
from tables import rows

ENDLESS = "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r"


def test_tables_of_two_resources_are_joined(start, desk):
    larder = start(*desk.options)
    larder.call("ticket/sync")
    larder.call("user/list")
    count = len(desk.requests)
    found = larder.call(
        "cache/query",
        sql="select u.name, count(*), sum(t.votes) from ticket t join user u on u._id = t.owner group by 1 order by 1",
    )
    assert found["rows"] == [["Ada", 2, 9007199254740996], ["Bob", 1, None]]
    assert found["columns"] == ["name", "count(*)", "sum(t.votes)"]
    tickets, users = sorted(found["tables"], key=lambda table: table["name"])
    assert (tickets["coverage"], tickets["rows"], tickets["deletions"]) == ("synced", 3, "walked")
    assert (users["coverage"], users["rows"]) == ("parts", 2) and "oldest" in users
    assert len(desk.requests) == count


def test_query_sees_what_other_processes_cache(start, desk):
    reader, writer = start(*desk.options), start(*desk.options)
    assert rows(reader, "select count(*) from ticket") == [[0]]
    writer.call("ticket/list")
    writer.call("cache/stats")
    assert rows(reader, "select count(*) from ticket") == [[3]]
    writer.call("cache/remove", resource="ticket")
    assert rows(reader, "select count(*) from ticket") == [[0]]


def test_query_without_a_cache_file_reads_memory(start, desk):
    larder = start(*desk.options, "--no-persistence")
    larder.call("ticket/list")
    assert rows(larder, "select id, title from ticket order by id") == [[1, "one"], [2, "it's"], [30, "drei \u00fc"]]


def test_unsynced_table_is_refused_with_the_calls_to_make(start, desk):
    larder = start(*desk.options)
    with pytest.raises(RPCError) as refused:
        larder.call("cache/query", sql="select 1 from ticket, user", coverage="synced")
    assert (refused.value.kind, refused.value.code) == ("notSynced", -31015)
    for call in refused.value.data["calls"]:
        larder.call(call["method"], **call["params"])
    assert rows(larder, "select count(*) from ticket, user", coverage="synced", maxAge="1h") == [[6]]


def test_requests_are_answered_while_a_query_runs(start, desk):
    larder = start(*desk.options)
    larder.call("ticket/list")
    id = larder.send("cache/query", {"sql": ENDLESS, "timeout": "60s"})
    for _ in range(100):
        assert larder.call("ticket/get", id=1)["item"]["title"] == "one"
    larder.notify("$/cancelRequest", {"id": id})
    assert larder.wait(id)["error"]["code"] == -32800
    assert rows(larder, "select 1") == [[1]]


def test_running_query_does_not_delay_the_exit(start, desk):
    larder = start(*desk.options, "--drain", "0")
    larder.send("cache/query", {"sql": ENDLESS, "timeout": "60s"})
    begun = time.monotonic()
    larder.close()
    assert time.monotonic() - begun < 30


def test_catalog_with_other_credentials_has_its_own_rows(start, desk, home):
    start(*desk.options).call("ticket/sync")
    text = (home / "desk.json").read_text()
    (home / "desk.json").write_text(text.replace('"retries": 0', '"retries": 0, "headers": {"X-Key": "other"}'))
    assert rows(start(*desk.options), "select count(*) from ticket") == [[0]]


def test_damaged_row_is_reported(start, desk, home):
    larder = start(*desk.options)
    larder.call("ticket/sync")
    larder.close()
    with sqlite3.connect(home / "cache" / "cache.sqlite") as file:
        file.execute("UPDATE items SET json = CAST(replace(json, 'one', 'two') AS BLOB) WHERE id = '1'")
    found = start(*desk.options).call("cache/query", sql="select id from ticket order by id")
    assert found["rows"] == [[2], [30]]
    assert (found["tables"][0]["damaged"], found["tables"][0]["coverage"]) == (1, "parts")
