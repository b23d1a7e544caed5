"""The three dialects in random order in one session: each reply follows the rules of its request's dialect."""

import json

from hypothesis import given
from hypothesis import strategies as st

from harness import Larder
from mcp_client import LATEST, META, P, STATELESS, check, hello

NEW, OLD, NATIVE = "stateless", "handshake", "native"
# Requests that any dialect may contain. For each dialect: None for a result, or the code of the error.
GET = {"resource": "character", "id": 1, "cachePolicy": "localOnly"}
ASKED = [
    ("tools/list", {}, {NEW: None, OLD: None, NATIVE: -32601}),
    ("tools/call", {"name": "get_item", "arguments": GET}, {NEW: None, OLD: None, NATIVE: -32601}),
    ("tools/call", {"name": "nothing"}, {NEW: -32602, OLD: -32602, NATIVE: -32601}),
    ("resources/read", {"uri": "larder://character"}, {NEW: None, OLD: None, NATIVE: -32601}),
    ("resources/read", {"uri": "larder://nothing"}, {NEW: -32602, OLD: -32002, NATIVE: -32601}),
    ("resources/subscribe", {"uri": "larder://episode/1"}, {NEW: -32601, OLD: None, NATIVE: -32601}),
    ("resources/unsubscribe", {"uri": "larder://episode/1"}, {NEW: -32601, OLD: None, NATIVE: -32601}),
    ("server/discover", {}, {NEW: None, OLD: -32601, NATIVE: -32601}),
    ("ping", {}, {NEW: -32601, OLD: None, NATIVE: None}),
    ("prompts/list", {}, {NEW: -32601, OLD: -32601, NATIVE: -32601}),
    ("server/status", {}, {NEW: -32601, OLD: -32601, NATIVE: None}),
    ("character/get", {"id": 1, "cachePolicy": "localOnly"}, {NEW: -32601, OLD: -32601, NATIVE: -31010}),
    ("character/search", {"text": "x"}, {NEW: -32601, OLD: -32601, NATIVE: None}),
    ("cache/stats", {}, {NEW: -32601, OLD: -32601, NATIVE: None}),
]
NOTICES = ["notifications/cancelled", "notifications/initialized", "notifications/progress", "initialized", "exit/not"]
UNKNOWN = {**META, P + "protocolVersion": "2030-01-01"}

step = st.one_of(
    st.tuples(st.just("ask"), st.sampled_from(ASKED), st.booleans()),
    st.tuples(st.just("ask"), st.sampled_from(ASKED), st.booleans()),
    st.tuples(st.just("unknown version"), st.sampled_from(ASKED), st.none()),
    st.tuples(st.just("no capabilities"), st.sampled_from(ASKED), st.none()),
    st.tuples(st.just("notice"), st.sampled_from(NOTICES), st.booleans()),
    st.tuples(st.just("lsp"), st.none(), st.none()),
    st.tuples(st.just("handshake"), st.sampled_from([LATEST, "2024-11-05", STATELESS]), st.booleans()),
)


def messages(steps):
    """Returns the messages to send and, for each id, its dialect and the expected outcome: None for a result, else an
    error code."""
    sent, wanted, is_shaken = [], {}, False
    for id, (kind, what, is_new) in enumerate(steps):
        base = OLD if is_shaken else NATIVE
        meta = {"_meta": META} if is_new else {}
        if kind == "notice":
            sent.append({"jsonrpc": "2.0", "method": what, "params": {"requestId": 10**6, **meta}})
            continue
        if kind == "handshake":
            method, params = "initialize", {**hello(what), **meta}
            # A stateless version in `_meta` comes first, and has no handshake.
            wanted[id] = (NEW, method, -32601) if is_new else (OLD, method, None)
            is_shaken = is_shaken or not is_new
        elif kind == "lsp":
            method, params = "initialize", {"capabilities": {}}
            # A request without a version belongs to the protocol only if its session had a handshake.
            wanted[id] = (base, method, None if base == NATIVE else -32602)
        else:
            method, params, results = what
            if kind == "ask":
                dialect = NEW if is_new else base
                wanted[id] = (dialect, method, results[dialect])
            else:
                meta = {"_meta": UNKNOWN if kind == "unknown version" else {P + "protocolVersion": STATELESS}}
                wanted[id] = (NEW, method, -32022 if kind == "unknown version" else -32602)
            params = {**params, **meta}
        sent.append({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    return sent, wanted


def holds(reply, dialect, method, code):
    assert set(reply) == {"jsonrpc", "id", "result" if code is None else "error"}, (dialect, method, reply)
    if code is not None:
        assert reply["error"]["code"] == code, (dialect, method, reply)
        if code == -32022:
            assert reply["error"]["data"] == {"supported": [STATELESS], "requested": "2030-01-01"}
    elif dialect == NATIVE:
        assert not {"resultType", "_meta", "content", "contents", "protocolVersion"} & set(reply["result"])
    else:
        check(reply["result"], method, dialect == NEW)
        assert method != "initialize" or reply["result"]["protocolVersion"] in (LATEST, "2024-11-05")


@given(steps=st.lists(step, min_size=1, max_size=30), is_at_once=st.booleans())
def test_each_reply_in_a_mixed_session_follows_the_dialect_of_its_request(tmp_path_factory, steps, is_at_once):
    sent, wanted = messages(steps)
    lines = [json.dumps(message) + "\n" for message in sent]
    with Larder(tmp_path_factory.mktemp("mixed"), "--offline") as larder:
        if is_at_once:
            larder.write("".join(lines))
        for line, message in zip(lines, sent):
            if not is_at_once:
                larder.write(line)
            if "id" in message:
                holds(larder.wait(message["id"]), *wanted[message["id"]])
    assert not larder.left, "a message without a request"
