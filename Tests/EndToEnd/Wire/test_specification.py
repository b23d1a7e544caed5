"""Every example of the JSON-RPC 2.0 specification, section 7, and the limits of header framing.

The examples are literal, except that existing methods replace the methods of the specification and take params by name
only.
"""

import json

import pytest

from harness import request

EXAMPLES = {
    "positional parameters": (
        '{"jsonrpc": "2.0", "method": "recents/add", "params": ["text"], "id": 1}',
        {1: -32602},
    ),
    "positional parameters, the other way round": (
        '{"jsonrpc": "2.0", "method": "recents/add", "params": ["scope", "text"], "id": 2}',
        {2: -32602},
    ),
    "named parameters": (
        '{"jsonrpc": "2.0", "method": "recents/add", "params": {"scope": "a", "text": "b"}, "id": 3}',
        {3: {"recents": ["b"]}},
    ),
    "named parameters, the other way round": (
        '{"jsonrpc": "2.0", "method": "recents/add", "params": {"text": "b", "scope": "a"}, "id": 4}',
        {4: {"recents": ["b"]}},
    ),
    "a notification": ('{"jsonrpc": "2.0", "method": "recents/list", "params": [1,2,3,4,5]}', None),
    "a notification without params": ('{"jsonrpc": "2.0", "method": "foobar"}', None),
    "a method that does not exist": ('{"jsonrpc": "2.0", "method": "foobar", "id": "1"}', {"1": -32601}),
    "invalid JSON": ('{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', {None: -32700}),
    "an invalid request": ('{"jsonrpc": "2.0", "method": 1, "params": "bar"}', {None: -32600}),
    "a batch of invalid JSON": (
        '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
        {None: -32700},
    ),
    "an empty batch": ("[]", {None: -32600}),
    "an invalid batch that is not empty": ("[1]", [(None, -32600)]),
    "an invalid batch": ("[1,2,3]", [(None, -32600), (None, -32600), (None, -32600)]),
    "a batch": (
        """[{"jsonrpc": "2.0", "method": "recents/add", "params": {"text": "b"}, "id": "1"},
            {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
            {"jsonrpc": "2.0", "method": "recents/add", "params": [42,23], "id": "2"},
            {"foo": "boo"},
            {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
            {"jsonrpc": "2.0", "method": "recents/list", "id": "9"}]""",
        [("1", {"recents": ["b"]}), ("2", -32602), (None, -32600), ("5", -32601), ("9", {"recents": ["b"]})],
    ),
    "a batch of notifications": (
        """[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
            {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]""",
        None,
    ),
}


def outcome(reply):
    assert reply["jsonrpc"] == "2.0" and ("result" in reply) != ("error" in reply) and len(reply) == 3
    return reply["id"], reply["result"] if "result" in reply else reply["error"]["code"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_of_the_json_rpc_specification_gets_the_documented_reply(larder, name):
    message, expected = EXAMPLES[name]
    larder.alive()
    larder.write(message.replace("\n", " ") + "\n")
    if isinstance(expected, dict):
        id, result = outcome(json.loads(larder.line()))
        assert {id: result} == expected
    elif expected is not None:
        assert sorted(map(outcome, larder.batch()), key=str) == sorted(expected, key=str)
    larder.alive()


GOOD = request("recents/list", id="good").rstrip("\n")
FRAMED = f"Content-Length: {len(GOOD)}\r\n\r\n{GOOD}"


@pytest.mark.parametrize(
    "headers",
    [
        "Content-Length: 1000000000000000000\r\n\r\n",
        "Content-Length: 9223372036854775807\r\n\r\n",
        "Content-Length: 9223372036854775808\r\n\r\n",
        "Content-Length: 99999999999999999999999999\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: -9223372036854775808\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
        "Content-Length: 1.5\r\n\r\n",
        "Content-Length:\r\n\r\n",
        "Content-Type: a/b\r\n\r\n",
        "X: " + "a" * 9000 + "\r\n\r\n",
        "X: 1\r\n" * 2000 + "\r\n",
    ],
    ids=lambda text: text[:50].strip().replace("\r\n", " "),
)
def test_invalid_headers_cause_one_error_and_the_session_continues(command, places, headers):
    """Invalid headers cause one error, and the message after them is answered."""
    done = command(*places, input=(FRAMED + headers + FRAMED).encode())
    bodies = [json.loads(part.partition("\r\n\r\n")[2]) for part in done.stdout.decode().split("Content-Length: ")[1:]]
    assert done.code == 0
    assert [one["result"] for one in bodies if one["id"] == "good"] == [{"recents": []}] * 2
    assert [one["error"]["code"] for one in bodies if one["id"] is None] == [-32600]


@pytest.mark.parametrize("size", [100, 8191, 8192, 8193, 1_000_000])
def test_unterminated_headers_cause_one_error(command, places, size):
    done = command(*places, input=(FRAMED + "X: " + "a" * (size - 3)).encode())
    bodies = [json.loads(part.partition("\r\n\r\n")[2]) for part in done.stdout.decode().split("Content-Length: ")[1:]]
    assert done.code == 0 and sorted(one["id"] or "" for one in bodies) == ["", "good"]
