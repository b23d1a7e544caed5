"""MCP resources: lists, URIs, reads and completion."""

import json
import urllib.parse

import pytest

from mcp_client import LATEST, NOT_FOUND, STATELESS, Client
from mcp_standin import FILES, RESOURCES

MANY = {f"thing{number:02}": {**RESOURCES["file"]} for number in range(60)}
DAY = 86_400_000


def pages(client, method, member):
    found = [client.result(method)]
    while "nextCursor" in found[-1]:
        found.append(client.result(method, cursor=found[-1]["nextCursor"]))
        assert len(found) < 10
    return [page[member] for page in found]


class TestLinks:
    def links(self, client, **arguments):
        _, *links = client.result("tools/call", name="get_item", arguments=arguments)["content"]
        assert all(link["type"] == "resource_link" and link["mimeType"] == "application/json" for link in links)
        return links

    def test_items_are_linked_once_the_client_has_listed_resources(self, start):
        mcp = Client(start(), LATEST)
        assert self.links(mcp, resource="character", id=1) == []
        mcp.result("resources/templates/list")
        (link,) = self.links(mcp, resource="character", id=1)
        fetched = mcp.result("tools/call", name="get_item", arguments={"resource": "character", "id": 1})
        assert link["annotations"] == {
            "audience": ["user"], "lastModified": fetched["structuredContent"]["fetchedAt"]
        }
        assert link["name"] == "character 1" and mcp.read(link["uri"])["id"] == 1

    def test_answers_to_stateless_requests_have_no_links(self, start):
        mcp = Client(start(), STATELESS)
        mcp.result("resources/list")
        assert self.links(mcp, resource="character", id=1) == []
        assert self.links(mcp, resource="character", ids=[1, 2]) == []

    def test_result_with_several_items_has_at_most_ten_links(self, start):
        mcp = Client(start(), LATEST)
        mcp.result("resources/list")
        links = self.links(mcp, resource="character", ids=[9999, *range(1, 21)], fields=["id"])
        assert [link["uri"] for link in links] == [f"larder://character/{id}" for id in range(1, 11)]
        assert all(link["annotations"] == {"audience": ["user"]} for link in links)

    def test_link_of_a_scoped_item_can_be_read(self, start, write_catalog):
        client = Client(start("--catalog", write_catalog(), upstream=None), LATEST)
        client.result("resources/list")
        (link,) = self.links(client, resource="note", id=2, scope={"owner": "a c", "repo": "tools"})
        assert link["uri"] == "larder://note/a%20c/tools/2"
        assert client.read(link["uri"])["id"] == 2

    def test_failed_calls_have_no_links(self, mcp):
        mcp.result("resources/list")
        assert self.links(mcp, resource="character", id=9999) == []

    def test_resource_and_template_lists_have_an_audience(self, mcp):
        (first, *_) = mcp.result("resources/list")["resources"]
        assert first["annotations"] == {"audience": ["assistant"]}
        (first, *_) = mcp.result("resources/templates/list")["resourceTemplates"]
        assert first["annotations"] == {"audience": ["user", "assistant"]}


class TestLists:
    def test_each_resource_has_a_description_and_a_template(self, over_things):
        (listed,) = pages(over_things, "resources/list", "resources")
        assert [(one["uri"], one["name"]) for one in listed] == [
            (f"larder://{name}", f"{name}-schema") for name in RESOURCES
        ]
        (templates,) = pages(over_things, "resources/templates/list", "resourceTemplates")
        assert [one["uriTemplate"] for one in templates] == [
            "larder://note/{owner}/{repo}/{id}", "larder://row/{id}", "larder://file/{id}", "larder://busy/{id}"
        ]
        for member in ("name", "title"):
            assert len({one[member] for one in [*listed, *templates]}) == 2 * len(RESOURCES)
        for one in [*listed, *templates]:
            assert one["mimeType"] == "application/json" and one["description"]

    def test_resource_and_tool_lists_have_a_cache_lifetime(self, stateless):
        for method in ("resources/list", "resources/templates/list", "tools/list"):
            found = stateless.result(method)
            assert (found["ttlMs"], found["cacheScope"]) == (3_600_000, "public")

    @pytest.mark.parametrize(
        "method, member", [("resources/list", "resources"), ("resources/templates/list", "resourceTemplates")]
    )
    def test_long_resource_lists_are_paged(self, start, write_catalog, era, method, member):
        client = Client(start("--catalog", write_catalog(MANY), upstream=None), era)
        found = pages(client, method, member)
        assert len(found) > 1
        assert [one["name"] for page in found for one in page] == [
            name + ("-schema" if member == "resources" else "") for name in MANY
        ]
        assert len(client.result("tools/list")["tools"]) == 6

    @pytest.mark.parametrize("method", ["resources/list", "resources/templates/list", "tools/list"])
    @pytest.mark.parametrize("cursor", ["x", "", "1", "-50", "50", "99999999999999999999", 50, {}], ids=repr)
    def test_unknown_cursor_is_refused(self, mcp, method, cursor):
        assert mcp.error(method, cursor=cursor).code == -32602


