"""The tools in `tools/list`: their schemas are valid, in a fixed order, short, and match what the tools accept."""

import json

import jsonschema
import pytest

from mcp_client import LATEST, STATELESS, Client
from mcp_standin import RESOURCES

TOOLS = ["get_item", "list_items", "search_cached", "query_cached", "prefetch_list", "describe_resource"]
# For each tool: whether it is read-only, and whether it accesses the network.
HINTS = {
    "get_item": (True, True),
    "list_items": (True, True),
    "search_cached": (True, False),
    "query_cached": (True, False),
    "prefetch_list": (True, True),
    "describe_resource": (True, False),
}


@pytest.fixture
def listed(over_things):
    return {tool["name"]: tool for tool in over_things.result("tools/list")["tools"]}


def parts(schema):
    """Yields a schema and all schemas nested in it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    inner += [schema[key] for key in ("items", "additionalProperties") if key in schema]
    for part in inner:
        assert isinstance(part, dict), "hosts reject booleans as schemas"
        yield from parts(part)


def test_tools_have_a_fixed_order(listed):
    assert list(listed) == TOOLS


def test_tool_schemas_are_valid_and_portable(listed):
    """Hosts reject arrays of types, and cannot fill in objects without a schema of their members."""
    for tool in listed.values():
        schema = tool["inputSchema"]
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft7Validator.check_schema(schema)
        required = ["sql"] if tool["name"] == "query_cached" else ["resource"]
        assert schema["type"] == "object" and schema["required"] == required
        assert not {"anyOf", "additionalProperties"} & set(schema)
        for part in parts(schema):
            assert not {"oneOf", "allOf", "not", "$ref"} & set(part)
            assert isinstance(part.get("type"), str) != ("anyOf" in part), part
            assert part.get("type") != "object" or {"properties", "additionalProperties"} & set(part)


def test_output_schemas_are_valid_and_generic(listed):
    """The schemas allow additional members, because SDK clients refuse an answer that does not match. They contain no
    arrays of types, because some validators reject these."""
    for tool in listed.values():
        schema = tool["outputSchema"]
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object" and "additionalProperties" not in schema
        for part in parts(schema):
            assert not {"oneOf", "allOf", "not", "$ref", "enum", "format"} & set(part)
            assert isinstance(part.get("type"), str) != ("anyOf" in part), part
        for wrong in ({"items": 1}, {"item": "x"}, {}):
            is_valid = jsonschema.Draft202012Validator(schema).is_valid(wrong)
            assert is_valid == (tool["name"] == "get_item" and not wrong)


def test_id_has_one_type_if_all_resources_use_the_same_type(mcp, start, write_catalog, era):
    def id_schemas(client):
        properties = client.result("tools/list")["tools"][0]["inputSchema"]["properties"]
        return properties["id"], properties["ids"]["items"]

    assert id_schemas(mcp) == ({"type": "integer"},) * 2
    resources = {"busy": RESOURCES["busy"], "text": {**RESOURCES["busy"], "id": "string", "fields": {"id": "string"}}}
    client = Client(start("--catalog", write_catalog(resources), upstream=None), era)
    assert id_schemas(client) == ({"anyOf": [{"type": "integer"}, {"type": "string"}]},) * 2


def test_filter_argument_is_left_out_if_no_list_has_filters(start, write_catalog, era):
    resource = {"api": "things", "id": "integer", "fields": {"id": "integer"}, "rest": {"list": {"path": "/rows"}}}
    client = Client(start("--catalog", write_catalog({"row": resource}), upstream=None), era)
    tools = {tool["name"]: tool["inputSchema"]["properties"] for tool in client.result("tools/list")["tools"]}
    assert "filter" not in tools["list_items"] and "filter" not in tools["prefetch_list"]
    assert "filter" in tools["search_cached"]


def test_each_tool_lists_the_resources_it_supports(listed):
    del listed["query_cached"]  # A statement names its tables.
    resources = {name: tool["inputSchema"]["properties"]["resource"]["enum"] for name, tool in listed.items()}
    with_lists = ["note", "row", "file"]
    assert resources == {
        **dict.fromkeys(listed, list(RESOURCES)), "list_items": with_lists, "prefetch_list": with_lists
    }


def test_tool_annotations_declare_reading_and_network_access(listed):
    for name, (reads_only, is_open) in HINTS.items():
        assert listed[name]["annotations"] == {
            "readOnlyHint": reads_only, "destructiveHint": False, "idempotentHint": True, "openWorldHint": is_open
        }


def test_tool_descriptions_name_scope_filter_and_paging(listed):
    arguments = {name: tool["inputSchema"]["properties"] for name, tool in listed.items()}
    for name in ("get_item", "list_items", "search_cached"):
        assert "note {owner, repo=larder}" in arguments[name]["scope"]["description"], "the scope"
    assert "`scope`" in listed["get_item"]["description"]
    for name in ("list_items", "prefetch_list"):
        assert arguments[name]["filter"]["description"] == "note {state: open|closed|all (required)}"
    assert "page.next" in listed["list_items"]["description"], "how to page"


def test_description_of_the_get_item_tool_states_whether_the_scope_is_required(start, write_catalog, era):
    note = {**RESOURCES["note"], "scope": {"owner": {"type": "string", "default": "me"}, "repo": "string"}}
    for scope, is_required in ((note["scope"], True), ({**note["scope"], "repo": note["scope"]["owner"]}, False)):
        client = Client(start("--catalog", write_catalog({"note": {**note, "scope": scope}}), upstream=None), era)
        tool = client.result("tools/list")["tools"][0]
        assert ("need `scope`" in tool["description"]) == is_required
        text = tool["inputSchema"]["properties"]["scope"]["description"]
        assert text.startswith("Required for" if is_required else "Optional for")


def test_tools_of_a_catalog_without_scopes_have_no_scope_argument(mcp):
    for tool in mcp.result("tools/list")["tools"]:
        assert "scope" not in tool["inputSchema"]["properties"]


def test_tools_accept_every_value_that_their_schemas_accept(mcp):
    """A tool accepts the values that its schema accepts, and also values of another form that it converts."""
    calls = {
        "get_item": [
            ({"id": 1}, True), ({"ids": [1, 2]}, True), ({"id": 1, "ids": [2]}, True),
            ({"id": 1, "fields": ["id"]}, True),
            ({"id": 1, "maxAge": "5"}, True), ({"id": 1, "maxAge": "5m"}, True),
            ({"id": 1, "cachePolicy": "none"}, True),
            ({"id": True}, False), ({"id": 1, "fields": [1]}, False), ({"ids": [None]}, False),
            ({"id": 1, "cachePolicy": "x"}, False), ({"ids": [1] * 51}, False)
        ],
        "list_items": [
            ({}, True), ({"page": "2"}, True), ({"limit": 1}, True), ({"filter": {}}, True), ({"limit": 0}, False),
            ({"filter": "x"}, False), ({"page": [2]}, False)
        ],
        "search_cached": [
            ({}, True), ({"text": "x", "limit": 5, "offset": 0}, True), ({"offset": -1}, False), ({"text": 5}, False)
        ],
        "prefetch_list": [({"maxPages": 1}, True), ({"maxPages": 0}, False), ({"maxPages": "x"}, False)],
    }
    schemas = {tool["name"]: tool["inputSchema"] for tool in mcp.result("tools/list")["tools"]}
    for name, cases in calls.items():
        for more, fits in cases:
            arguments = {"resource": "character", **more}
            assert jsonschema.Draft202012Validator(schemas[name]).is_valid(arguments) == fits, (name, more)
            result = mcp.result("tools/call", name=name, arguments=arguments)
            assert result["isError"] is not fits, (name, more, result["content"])


def test_tool_list_has_the_same_bytes_in_each_process(home, start):
    """Hosts cache the prompt of a model as long as the tool list does not change."""
    seen = set()
    for _ in range(2):
        larder = start()
        for era in (STATELESS, LATEST):
            tools = Client(larder, era).result("tools/list")["tools"]
            seen.add(json.dumps(tools))
    assert len(seen) == 1


def test_tool_list_is_smaller_than_5000_characters(mcp):
    tools = mcp.result("tools/list")["tools"]
    shown = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools]
    assert len(json.dumps(shown, separators=(",", ":"), ensure_ascii=False)) < 5000


def test_each_further_resource_adds_few_bytes_to_the_tool_list(start, write_catalog, era):
    """The tool list stays short, because each tool takes the resource as an argument."""
    def cost(count):
        resources = {f"thing{number:02}": RESOURCES["file"] for number in range(count)}
        client = Client(start("--catalog", write_catalog(resources), upstream=None), era)
        return len(json.dumps(client.result("tools/list")["tools"], separators=(",", ":")))

    assert (cost(30) - cost(3)) / 27 < 100


def test_catalog_without_lists_has_no_list_tools(start, write_catalog, era):
    client = Client(start("--catalog", write_catalog({"busy": RESOURCES["busy"]}), upstream=None), era)
    names = [tool["name"] for tool in client.result("tools/list")["tools"]]
    assert names == ["get_item", "search_cached", "query_cached", "describe_resource"]
    assert client.error("tools/call", name="list_items", arguments={"resource": "busy"}).code == -32602
