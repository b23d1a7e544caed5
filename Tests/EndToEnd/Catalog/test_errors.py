"""Failures of the remote: each has its code and kind. A stale entry is returned instead if the policy allows it."""

import json
import socket

import pytest

# Fault, error code, error kind, and whether a cached entry is returned instead.
FAULTS = {
    "400": ({"status": 400}, -31001, "invalidRequest", False),
    "422": ({"status": 422}, -31001, "invalidRequest", False),
    "empty": ({"status": 200, "body": ""}, -31002, "invalidResponse", True),
    "418": ({"status": 418}, -31004, "serverError", False),
    "500": ({"status": 500}, -31004, "serverError", True),
    "503": ({"status": 503, "body": "<html>away</html>"}, -31004, "serverError", True),
    "html": ({"status": 200, "body": "<html>Hello</html>"}, -31005, "decodingFailed", True),
    "cut JSON": ({"status": 200, "body": '{"id": 1, "na'}, -31005, "decodingFailed", True),
    "invalid UTF-8": ({"status": 200, "body": b'{"id":1,"name":"\xff"}'}, -31005, "decodingFailed", True),
    "deep": ({"status": 200, "body": "[" * 5000}, -31005, "decodingFailed", True),
    "401": ({"status": 401}, -31006, "unauthorized", False),
    "403": ({"status": 403}, -31006, "unauthorized", False),
    "429": ({"status": 429}, -31007, "rateLimited", True),
    "drop": ({"drop": True}, -31008, "network", True),
    "truncated": ({"truncate": 100}, -31008, "network", True),
}


@pytest.mark.parametrize("name", FAULTS)
def test_api_failure_without_a_cached_entry_is_an_error(served, upstream, name):
    fault, code, kind, _ = FAULTS[name]
    upstream.fail(**fault)
    for policy in ("localFirst", "remoteFirst", "none"):
        error = served.fails("character/get", id=1, cachePolicy=policy)
        assert (error.code, error.kind) == (code, kind), error
        assert error.data["api"] == "rickandmorty" and error.data["resource"] == "character"
        assert error.data["attempts"] >= 1
        assert error.data["url"].startswith(upstream.url)
        assert error.message
        if kind == "serverError":
            assert error.data["status"] == fault["status"]
    upstream.heal()
    assert served.call("character/get", id=1)["source"] == "remote"
    served.alive()


@pytest.mark.parametrize("name", FAULTS)
def test_cached_entry_is_returned_for_temporary_failures_and_invalid_replies(served, upstream, name):
    fault, code, kind, stands_in = FAULTS[name]
    first = served.call("character/get", id=1)
    upstream.fail(**fault)
    if stands_in:
        result = served.call("character/get", id=1, cachePolicy="remoteFirst")
        assert result["item"] == first["item"]
        assert (result["source"], result["stale"]) == ("memory", True)
        assert (result["fallback"]["code"], result["fallback"]["data"]["kind"]) == (code, kind)
    else:
        assert served.fails("character/get", id=1, cachePolicy="remoteFirst").kind == kind
    assert served.fails("character/get", id=1, cachePolicy="none").kind == kind
    assert served.call("character/get", id=1)["item"] == first["item"], "a failure must not remove a cached entry"


def test_api_failure_returns_the_entry_cached_on_disk(served, upstream):
    first = served.call("character/get", id=1)
    served.close()
    upstream.fail(status=502)
    result = served.again().call("character/get", id=1, cachePolicy="remoteFirst")
    assert result["item"] == first["item"]
    assert (result["source"], result["stale"]) == ("persistence", True)


def test_unreachable_upstream_is_a_network_error(start):
    with socket.socket() as nobody_listens:
        nobody_listens.bind(("127.0.0.1", 0))
        larder = start(upstream=f"http://127.0.0.1:{nobody_listens.getsockname()[1]}")
        assert larder.fails("character/get", id=1).kind == "network"
        larder.alive()


@pytest.mark.parametrize("status", [404, 410])
def test_status_404_and_410_are_notFound(start, upstream, status):
    upstream.fail("/api/character/1", status=status, body="<html>gone</html>")
    error = start().fails("character/get", id=1)
    assert (error.code, error.kind) == (-31003, "notFound")


def test_field_of_the_wrong_type_is_reported_with_its_path(start, upstream):
    upstream.edit("character", 4, status=4)
    larder = start()
    single = larder.fails("character/get", id=4)
    assert (single.kind, single.data["path"]) == ("decodingFailed", "status")
    listed = larder.fails("character/list")
    assert (listed.kind, listed.data["path"]) == ("decodingFailed", "results[3].status")


def test_missing_field_is_reported_with_its_path(start, upstream):
    upstream.edit("character", 4, origin={"url": ""})
    error = start().fails("character/get", id=4)
    assert (error.kind, error.data["path"]) == ("decodingFailed", "origin.name")


@pytest.mark.parametrize("served", ["graphql"], indirect=True)
class TestGraphQL:
    @pytest.mark.parametrize("status", [200, 400])
    def test_graphql_errors_are_reported_and_not_cached(self, served, upstream, status):
        first = served.call("character/get", id=1)
        body = {"data": {"character": None}, "errors": [{"message": "out of portal fluid", "path": ["character", 0]}]}
        upstream.fail(status=status, body=json.dumps(body))
        error = served.fails("character/get", id=2)
        assert (error.code, error.kind) == (-31002, "invalidResponse")
        assert "out of portal fluid" in error.message or "out of portal fluid" in json.dumps(error.data)
        upstream.heal()
        assert served.call("character/get", id=2)["source"] == "remote", "an answer with errors must not be cached"
        upstream.fail(status=status, body=json.dumps(body))
        assert served.call("character/get", id=1, cachePolicy="remoteFirst")["item"] == first["item"]

    def test_missing_graphql_data_is_an_invalid_response(self, served, upstream):
        upstream.fail(status=200, body='{"extensions":{}}')
        assert served.fails("character/get", id=1).kind == "invalidResponse"

    def test_graphql_answer_that_is_not_an_object_fails_to_decode(self, served, upstream):
        upstream.fail(status=200, body="[1,2]")
        assert served.fails("character/get", id=1).kind == "decodingFailed"
