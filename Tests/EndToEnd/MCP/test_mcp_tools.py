"""Each tool with valid and with invalid arguments."""

import json

import pytest

from harness import eventually
from mcp_client import LATEST, Client, text


def get(client, **arguments):
    return client.tool("get_item", resource="character", **arguments)


class TestToolCalls:
    @pytest.mark.parametrize("name", ["no_such_tool", "", "character/get", "get_items", "GET_ITEM"])
    def test_unknown_tool_is_refused(self, mcp, name):
        assert mcp.error("tools/call", name=name, arguments={}).code == -32602

    def test_misspelt_tool_gets_a_suggestion(self, mcp):
        assert "'get_item'" in mcp.error("tools/call", name="get_itme").message

    @pytest.mark.parametrize("params", [{}, {"name": None}, {"name": 1}, {"name": ["get_item"]}], ids=str)
    def test_call_without_a_tool_name_is_refused(self, mcp, params):
        assert mcp.error("tools/call", **params).code == -32602

    @pytest.mark.parametrize("arguments", [[], "x", 1, True], ids=repr)
    def test_arguments_that_are_not_an_object_are_refused(self, mcp, arguments):
        assert mcp.error("tools/call", name="get_item", arguments=arguments).code == -32602

    def test_absent_arguments_count_as_an_empty_object(self, mcp):
        for params in ({}, {"arguments": None}, {"arguments": {}}):
            result = mcp.result("tools/call", name="describe_resource", **params)
            assert result["isError"] is True and "'resource' must be one of 'character'" in text(result)

    @pytest.mark.parametrize(
        "tool, near, meant",
        [
            ("get_item", "maxage", "maxAge"),
            ("list_items", "filters", "filter"),
            ("search_cached", "txt", "text"),
            ("prefetch_list", "maxpages", "maxPages"),
            ("describe_resource", "resourse", "resource"),
        ],
    )
    def test_misspelt_argument_gets_a_suggestion(self, mcp, tool, near, meant):
        said = mcp.refusal(tool, **{"resource": "character", near: 1})
        assert f"unknown argument '{near}'" in said and f"did you mean '{meant}'?" in said

    @pytest.mark.parametrize(
        "tool", ["get_item", "list_items", "search_cached", "prefetch_list", "describe_resource"]
    )
    @pytest.mark.parametrize("resource", ["charcter", "Character", "", 1, None, ["character"]], ids=repr)
    def test_tool_call_for_an_unknown_resource_is_refused(self, mcp, tool, resource):
        assert "'resource' must be one of 'character', 'location', 'episode'" in mcp.refusal(tool, resource=resource)

    def test_null_argument_counts_as_absent(self, mcp):
        assert get(mcp, id=1, ids=None, fields=None, cachePolicy=None, maxAge=None)["item"]["id"] == 1


