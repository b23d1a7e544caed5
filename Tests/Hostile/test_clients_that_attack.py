"""What a client may send that means harm, or breaks off: it gets an error, and the next one its answer."""

import json

import pytest

DEEP = 600


@pytest.mark.parametrize(
    "line, code",
    [
        (b"[" * DEEP + b"]" * DEEP, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}", -32700),
        (b'{"jsonrpc":"2.0","id":{"$gt":""},"method":"server/status"}', -32600),
        (b"{" + b"\0" * 64 + b"}", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"../../etc/passwd"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"character/get","params":{"id":1e999}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"character/get","params":{"id":[[[]]]}}', -32602),
    ],
)
def test_a_line_that_means_harm(larder, line, code):
    larder.write(line + b"\n")
    assert larder.refusal(json.loads(larder.line())).code == code
    larder.alive()
