"""The tool `sync_list` of the Model Context Protocol."""

import json
import sys

import pytest

from harness import ROOT
from listed import Changes, Things, serving

sys.path.append(str(ROOT / "Tests" / "EndToEnd" / "MCP"))
from mcp_client import ERAS, Client  # noqa: E402


@pytest.fixture(params=ERAS)
def era(request):
    return request.param


@pytest.fixture
def things(home):
    things = Things("page", changes=Changes())
    for number in range(17):
        things.put(f"t{number:03}", name=f"thing {number}")
    with serving(things.answer) as things.url:
        things.options = ["--catalog", things.catalog(home)]
        yield things


def test_sync_list_tool_replaces_the_prefetch_list_tool_if_resources_declare_sync(start, things, era):
    client = Client(start(*things.options), era)
    tools = {tool["name"]: tool for tool in client.result("tools/list")["tools"]}
    assert "sync_list" in tools and "prefetch_list" not in tools
    hints = tools["sync_list"]["annotations"]
    assert (hints["readOnlyHint"], hints["destructiveHint"], hints["idempotentHint"]) == (False, False, True)
    assert "sync_list" in tools["search_cached"]["description"]
    assert "sync_list" in client.tool("describe_resource", resource="thing")["tools"]
    assert "sync_list" in client.tool("search_cached", resource="thing")["hint"]


def test_tool_sync_list_updates_the_local_copy(start, things, era):
    client = Client(start(*things.options), era)
    first = client.tool("sync_list", resource="thing")
    assert (first["mode"], first["added"], first["items"], first["complete"]) == ("whole", 17, 17, True)
    assert client.tool("search_cached", resource="thing", limit=1)["count"] == 17
    things.put("t001", name="other")
    things.delete("t002")
    second = client.tool("sync_list", resource="thing")
    assert (second["mode"], second["changed"], second["removed"]) == ("since", 1, 1)
    assert client.tool("sync_list", resource="thing", maxAge="1h")["mode"] == "none"


def test_tool_sync_list_sends_at_most_maxRequests_requests(start, things, era):
    client = Client(start(*things.options), era)
    results = [client.tool("sync_list", resource="thing", maxRequests=2)]
    while results[-1]["complete"] is False:
        results.append(client.tool("sync_list", resource="thing", maxRequests=2))
    assert all(result["requests"] <= 2 for result in results) and 1 < len(results) < 10
    assert results[-1]["items"] == 17
    assert client.tool("sync_list", resource="thing")["mode"] == "since"


@pytest.mark.parametrize("argument", [{"maxRequests": 0}, {"maxRequests": "x"}, {"maxAge": "soon"}, {"maxPages": 1}])
def test_invalid_argument_of_tool_sync_list_is_refused(start, things, era, argument):
    client = Client(start(*things.options), era)
    assert next(iter(argument)) in client.refusal("sync_list", resource="thing", **argument)


def test_catalog_has_both_list_tools_if_only_some_resources_declare_sync(start, things, home, era):
    path = things.options[1]
    catalog = json.loads(path.read_text(encoding="utf-8"))
    plain = json.loads(json.dumps(catalog["resources"]["thing"]))
    del plain["rest"]["sync"]
    catalog["resources"]["plain"] = plain
    path.write_text(json.dumps(catalog), encoding="utf-8")
    client = Client(start("--catalog", path), era)
    tools = {tool["name"] for tool in client.result("tools/list")["tools"]}
    assert {"sync_list", "prefetch_list"} <= tools
    assert "'resource' must be one of 'thing'" in client.refusal("sync_list", resource="plain")
    assert "'resource' must be one of 'plain'" in client.refusal("prefetch_list", resource="thing")
