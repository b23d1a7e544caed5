"""Decoding of unusual answers: selected values, computed ids, skipped items, JSON lines, lists of ids, and
catalog-defined errors."""

import json

import pytest

from scripted import serving

STUB = {"name": "one", "url": "https://a.test/v2/stub/1/", "types": [{"type": {"name": "grass"}}, {"type": {}}]}
ANSWERS = {
    "/stub": {"results": [STUB, {"name": 5, "url": "https://a.test/v2/stub/2/"}, {**STUB, "url": "/stub/3/"}]},
    "/twice": [{"id": 1, "name": "a"}, {"id": "1", "name": "b"}],
    "/rates": {"rates": {"EUR": {"rate": 1, "at": 1700000000}, "USD": {"rate": 1.1, "at": 1700000001.5}}},
    "/ids": [3, "1", 2],
    "/stock": {"edges": [{"node": {"shop": 1, "product": "x"}}, {"node": {"shop": 1, "product": "y"}}]},
    "/none": {"count": 0},
    "/full": [2, 9, 1],
    "/full/1": {"id": 1, "name": "a"},
    "/full/2": {"id": 2, "name": "b"},
    "/told": {"ok": False, "reason": "the quota s3cr3t-k3y is used up"},
    "/gone/1": {"ok": False, "reason": "no such thing", "code": 404},
}
LINES = '{"id": 1, "name": "a"}\n\n{"id": 2, "name": "b"}\n'

RULES = [
    {"when": "ok", "is": False, "status": 200, "kind": "serverError", "message": "reason"},
    {"status": 403, "when": {"header": "X-Left"}, "is": "0", "kind": "rateLimited"},
]


def resource(path, id, list_, **more):
    return {"api": "a", "id": id, "rest": {"list": {"path": path, **list_}}, **more}


def catalog(url):
    named = {"id": "integer", "name": "string"}
    kinds = {"from": "types.*.type.name", "type": ["string"]}
    rate = {"currency": {"from": "@key", "type": "string"}, "rate": "number"}
    rate["at"] = {"type": "date", "unit": "s"}
    gone = {"path": "/gone/{id}", "errors": [{"when": "code", "is": "404", "kind": "notFound", "message": "reason"}]}
    key = {"apiKey": {"in": "header", "name": "X-Key", "value": "s3cr3t-k3y"}}
    return {
        "larder": 1,
        "apis": {"a": {"baseURL": url, "retries": 0, "errors": RULES, "auth": key}},
        "resources": {
            "stub": resource(
                "/stub",
                {"type": "integer", "from": {"get": "id", "list": "url"}, "match": "*/{id}/"},
                {"items": "results", "complete": False},
                fields={"id": "integer", "name": "string", "kinds?": kinds},
                onMismatch="skip",
            ),
            "twice": resource("/twice", "integer", {}, fields=named),
            "rate": resource("/rates", {"type": "string", "from": "@key"}, {"items": "rates.*"}, fields=rate),
            "ids": resource("/ids", "integer", {"of": "ids"}),
            "stock": resource(
                "/stock",
                {"type": "string", "from": ["shop", "product"], "join": ","},
                {"items": "edges.*.node"},
                fields={"id": "string", "product": "string"},
            ),
            "line": resource("/lines", "integer", {"as": "ndjson"}, fields=named),
            "none": resource(
                "/none",
                "integer",
                {"items": "rows", "absent": "empty", "pagination": {"style": "page", "param": "p", "pages": "pgaes"}},
            ),
            "told": resource("/told", "integer", {}),
            "limited": resource("/limited", "integer", {}),
            "full": {
                "api": "a",
                "id": "integer",
                "fields": named,
                "rest": {"get": {"path": "/full/{id}"}, "list": {"path": "/full", "of": "ids", "hydrate": True}},
            },
            "gone": {"api": "a", "id": "integer", "rest": {"get": gone}},
        },
    }


@pytest.fixture
def answering(home, start):
    """Starts Larder over a server with all answers that this file defines."""

    def answer(request):
        if request.path == "/lines":
            return 200, {"X-Left": "0"}, LINES.encode()
        limited = request.path == "/limited"
        return 403 if limited else 200, {"X-Left": "0"}, ANSWERS.get(request.path, {"detail": "slow down"})

    with serving(answer) as url:
        path = home / "catalog.json"
        path.write_text(json.dumps(catalog(url)))
        yield lambda *args: start("--catalog", path, *args, upstream=None)


LISTS = {
    "rate": [
        {"currency": "EUR", "rate": 1, "at": "2023-11-14T22:13:20Z"},
        {"currency": "USD", "rate": 1.1, "at": "2023-11-14T22:13:21.5Z"},
    ],
    "ids": [{"id": 3}, {"id": 1}, {"id": 2}],
    "stock": [{"id": "1,x", "product": "x"}, {"id": "1,y", "product": "y"}],
    "line": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}],
    "none": [],
}


@pytest.mark.parametrize("name", LISTS)
def test_list_of_an_unusual_format_is_decoded_and_cached(answering, name):
    larder = answering()
    assert larder.call(f"{name}/list")["items"] == LISTS[name]
    larder.close()
    offline = answering("--offline")
    assert offline.call(f"{name}/list")["items"] == LISTS[name]
    offline.close()


def test_skipped_items_are_reported_for_fetched_and_cached_pages(answering):
    expected = [{"id": 1, "name": "one", "kinds": ["grass"]}, {"id": 3, "name": "one", "kinds": ["grass"]}]
    for args in [(), ("--offline",)]:
        larder = answering(*args)
        found = larder.call("stub/list")
        assert found["items"] == expected
        assert [(one["index"], one["path"]) for one in found["skipped"]] == [(1, "results[1].name")]
        assert "declare" in found["skipped"][0]["message"]
        assert found["page"]["next"] is None
        larder.close()


def test_items_of_a_list_that_contains_only_ids_are_fetched(answering):
    larder = answering()
    found = larder.call("full/list")
    assert found["items"] == [ANSWERS["/full/2"], ANSWERS["/full/1"]]
    assert found["missing"] == [9]
    assert larder.call("full/get", id=2)["source"] == "memory"
    larder.close()
    offline = answering("--offline")
    found = offline.call("full/list")
    assert (found["items"], found["missing"]) == ([ANSWERS["/full/2"], ANSWERS["/full/1"]], [9])
    offline.close()


def test_list_with_two_items_of_the_same_id_is_an_error(answering):
    error = answering().fails("twice/list")
    assert error.data["kind"] == "decodingFailed"
    assert error.data["path"] == "[1]"


def test_error_rules_of_the_catalog_decide_the_error_kind_and_message(answering):
    larder = answering()
    told = larder.fails("told/list")
    assert told.data["kind"] == "serverError"
    assert told.data["apiMessage"] == "the quota *** is used up"
    assert told.message.endswith(": the quota *** is used up")
    limited = larder.fails("limited/list")
    assert limited.data["kind"] == "rateLimited"
    assert limited.data["apiMessage"] == "slow down"
    gone = larder.fails("gone/get", id=1)
    assert gone.data["kind"] == "notFound"
    assert gone.data["apiMessage"] == "no such thing"


def test_pagination_selector_without_matches_is_logged_once(answering):
    larder = answering()
    for _ in range(2):
        larder.call("none/list", cachePolicy="none")
    larder.close()
    told = [line for line in larder.stderr().splitlines() if "pgaes" in line]
    assert len(told) == 1
