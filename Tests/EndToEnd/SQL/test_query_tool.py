"""The tool `query_cached` of the Model Context Protocol."""

import json
import sys

import pytest

from harness import ROOT

sys.path.append(str(ROOT / "Tests" / "EndToEnd" / "MCP"))
from mcp_client import ERAS, Client  # noqa: E402


@pytest.fixture(params=ERAS)
def client(request, start, desk):
    larder = start(*desk.options)
    larder.call("ticket/sync")
    desk.requests.clear()
    return Client(larder, request.param)


def test_query_cached_tool_returns_rows_after_their_coverage(client, desk):
    found = client.tool("query_cached", sql="select id, votes from ticket order by id", maxRows=2)
    assert list(found) == ["coverage", "columns", "rows", "truncated"]
    assert found["coverage"].startswith("ticket: 3 items, a complete copy, synced ")
    assert (found["columns"], found["rows"], found["truncated"]) == (["id", "votes"], [[1, 3], [2, None]], True)
    assert client.tool("query_cached", sql="select 1 from user")["coverage"] == "user: nothing is cached"
    assert client.tool("query_cached", sql="select 1")["coverage"] == "no tables"
    client.tool("list_items", resource="user")
    desk.requests.clear()
    assert client.tool("query_cached", sql="select 1 from user")["coverage"] == "user: 2 items, maybe not all"
    assert desk.requests == []


def test_query_cached_tool_cuts_long_answers_between_rows(client):
    sql = "with r(n) as (select 1 union all select n + 1 from r where n < 100) select printf('%01000d', n) from r"
    found = client.tool("query_cached", sql=sql.replace("with r", "with recursive r"))
    assert found["truncated"] is True and 50 < len(found["rows"]) < 62 and len(json.dumps(found)) < 63_000
    small = client.tool("query_cached", sql=sql.replace("with r", "with recursive r").replace("%01000d", "%d"))
    assert (len(small["rows"]), small["truncated"]) == (100, False)


def test_error_of_the_query_cached_tool_has_the_next_step(client):
    said = client.refusal("query_cached", sql="select 1 from user", coverage="synced")
    assert said == "no complete copy of 'user': leave out 'coverage' to query what is cached"
    assert "no such column: nme" in client.refusal("query_cached", sql="select nme from ticket")
    assert client.refusal("query_cached", sql="delete from ticket")


def test_described_resource_has_its_table(client):
    about = client.tool("describe_resource", resource="user")
    assert about["table"] == (
        "user(id TEXT, name TEXT, team TEXT, _id TEXT, _scope TEXT, _fetched_at TEXT, _stale INTEGER, _partial INTEGER,"
        " _json TEXT)"
    )
    assert "query_cached" in about["tools"]