class TestGetItem:
    def test_tool_get_item_returns_source_and_age(self, mcp):
        first = get(mcp, id=1)
        assert list(first) == ["item", "source", "fetchedAt", "age", "stale"]
        assert (first["item"]["name"], first["source"], first["stale"]) == ("Rick Sanchez", "remote", False)
        again = get(mcp, id="1")
        assert again["source"] == "memory" and again["fetchedAt"] == first["fetchedAt"]
        assert type(again["age"]) is int and 0 <= again["age"] < 60

    def test_tool_get_item_returns_several_items_and_missing_ids(self, mcp, upstream):
        found = get(mcp, ids=[3, "1", 9999, 2], fields=["id"])
        assert [item["id"] for item in found["items"]] == [3, 1, 2] and found["missing"] == [9999]
        assert len(get(mcp, ids=list(range(1, 51)), fields=["id"])["items"]) == 50
        assert "at most 50 in one call" in mcp.refusal("get_item", resource="character", ids=list(range(1, 52)))

    def test_hint_explains_that_missing_ids_may_exist(self, mcp, upstream, start):
        assert "hint" not in mcp.tool("get_item", resource="character", ids=[1, 99999])
        found = mcp.tool("get_item", resource="character", ids=[1, 300], cachePolicy="localOnly")
        assert found["missing"] == [300] and found["hint"].endswith("leave out cachePolicy to ask the API"), found
        upstream.fail(drop=True)
        found = mcp.tool("get_item", resource="character", ids=[1, 300])
        assert found["missing"] == [300] and "the API failed, so the ids in 'missing' may exist" in found["hint"], found

    def test_fields_select_the_returned_fields(self, mcp):
        assert get(mcp, id=1, fields=["id", "origin.name"])["item"] == {"id": 1, "origin": {"name": "Earth (C-137)"}}
        for wrong in (["nmae"], "nmae", [1], {"a": 1}):
            assert mcp.refusal("get_item", resource="character", id=1, fields=wrong)

    @pytest.mark.parametrize(
        "arguments, words",
        [
            ({}, "no id"),
            ({"id": "", "ids": []}, "no id"),
            ({"id": None, "ids": "[]"}, "no id"),
            ({"id": 1, "ids": ["x"]}, "integer"),
            ({"id": "x"}, "integer"),
            ({"id": 1.5}, "'id'"),
            ({"id": {"a": 1}}, "'id'"),
            ({"ids": {"a": 1}}, "'ids'"),
            ({"ids": ["x"]}, "integer"),
            ({"id": 1, "cachePolicy": "never"}, "localFirst"),
            ({"id": 1, "maxAge": "soon"}, "maxAge"),
            ({"id": 1, "maxAge": -1}, "maxAge"),
            ({"id": 9999}, "Character not found"),
        ],
        ids=str,
    )
    def test_invalid_arguments_get_a_one_line_message(self, mcp, arguments, words):
        said = mcp.refusal("get_item", resource="character", **arguments)
        assert words in said and "\n" not in said and len(said) < 500

    def test_each_reason_for_a_missing_item_has_its_own_message(self, mcp, start):
        said = mcp.refusal("get_item", resource="character", id=1, cachePolicy="localOnly")
        assert "leave out cachePolicy" in said
        said = mcp.refusal("get_item", resource="character", id=9999)
        assert "Character not found" in said and "list_items" in said
        offline = Client(start("--offline", "--no-persistence", upstream=None), mcp.era)
        for tool, arguments in (("get_item", {"id": 1}), ("list_items", {}), ("prefetch_list", {})):
            said = offline.refusal(tool, resource="character", **arguments)
            assert "--offline" in said and "search_cached" in said
        assert "--offline" in offline.tool("search_cached", resource="character")["hint"]

    def test_tool_get_item_follows_each_cache_policy(self, mcp, upstream):
        assert "cache" in mcp.refusal("get_item", resource="character", id=1, cachePolicy="localOnly")
        assert upstream.count() == 0
        assert get(mcp, id=1)["source"] == "remote"
        assert get(mcp, id=1, cachePolicy="localOnly")["source"] == "memory"
        upstream.edit("character", 1, name="Pickle Rick")
        assert get(mcp, id=1, cachePolicy="none")["item"]["name"] == "Pickle Rick"
        assert get(mcp, id=1)["item"]["name"] == "Rick Sanchez"
        assert get(mcp, id=1, cachePolicy="remoteFirst")["item"]["name"] == "Pickle Rick"
        assert get(mcp, id=1)["item"]["name"] == "Pickle Rick"

    @pytest.mark.parametrize("age", [0, "0s"])
    def test_item_older_than_maxAge_is_fetched_again(self, mcp, upstream, age):
        get(mcp, id=1)
        assert get(mcp, id=1, maxAge="1h")["source"] == "memory"
        eventually(lambda: get(mcp, id=1, maxAge=age)["source"] == "remote", "an answer of the API")

    def test_stale_item_is_returned_if_the_api_fails(self, mcp, upstream):
        get(mcp, id=1)
        upstream.fail(drop=True)
        old = get(mcp, id=1, cachePolicy="remoteFirst")
        assert old["source"] == "memory" and old["fallback"], "the answer must have a fallback"
        assert mcp.refusal("get_item", resource="character", id=2)

    def test_api_message_and_retry_time_are_reported(self, over_things):
        said = over_things.refusal("get_item", resource="busy", id=1)
        assert "Slow down" in said and "try again in 4000 s" in said
        assert "No such note" in over_things.refusal("get_item", resource="note", id=99, scope={"owner": "a"})


