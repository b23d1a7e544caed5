"""Less common kinds of lists and items, served by a scripted API."""

import contextlib
import json

import pytest

from scripted import serving


@pytest.fixture
def serve(home, start):
    """`serve(answer, **resource)` starts Larder over a scripted API.

    `answer(path, query, body)` returns the JSON; None means 404.
    """
    running = contextlib.ExitStack()

    def serve(answer, *options, **resource):
        asked = []

        def reply(request):
            asked.append((request.path, request.json))
            found = answer(request.path, request.query, request.json)
            return 404 if found is None else 200, {}, found

        url = running.enter_context(serving(reply))
        api = {"baseURL": url}
        path = home / "catalog.json"
        path.write_text(json.dumps({"larder": 1, "apis": {"a": api}, "resources": {"thing": {"api": "a", **resource}}}))
        larder = start("--catalog", path, *options, upstream=None)
        larder.asked = asked
        return larder

    with running:
        yield serve


def test_item_can_be_read_from_an_object_keyed_by_ids(serve):
    """The format of MediaWiki."""

    def answer(path, query, body):
        pages = {id: {"pageid": int(id), "title": f"page {id}"} for id in query["pageids"].split("|") if id != "9"}
        return {"query": {"pages": pages}}

    rest = {
        "get": {"path": "/w", "query": {"pageids": "{id}"}, "item": "query.pages.{id}"},
        "getMany": {"path": "/w", "query": {"pageids": "{ids}"}, "join": "|", "items": "query.pages.*"},
    }
    fields = {"id": {"from": "pageid", "type": "integer"}, "title": "string"}
    larder = serve(answer, id={"type": "integer", "from": "pageid"}, fields=fields, rest=rest)
    assert larder.call("thing/get", id=7)["item"] == {"id": 7, "title": "page 7"}
    missing = larder.fails("thing/get", id=9)
    assert missing.kind == "notFound" and "query.pages.9" in missing.message
    found = larder.call("thing/getMany", ids=[3, 9, 5])
    assert [item["id"] for item in found["items"] if item] == [3, 5] and found["missing"] == [9]


def test_page_parameter_can_be_sent_in_a_json_body(serve):
    """The format of Notion and Elasticsearch: a nested parameter, and a cursor of any JSON type."""

    def answer(path, query, body):
        assert body["query"] == {"match": "x"} and body["page"]["size"] == 2 and body["filter"] == {"state": "open"}
        after = (body["page"].get("after") or [0])[0]
        rest = [id for id in range(1, 6) if id > after]
        return {"items": [{"id": id} for id in rest[:2]], "next": [rest[1]] if len(rest) > 2 else None}

    pagination = {"style": "cursor", "param": "page.after", "next": "next", "size": {"param": "page.size", "value": 2}}
    listed = {
        "method": "POST",
        "path": "/search",
        "body": {"query": {"match": "x"}},
        "items": "items",
        "filters": {"state": {"param": "filter.state", "default": "open"}},
        "pagination": pagination,
    }
    larder = serve(answer, id="integer", rest={"list": listed})
    assert larder.call("thing/prefetch") == {"pages": 3, "items": 5, "fetched": 3, "reused": 0, "complete": True}
    assert larder.call("thing/prefetch")["reused"] == 3


def test_items_of_a_relay_connection_are_fetched_and_invalid_nodes_omitted(serve):
    def answer(path, query, body):
        if path != "/things":
            id = int(path.rsplit("/", 1)[1])
            return None if id == 3 else {"id": id, "name": f"thing {id}"}
        after = int(query.get("after", 0))
        nodes = [{"id": id} for id in range(after + 1, after + 4)]
        nodes[1] = {"id": None} if after == 0 else nodes[1]
        # An edge without a node is no item.
        edges = [{"node": node} for node in nodes] + [{"cursor": "x"}]
        return {"fruits": {"edges": edges, "pageInfo": {"hasNextPage": after == 0, "endCursor": "3"}}}

    rest = {
        "get": {"path": "/things/{id}"},
        "list": {
            "path": "/things",
            "items": "fruits.edges.*.node",
            "hydrate": True,
            "pagination": {"style": "relay", "param": "after", "pageInfo": "fruits.pageInfo"},
        },
    }
    fields = {"id": "integer", "name": "string"}
    larder = serve(answer, id="integer", onMismatch="skip", fields=fields, rest=rest)
    first = larder.call("thing/list")
    assert [item["id"] for item in first["items"]] == [1] and first["missing"] == [3]
    assert [(left["index"], left["path"]) for left in first["skipped"]] == [(1, "fruits.edges[1].node.id")]
    second = larder.call("thing/list", page=first["page"]["next"])
    assert [item["name"] for item in second["items"]] == ["thing 4", "thing 5", "thing 6"]
    assert second["page"]["next"] is None
    # Fetched items and omitted ones are both known from the cache.
    again = larder.call("thing/list", cachePolicy="localOnly")
    assert (again["items"], again["skipped"]) == (first["items"], first["skipped"])
    assert [path for path, _ in larder.asked].count("/things/1") == 1