class TestRead:
    def test_item_is_read_as_a_resource(self, mcp):
        item = mcp.tool("get_item", resource="character", id=1)["item"]
        assert mcp.read("larder://character/1") == item

    def test_resource_description_is_read(self, mcp, upstream):
        assert mcp.read("larder://character") == mcp.tool("describe_resource", resource="character")
        assert upstream.count() == 0

    @pytest.mark.parametrize("id", FILES)
    def test_ids_in_resource_uris_are_percent_encoded(self, over_things, id):
        for encoded in (urllib.parse.quote(id, safe=""), urllib.parse.quote(id, safe="").lower()):
            uri = f"larder://file/{encoded}"
            assert over_things.read(uri) == {"id": id, "size": len(id)}

    def test_resource_uri_contains_the_scope(self, over_things):
        assert over_things.read("larder://note/acme/tools/3")["title"] == "note 3 of acme/tools"
        assert over_things.read("larder://note/a%2Fb/t%20s/3")["title"] == "note 3 of a/b/t s"

    @pytest.mark.parametrize("id", [9999, 61])
    def test_missing_item_is_not_found(self, mcp, era, id):
        for _ in range(2):
            error = mcp.error("resources/read", uri=f"larder://character/{id}")
            assert (error.code, error.data) == (NOT_FOUND[era], {"uri": f"larder://character/{id}"})

    @pytest.mark.parametrize(
        "uri",
        [
            "larder://nobody/1", "larder://Character/1", "larder://character/1/2", "larder://character/", "larder://",
            "larder:character/1", "https://example.com/1", "file:///etc/passwd", "", "character/1",
            "larder://%63haracter/1",
        ],
    )
    def test_unknown_uri_is_not_found(self, mcp, era, uri):
        for method in ("resources/read",) if mcp.stateless else ("resources/read", "resources/subscribe"):
            error = mcp.error(method, uri=uri)
            assert (error.code, error.data) == (NOT_FOUND[era], {"uri": uri}), method

    @pytest.mark.parametrize("params", [{}, {"uri": None}, {"uri": 1}, {"uri": ["larder://character/1"]}], ids=str)
    def test_read_of_a_uri_that_is_not_a_string_is_refused(self, mcp, params):
        error = mcp.error("resources/read", **params)
        assert error.code == -32602 and "'uri'" in error.message

    def test_id_of_the_wrong_type_is_refused(self, mcp, upstream):
        assert mcp.error("resources/read", uri="larder://character/x").code in (-32602, -32002)
        assert upstream.count() == 0

    def test_failing_api_is_not_reported_as_a_missing_item(self, mcp, upstream):
        upstream.fail(status=500)
        assert mcp.error("resources/read", uri="larder://character/1").code not in (-32602, -32002)

    @pytest.mark.parametrize("name, fresh", [("note/acme/tools/1", 300_000), ("row/1", DAY), ("file/plain", DAY)])
    def test_result_of_a_resource_read_has_a_cache_lifetime(self, start, write_catalog, name, fresh):
        """The lifetime that the answer reports is the remaining part of the catalog's `freshFor`, at most a day.
        Clients may cache it for this user only."""
        client = Client(start("--catalog", write_catalog(), upstream=None), STATELESS)
        for _ in range(2):
            found = client.result("resources/read", uri=f"larder://{name}")
            assert fresh - 20_000 < found["ttlMs"] <= fresh and found["cacheScope"] == "private"
        about = client.result("resources/read", uri="larder://note")
        assert (about["ttlMs"], about["cacheScope"]) == (3_600_000, "public")

    def test_stale_resource_has_a_cache_lifetime_of_zero(self, start, write_catalog, things):
        path = write_catalog({"file": {**RESOURCES["file"], "cache": {"freshFor": "1s"}}})
        first = Client(start("--catalog", path, upstream=None), STATELESS)
        first.read("larder://file/plain")
        first.larder.close()
        client = Client(start("--catalog", path, "--offline", upstream=None), STATELESS)
        left = [1000]
        while left[-1]:
            left.append(client.result("resources/read", uri="larder://file/plain")["ttlMs"])
        assert left == sorted(left, reverse=True), "the time left decreases to 0"