class TestArgumentForms:
    """Hosts and models send arguments in forms that differ from the schema but have the same meaning."""

    @pytest.mark.parametrize("ids", ["[1,2]", [1.0, 2], ["1", "2"], '["1", "2"]', "[1.0, 2.0]"], ids=repr)
    def test_ids_given_as_text_or_decimals_are_converted(self, mcp, ids):
        assert [item["id"] for item in get(mcp, ids=ids)["items"]] == [1, 2]

    @pytest.mark.parametrize("arguments", [{"ids": 1}, {"ids": "1"}, {"id": 1, "ids": [1]}], ids=str)
    def test_single_id_is_converted_to_an_array(self, mcp, arguments):
        assert [item["id"] for item in get(mcp, **arguments)["items"]] == [1]

    def test_tool_arguments_id_and_ids_are_combined(self, mcp):
        assert [item["id"] for item in get(mcp, id=3, ids=[1, "3", 2])["items"]] == [3, 1, 2]

    @pytest.mark.parametrize("empty", ["", [], {}, None], ids=repr)
    def test_empty_tool_arguments_count_as_absent(self, mcp, empty):
        arguments = {"ids": empty, "fields": empty, "cachePolicy": empty, "maxAge": empty}
        assert get(mcp, id=1.0, **arguments)["item"]["id"] == 1
        arguments = {"page": empty, "filter": empty, "limit": empty, "fields": empty, "maxAge": empty}
        assert mcp.tool("list_items", resource="character", **arguments)["page"]["current"] == 1
        mcp.tool("search_cached", resource="character", text=empty, filter=empty, limit=empty, offset=empty)

    @pytest.mark.parametrize("fields", ["id", '["id"]', "id,", ["id"]], ids=repr)
    def test_fields_given_as_text_are_converted(self, mcp, fields):
        assert get(mcp, id=1, fields=fields)["item"] == {"id": 1}

    def test_filter_as_json_text_is_converted(self, mcp):
        arguments = {"resource": "character", "limit": "2", "fields": "id,name"}
        page = mcp.tool("list_items", filter='{"name":"rick"}', **arguments)
        assert [item["name"] for item in page["items"]] == ["Rick Sanchez", "Adjudicator Rick"]
        assert mcp.tool("list_items", filter={"name": "rick"}, **arguments)["items"] == page["items"]

    @pytest.mark.parametrize("page", [2, "2", 2.0], ids=repr)
    def test_page_given_as_text_or_a_decimal_is_converted(self, mcp, page):
        assert mcp.tool("list_items", resource="character", page=page)["page"]["current"] == 2

    def test_next_page_is_a_string(self, mcp):
        first = mcp.tool("list_items", resource="character", limit=100)["page"]
        assert first["next"] == "2" and first["previous"] is None
        second = mcp.tool("list_items", resource="character", limit=100, page=first["next"])["page"]
        assert (second["current"], second["next"], second["previous"]) == (2, "3", "1")

    def test_error_suggests_to_move_an_argument_into_scope(self, over_things):
        said = over_things.refusal("get_item", resource="note", id=1, owner="a")
        assert "unknown argument 'owner': put it into 'scope'" in said

    def test_native_methods_do_not_convert_arguments(self, larder):
        for method, params in [("getMany", {"ids": "[1]"}), ("list", {"page": "2"}), ("get", {"id": 1.0})]:
            assert larder.fails(f"character/{method}", **params).code == -32602


