"""Random input: every message gets at most one reply, and the process stays usable."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import Larder

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
LINES = st.binary(max_size=200).filter(lambda line: b"\n" not in line and line.strip(b" \t\r"))


@pytest.fixture(scope="module")
def greeted(shared_upstream, tmp_path_factory):
    with Larder(tmp_path_factory.mktemp("random"), upstream=shared_upstream) as larder:
        larder.alive()
        yield larder


def only_reply(larder):
    reply = json.loads(larder.line())
    larder.alive()
    return reply


@given(line=LINES)
def test_line_of_random_bytes_is_answered_with_an_error(greeted, line):
    greeted.write(line + b"\n")
    reply = only_reply(greeted)
    for one in reply if isinstance(reply, list) else [reply]:
        assert one["error"]["code"] in (-32700, -32600)


@given(value=VALUES)
def test_json_that_is_not_a_request_is_an_invalid_request(greeted, value):
    greeted.write(json.dumps(value) + "\n")
    reply = only_reply(greeted)
    if isinstance(value, list) and value:
        assert [one["error"]["code"] for one in reply] == [-32600] * len(value)
    else:
        assert reply["error"]["code"] == -32600


@given(id=VALUES, ascii=st.booleans())
def test_random_request_ids_are_echoed_or_refused(greeted, id, ascii):
    message = {"jsonrpc": "2.0", "method": "recents/list", "id": id}
    greeted.write(json.dumps(message, ensure_ascii=ascii) + "\n")
    reply = only_reply(greeted)
    if isinstance(id, (bool, list, dict)):
        assert reply["id"] is None and reply["error"]["code"] == -32600
    else:
        assert reply == {"jsonrpc": "2.0", "id": id, "result": {"recents": []}}


@given(params=VALUES)
def test_random_params_are_answered_with_an_error(greeted, params):
    greeted.send("character/get", params, id="p")
    reply = only_reply(greeted)
    assert reply["id"] == "p" and reply["error"]["code"] in (-32602, -32600)


@given(id=VALUES)
def test_random_item_ids_get_one_reply(greeted, id):
    greeted.send("character/get", {"id": id}, id="p")
    reply = only_reply(greeted)
    assert reply["id"] == "p" and ("result" in reply) != ("error" in reply)
    if "result" in reply:
        assert str(reply["result"]["item"]["id"]) == str(id).strip()


@given(text=TEXT)
def test_any_recent_search_text_is_returned_unchanged(greeted, text):
    # In brackets, because Larder trims white space around a recent search.
    greeted.send("recents/add", {"text": f"[{text}]", "scope": "random"}, id="t")
    assert only_reply(greeted)["result"]["recents"][0] == f"[{text}]"


@given(
    messages=st.lists(TEXT, min_size=1, max_size=8),
    cuts=st.lists(st.integers(min_value=0, max_value=2000), max_size=8),
    end=st.sampled_from(["\n", "\r\n", "\n\n", " \n \n"]),
)
def test_messages_split_at_random_positions_are_answered(greeted, messages, cuts, end):
    stream = "".join(
        json.dumps({"jsonrpc": "2.0", "id": f"{n}{text}", "method": "recents/list"}, ensure_ascii=False) + end
        for n, text in enumerate(messages)
    ).encode()
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    for start, stop in zip(edges, edges[1:]):
        greeted.write(stream[start:stop])
    for n, text in enumerate(messages):
        assert greeted.wait(f"{n}{text}")["result"] == {"recents": []}
    greeted.alive()