class TestCompletion:
    NOTE = "larder://note/{owner}/{repo}/{id}"

    def test_completion_offers_cached_ids(self, mcp):
        template = "larder://character/{id}"
        assert mcp.complete(template, "id", "") == []
        mcp.tool("prefetch_list", resource="character")
        assert len(mcp.complete(template, "id", "")) == 60
        assert mcp.complete(template, "id", "6") == ["6", "60"], "only ids with this prefix"
        named = mcp.complete(template, "id", "pickle")
        assert all("pickle" in mcp.read(f"larder://character/{id}")["name"].lower() for id in named)
        assert mcp.complete(template, "id", "summer")[0] in ("3", "17", "37", "38", "40", "46")
        assert mcp.complete(template, "id", "nobody is called so") == []

    def test_completion_offers_at_most_a_hundred_values(self, over_things):
        over_things.tool("prefetch_list", resource="row")
        ref = {"type": "ref/resource", "uri": "larder://row/{id}"}
        argument = {"name": "id", "value": ""}
        found = over_things.result("completion/complete", ref=ref, argument=argument)["completion"]
        assert len(found["values"]) == 100 and found["hasMore"] is True
        assert all(type(value) is str for value in found["values"])

    def test_completion_of_a_scope_uses_the_context(self, over_things):
        for owner, repo, id in (("acme", "tools", 1), ("acme", "toys", 2), ("bee", "hive", 3)):
            over_things.read(f"larder://note/{owner}/{repo}/{id}")
        complete = over_things.complete
        assert sorted(complete(self.NOTE, "owner", "")) == ["acme", "bee"]
        assert complete(self.NOTE, "owner", "b") == ["bee"]
        assert sorted(complete(self.NOTE, "repo", "")) == ["hive", "tools", "toys"]
        assert sorted(complete(self.NOTE, "repo", "to", owner="acme")) == ["tools", "toys"]
        assert complete(self.NOTE, "repo", "", owner="bee") == ["hive"]
        assert complete(self.NOTE, "id", "", owner="acme", repo="toys") == ["2"]
        assert sorted(complete(self.NOTE, "id", "", owner="acme")) == ["1", "2"]
        assert complete(self.NOTE, "id", "", owner="nobody") == []

    @pytest.mark.parametrize(
        "params",
        [
            {"ref": {"type": "ref/resource", "uri": "larder://nobody/{id}"}},
            {"ref": {"type": "ref/prompt", "name": "x"}},
            {"ref": None},
            {"argument": {"name": "owner", "value": ""}},
            {"argument": {"name": "id"}},
            {"argument": {"name": "id", "value": 1}},
            {"argument": None},
        ],
        ids=str,
    )
    def test_invalid_completion_request_is_refused(self, mcp, params):
        ref, argument = {"type": "ref/resource", "uri": "larder://character/{id}"}, {"name": "id", "value": ""}
        fine = {"ref": ref, "argument": argument}
        mcp.result("completion/complete", **fine)
        assert mcp.error("completion/complete", **{**fine, **params}).code == -32602


def test_meta_of_a_resource_read_has_its_source(mcp):
    mcp.read("larder://character/1")
    (content,) = mcp.result("resources/read", uri="larder://character/1")["contents"]
    assert content["_meta"]["source"] == "memory" and content["_meta"]["stale"] is False
    assert json.loads(content["text"])["id"] == 1


def test_prompts_and_logging_are_not_offered(larder):
    client = Client(larder, LATEST)
    assert not {"prompts", "logging"} & set(client.opened["capabilities"])
    for method in ("prompts/list", "prompts/get", "logging/setLevel"):
        assert client.error(method).code == -32601
