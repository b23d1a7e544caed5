"""Traces: `$/setTrace`, `initialize.trace` and `$/logTrace`."""

import json
import re

import pytest

from harness import request


def next_trace(larder):
    params = larder.notification("$/logTrace")
    match = re.fullmatch(r"(.*) in [0-9]+\.[0-9]+ ms", params["message"])
    assert match and set(params) <= {"message", "verbose"}, params
    return match.group(1), params.get("verbose")


def test_no_trace_is_sent_if_trace_is_off(larder):
    larder.call("initialize", trace="off")
    larder.call("character/get", id=1)
    larder.alive()


@pytest.mark.parametrize("value, verbose", [("messages", None), ("verbose", 'params: {"id":1}')])
def test_each_request_is_traced_once(larder, value, verbose):
    larder.call("initialize", trace=value)
    for _ in range(2):  # First from the remote, then from memory.
        asked = larder.send("character/get", {"id": 1})
        assert "result" in larder.wait(asked)
        assert next_trace(larder) == (f"character/get {asked}: done", verbose)
    larder.notify("$/setTrace", {"value": "off"})
    larder.alive()


def test_errors_notifications_and_batches_are_traced(larder):
    larder.notify("$/setTrace", {"value": "messages"})
    larder.fails("no/such")
    assert next_trace(larder)[0].startswith("no/such 1: error -32601, ")
    larder.fails("character/get", id=99999)
    assert next_trace(larder)[0].startswith("character/get 2: error -31003, ")
    larder.notify("initialized")
    assert next_trace(larder)[0] == "initialized: done"
    larder.write(json.dumps([json.loads(request("recents/list", id=id)) for id in ("a", "b")]) + "\n")
    assert {next_trace(larder)[0], next_trace(larder)[0]} == {'recents/list "a": done', 'recents/list "b": done'}
    assert len(larder.batch()) == 2
    larder.notify("$/setTrace", {"value": "off"})
    larder.alive()


def test_cancelled_request_is_traced_once(larder, upstream):
    larder.notify("$/setTrace", {"value": "messages"})
    hold = upstream.hold("/api/character/1")
    asked = larder.send("character/get", {"id": 1})
    hold.wait()
    larder.cancel(asked)
    assert larder.wait(asked)["error"]["code"] == -32800
    assert {next_trace(larder)[0], next_trace(larder)[0]} == {
        f"character/get {asked}: error -32800, the request was cancelled,",
        "$/cancelRequest: done",
    }
    hold.release()
    larder.notify("$/setTrace", {"value": "off"})
    larder.alive()


def test_request_that_finishes_after_trace_is_turned_off_is_not_traced(larder, upstream):
    larder.notify("$/setTrace", {"value": "verbose"})
    hold = upstream.hold("/api/character/1")
    asked = larder.send("character/get", {"id": 1})
    hold.wait()
    larder.notify("$/setTrace", {"value": "off"})
    # The reply shows that Larder has read the `$/setTrace` message.
    larder.alive()
    hold.release()
    assert "result" in larder.wait(asked)
    larder.alive()


@pytest.mark.parametrize("value", ["loud", 1, None])
def test_invalid_trace_value_is_refused(larder, value):
    assert larder.fails("$/setTrace", value=value).code == -32602
    larder.alive()


def test_trace_contains_no_secret(start, catalog):
    """An API error repeats a secret of the catalog. The trace must not contain the secret."""
    larder = start("--catalog", catalog(auth={"bearer": "${env:SECRET_TOKEN}"}), env={"SECRET_TOKEN": "hush-hush-hush"})
    larder.notify("$/setTrace", {"value": "verbose"})
    larder.fails("character/get", id=99999)
    larder.call("character/get", id=1)
    larder.end_input()
    assert larder.close() == 0
    assert not any(b"hush" in line for line in larder.left)