class TestScope:
    def test_scope_argument_is_an_object_with_default_values(self, over_things):
        mcp = over_things
        item = mcp.tool("get_item", resource="note", id=2, scope={"owner": "acme", "repo": "tools"})["item"]
        assert item["title"] == "note 2 of acme/tools"
        item = mcp.tool("get_item", resource="note", id=2, scope={"owner": "acme"})["item"]
        assert item["title"] == "note 2 of acme/larder", "the other part has its default"
        page = mcp.tool("list_items", resource="note", scope={"owner": "b"}, filter={"state": "open"}, limit=1)
        assert page["items"][0]["owner"] == "b"
        filled = mcp.tool("prefetch_list", resource="note", scope={"owner": "c"}, filter={"state": "all"})
        assert (filled["items"], filled["complete"]) == (25, True)
        assert mcp.tool("search_cached", resource="note", scope={"owner": "c"}, limit=1)["count"] == 25
        assert mcp.tool("search_cached", resource="note", limit=1)["count"] > 25, "a search covers all scopes"

    @pytest.mark.parametrize(
        "scope, words",
        [
            (None, "'scope.owner' is missing"),
            ({}, "'scope.owner' is missing"),
            ({"owner": None}, "'scope.owner' is missing"),
            ({"repo": "x"}, "'scope.owner' is missing"),
            ({"owner": "a", "rep": "x"}, "'scope' has no 'rep': 'note' has the scope 'owner', 'repo'"),
            ({"owner": ""}, "'scope.owner' is missing: 'note' needs 'owner' in 'scope'"),
            ({"owner": {}}, "'scope.owner' must be a string"),
            ("acme", "'scope' must be an object"),
            (["acme"], "'scope' must be an object"),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("tool", ["get_item", "list_items", "prefetch_list"])
    def test_invalid_scope_is_refused(self, over_things, tool, scope, words):
        more = {"id": 1} if tool == "get_item" else {"filter": {"state": "all"}}
        assert words in over_things.refusal(tool, resource="note", scope=scope, **more)

    @pytest.mark.parametrize("tool", ["list_items", "prefetch_list"])
    def test_error_for_a_scope_value_in_the_filter_names_the_right_argument(self, over_things, tool):
        arguments = {"resource": "note", "scope": {"owner": "a"}, "filter": {"state": "all", "repo": "b"}}
        assert over_things.refusal(tool, **arguments).endswith("this name belongs to the scope; put it into 'scope'")

    def test_scope_values_in_unexpected_forms_are_converted(self, over_things):
        def title(**scope):
            return over_things.tool("get_item", resource="note", id=2, scope=scope)["item"]["title"]

        assert title(owner="acme", repo="") == "note 2 of acme/larder", "an empty value counts as absent"
        assert title(owner=7.0, repo=["b"]) == "note 2 of 7/b"

    def test_scope_argument_is_refused_for_a_resource_without_scope(self, over_things):
        assert "'row' has no scope" in over_things.refusal("get_item", resource="row", id=1, scope={"owner": "a"})

    def test_resource_name_without_its_catalog_gets_a_suggestion(self, start, era):
        client = Client(start("--catalog", "github", "--catalog", "stripe", upstream=None), era)
        assert client.refusal("get_item", resource="issue", id=1).endswith("did you mean 'github.issue'?")

    def test_resource_without_a_list_is_refused(self, over_things):
        said = over_things.refusal("list_items", resource="busy")
        assert "'resource' must be one of 'note', 'row', 'file'" in said


class TestSearch:
    def test_search_results_are_returned_in_several_pages(self, mcp):
        empty = mcp.tool("search_cached", resource="character", text="rick")
        assert (empty["items"], empty["count"], empty["cached"]) == ([], 0, 0) and "prefetch_list" in empty["hint"]
        mcp.tool("prefetch_list", resource="character")
        found, offset = [], 0
        while offset is not None:
            part = mcp.tool("search_cached", resource="character", limit=7, offset=offset, fields=["id"])
            assert part["count"] == 60 and len(part["items"]) <= 7
            found += [item["id"] for item in part["items"]]
            offset = part.get("nextOffset")
        assert sorted(found) == list(range(1, 61))
        assert len(mcp.tool("search_cached", resource="character", fields=["id"])["items"]) == 10

    def test_search_applies_filters_and_refuses_invalid_arguments(self, mcp, upstream):
        mcp.tool("prefetch_list", resource="character")
        asked = upstream.count()
        found = mcp.tool("search_cached", resource="character", text="rick", filter={"status": "Dead"}, limit=100)
        assert found["items"] and all(item["status"] == "Dead" for item in found["items"])
        assert len(found["items"]) == found["count"] and "nextOffset" not in found
        assert found["cached"] == 60 and "hint" not in found
        said = mcp.refusal("search_cached", resource="character", filter={"status": "alive"})
        assert "'filter.status' must be one of 'Alive', 'Dead'" in said
        for wrong in ({"limit": 0}, {"limit": "x"}, {"offset": -1}, {"text": 1}, {"filter": ["x"]}, {"fields": ["x"]}):
            assert mcp.refusal("search_cached", resource="character", **wrong), wrong
        assert upstream.count() == asked, "a search sends no request"


class TestPrefetch:
    def test_prefetch_stops_at_maxPages(self, mcp):
        part = mcp.tool("prefetch_list", resource="character", maxPages=2)
        assert (part["pages"], part["items"], part["complete"]) == (2, 40, False)
        whole = mcp.tool("prefetch_list", resource="character")
        assert (whole["pages"], whole["reused"], whole["complete"]) == (3, 2, True)
        some = mcp.tool("prefetch_list", resource="character", filter={"status": "dead"})
        assert some["complete"] and 0 < some["items"] < 60

    @pytest.mark.parametrize("wrong", [{"maxPages": 0}, {"maxPages": "x"}, {"filter": {"nmae": 1}}, {"filter": ["x"]}])
    def test_invalid_prefetch_arguments_are_refused(self, mcp, upstream, wrong):
        assert mcp.refusal("prefetch_list", resource="character", **wrong)
        assert upstream.count() == 0


class TestNames:
    def test_tool_prefix_is_part_of_every_tool_name(self, start, era):
        client = Client(start("--tool-prefix", "rick"), era)
        names = [tool["name"] for tool in client.result("tools/list")["tools"]]
        assert names == [
            "rick_get_item", "rick_list_items", "rick_search_cached", "rick_query_cached", "rick_prefetch_list",
            "rick_describe_resource",
        ]
        assert client.tool("rick_get_item", resource="character", id=1)["item"]["id"] == 1
        assert "'rick_get_item'" in client.error("tools/call", name="rick_get_itm").message
        assert client.error("tools/call", name="get_item").code == -32602
        about = client.tool("rick_describe_resource", resource="character")
        assert about["tools"][0] == "rick_get_item"

    def test_tool_messages_name_only_existing_tools(self, start):
        client = Client(start("--catalog", "prometheus", upstream=None), LATEST)
        listed = client.result("tools/list")["tools"]
        assert [tool["name"] for tool in listed][0] == "list_items"
        assert "get_item" not in json.dumps(listed) and "get_item" not in client.opened["instructions"]

    def test_descriptions_name_the_api_and_its_resources(self, mcp):
        for tool in mcp.result("tools/list")["tools"]:
            assert "rickandmorty: character, location, episode" in tool["description"]


class TestDescribe:
    def test_resource_description_has_types_tools_and_uri(self, over_things):
        about = over_things.tool("describe_resource", resource="note")
        assert about["resource"] == "note" and about["uriTemplate"] == "larder://note/{owner}/{repo}/{id}"
        assert about["tools"] == ["get_item", "list_items", "prefetch_list", "search_cached", "query_cached"]
        for words in ("title: string", "owner", "repo", '"open" | "closed" | "all"'):
            assert words in about["types"], words
        about = over_things.tool("describe_resource", resource="busy")
        assert about["tools"] == ["get_item", "search_cached", "query_cached"]
        assert over_things.refusal("describe_resource", resource="note", id=1)
