"""What `tools/list` says: valid schemas in a fixed order, short, and true."""

import json

import jsonschema
import pytest

from mcp_client import LATEST, STATELESS, Client
from mcp_standin import RESOURCES

TOOLS = ["get_item", "list_items", "search_cached", "prefetch_list", "describe_resource"]
# What a host may take each for: read only, and asking others than this machine.
HINTS = {
    "get_item": (True, True),
    "list_items": (True, True),
    "search_cached": (True, False),
    "prefetch_list": (False, True),
    "describe_resource": (True, False),
}


@pytest.fixture
def listed(over_things):
    return {tool["name"]: tool for tool in over_things.result("tools/list")["tools"]}


def parts(schema):
    """A schema and all schemas in it."""
    yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        assert isinstance(inner, dict), "hosts do not take `true` for a schema"
        yield from parts(inner)


def test_the_tools_in_their_order(listed):
    assert list(listed) == TOOLS


def test_the_schemas_are_valid_and_closed(listed):
    for tool in listed.values():
        schema = tool["inputSchema"]
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft7Validator.check_schema(schema)
        assert schema["type"] == "object" and schema["additionalProperties"] is False
        assert schema["required"] == ["resource"]
        assert not {"oneOf", "anyOf", "allOf", "not", "$ref"} & {key for part in parts(schema) for key in part}


def test_the_resources_are_those_that_a_tool_can_use(listed):
    resources = {name: tool["inputSchema"]["properties"]["resource"]["enum"] for name, tool in listed.items()}
    with_lists = ["note", "row", "file"]
    assert resources == {
        **dict.fromkeys(TOOLS, list(RESOURCES)), "list_items": with_lists, "prefetch_list": with_lists
    }


def test_what_a_host_may_take_them_for(listed):
    for name, (reads_only, is_open) in HINTS.items():
        assert listed[name]["annotations"] == {
            "readOnlyHint": reads_only, "destructiveHint": False, "idempotentHint": True, "openWorldHint": is_open
        }


def test_what_calls_need_is_said(listed):
    for name in ("get_item", "list_items"):
        assert "note {owner, repo=larder}" in listed[name]["description"], "the scope"
    assert "note {state: open|closed|all (required)}" in listed["list_items"]["description"], "the filter"
    assert "page.next" in listed["list_items"]["description"], "how to page"


def test_a_catalog_without_scopes_has_no_such_argument(mcp):
    for tool in mcp.result("tools/list")["tools"]:
        assert "scope" not in tool["inputSchema"]["properties"]


def test_calls_that_fit_the_schema_are_taken_and_others_refused(mcp):
    """The schema of a tool and what the tool does agree."""
    calls = {
        "get_item": [
            ({"id": 1}, True), ({"id": "1"}, True), ({"ids": [1, "2"]}, True), ({"id": 1, "fields": ["id"]}, True),
            ({"id": 1, "maxAge": 5}, True), ({"id": 1, "maxAge": "5m"}, True), ({"id": 1, "cachePolicy": "none"}, True),
            ({"id": True}, False), ({"id": 1, "fields": "id"}, False), ({"ids": [None]}, False), ({"x": 1}, False),
            ({"id": 1, "cachePolicy": "x"}, False), ({"ids": [1] * 51}, False), ({"id": 1, "fields": []}, False)
        ],
        "list_items": [
            ({}, True), ({"page": 2}, True), ({"limit": 1}, True), ({"filter": {}}, True), ({"limit": 0}, False),
            ({"filter": "x"}, False), ({"page": []}, False)
        ],
        "search_cached": [
            ({}, True), ({"text": "x", "limit": 5, "offset": 0}, True), ({"offset": -1}, False), ({"text": 5}, False)
        ],
        "prefetch_list": [({"maxPages": 1}, True), ({"maxPages": 0}, False), ({"maxPages": "1"}, False)],
    }
    schemas = {tool["name"]: tool["inputSchema"] for tool in mcp.result("tools/list")["tools"]}
    for name, cases in calls.items():
        for more, fits in cases:
            arguments = {"resource": "character", **more}
            assert jsonschema.Draft202012Validator(schemas[name]).is_valid(arguments) == fits, (name, more)
            result = mcp.result("tools/call", name=name, arguments=arguments)
            assert result["isError"] is not fits, (name, more, result["content"])


def test_the_list_is_the_same_byte_for_byte(home, start):
    """Hosts keep what a model has read as long as it does not change."""
    seen = set()
    for _ in range(2):
        larder = start()
        for era in (STATELESS, LATEST):
            tools = Client(larder, era).result("tools/list")["tools"]
            seen.add(json.dumps(tools))
    assert len(seen) == 1


def test_what_a_conversation_pays_for_them(mcp):
    tools = mcp.result("tools/list")["tools"]
    assert len(json.dumps(tools, separators=(",", ":"), ensure_ascii=False)) < 5000


def test_a_resource_more_costs_little(start, write_catalog, era):
    """Few tools with a resource as argument, and not some for each resource."""
    def cost(count):
        resources = {f"thing{number:02}": RESOURCES["file"] for number in range(count)}
        client = Client(start("--catalog", write_catalog(resources), upstream=None), era)
        return len(json.dumps(client.result("tools/list")["tools"], separators=(",", ":")))

    assert (cost(30) - cost(3)) / 27 < 100


def test_a_catalog_without_lists(start, write_catalog, era):
    client = Client(start("--catalog", write_catalog({"busy": RESOURCES["busy"]}), upstream=None), era)
    names = [tool["name"] for tool in client.result("tools/list")["tools"]]
    assert names == ["get_item", "search_cached", "describe_resource"]
    assert client.error("tools/call", name="list_items", arguments={"resource": "busy"}).code == -32602