def test_null_in_a_list_is_omitted_and_counted_as_skipped(serve):
    elements = [{"id": 1}, None, {"id": 2}, {"id": 3}]

    def answer(path, query, body):
        start = int(query["start"])
        return elements[start : start + 3]

    listed = {"list": {"path": "/things", "pagination": {"style": "offset", "param": "start"}}}
    larder = serve(answer, id="integer", onMismatch="skip", rest=listed)
    first = larder.call("thing/list")
    assert [item["id"] for item in first["items"]] == [1, 2] and first["page"]["next"] == 3
    assert [(left["index"], left["path"]) for left in first["skipped"]] == [(1, "[1]")]
    assert [item["id"] for item in larder.call("thing/list", page=3)["items"]] == [3]
    larder = serve(answer, id="integer", rest=listed)
    error = larder.fails("thing/list")
    assert error.kind == "decodingFailed" and error.data["path"] == "[1]"


def test_items_missing_from_a_hydrated_list_are_reported(serve):
    """The format of Elasticsearch: a missing document is an element with `found: false`."""

    def answer(path, query, body):
        if path == "/search":
            return {"hits": [{"_id": "1"}, {"_id": "9"}, {"_id": "2"}]}
        found = {"1": {"n": 1}, "2": {"n": 2}}
        return {"docs": [{"_id": id, "found": id in found, **({"_source": found[id]} if id in found else {})}
                         for id in body["ids"]]}

    rest = {
        "getMany": {"method": "POST", "path": "/docs", "body": {"ids": "{ids}"}, "items": "docs", "maxIDs": 10},
        "list": {"path": "/search", "items": "hits", "hydrate": True},
    }
    fields = {"id": "string", "n": {"from": "_source.n", "type": "integer"}}
    larder = serve(answer, id={"type": "string", "from": "_id"}, fields=fields, rest=rest)
    listed = larder.call("thing/list")
    assert [item["n"] for item in listed["items"]] == [1, 2] and listed["missing"] == ["9"]
    assert "fallback" not in listed
    assert larder.call("thing/getMany", ids=["9", "2"])["missing"] == ["9"]
    assert larder.call("thing/getMany", ids=["9"])["missing"] == ["9"]
    assert larder.fails("thing/get", id="9").kind == "notFound"
    found = larder.call("thing/prefetch")
    assert (found["items"], found["complete"]) == (2, None), "without pagination, completeness is unknown"


def test_prefetch_continues_if_the_fetch_of_an_item_fails(home, start):
    def answer(request):
        if request.path == "/things":
            return 200, {}, {"ids": [1, 2, 3], "pages": 1}
        id = int(request.path.rsplit("/", 1)[1])
        return 500 if id == 2 else 200, {}, {"id": id}

    with serving(answer) as url:
        listed = {"path": "/things", "items": "ids", "of": "ids", "hydrate": True}
        listed["pagination"] = {"style": "page", "param": "page", "pages": "pages"}
        thing = {"api": "a", "id": "integer", "rest": {"get": {"path": "/things/{id}"}, "list": listed}}
        path = home / "catalog.json"
        path.write_text(json.dumps({"larder": 1, "apis": {"a": {"baseURL": url, "retries": 0}},
                                    "resources": {"thing": thing}}))
        larder = start("--catalog", path, upstream=None)
        found = larder.call("thing/prefetch")
        assert (found["items"], found["complete"]) == (2, False)
        assert larder.call("thing/get", id=3)["source"] == "memory"


def test_field_selector_without_matches_is_logged_once(serve):
    fields = {
        "id": "integer",
        "name": {"from": "title", "type": "string?"},
        "nick": {"from": "user.nikc", "type": "string?"},
        "note": "string?",
    }
    pagination = {"style": "page", "param": "page"}
    rest = {"list": {"path": "/things", "items": "items", "pagination": pagination}}

    def answer(path, query, body):
        if int(query["page"]) > 2:
            return {"items": []}
        return {"items": [{"id": int(query["page"]), "title": None, "user": {"nick": "x"}}]}

    larder = serve(answer, id="integer", fields=fields, rest=rest)
    larder.call("thing/prefetch")
    larder.call("thing/list", cachePolicy="none")
    larder.close()
    told = [line for line in larder.stderr().splitlines() if "found nothing" in line]
    assert len(told) == 1 and "'user.nikc' of the field 'nick' found nothing" in told[0]


def test_explain_refuses_unknown_fields_with_the_message_of_the_explained_method(serve):
    rest = {"get": {"path": "/things/{id}"}, "list": {"path": "/things", "items": "items"}}
    larder = serve(lambda *_: {"items": []}, id="integer", fields={"id": "integer", "name": "string"}, rest=rest)
    for method, params in [("get", {"id": 1}), ("getMany", {"ids": [1]}), ("list", {})]:
        asked = {"method": f"thing/{method}", "params": {**params, "fields": ["nme"]}}
        refused = larder.refusal(larder.wait(larder.send("request/explain", asked)))
        assert refused.message == larder.fails(f"thing/{method}", **params, fields=["nme"]).message
    assert larder.asked == []
    refused = larder.refusal(larder.wait(larder.send("request/explain", {"method": "thing/lst"})))
    assert refused.message.endswith("; did you mean 'thing/list'?")
    refused = larder.refusal(larder.wait(larder.send("request/explain", {"method": "thing/search"})))
    assert refused.message.startswith("'thing/search' cannot be explained: 'method' must be one of 'thing/get', ")
