"""Malicious or broken input from a client: it causes an error, and the next request is answered."""

import json
import os

import pytest

from harness import request, run

GOOD = request("character/get", {"id": 1, "cachePolicy": "localOnly"}, "good").encode().rstrip(b"\n")
HERE = request("server/status", id="here").encode()


@pytest.fixture
def offline(start):
    return start("--offline", "--no-persistence", upstream=None)


def answers(larder, *lines):
    """Returns the replies to the given lines, which precede a valid last request.

    Each line is answered when it is read, so the reply to the last request comes last.
    """
    larder.write(b"\n".join(lines) + b"\n" + HERE)
    found = []
    while True:
        reply = json.loads(larder.line())
        if isinstance(reply, dict) and reply.get("id") == "here":
            assert "result" in reply, reply
            return found
        found.append(reply)


def codes(larder, *lines):
    """Returns the error codes of the replies to the given lines; None for a result."""
    return [reply.get("error", {}).get("code") for reply in answers(larder, *lines)]


def nested(depth, opening=b"[", closing=b"]", core=b""):
    return opening * depth + core + closing * depth


def call(method=b'"server/status"', id=b"1", params=b"", version=b'"2.0"'):
    params = b',"params":' + params if params else b""
    return b'{"jsonrpc":' + version + b',"id":' + id + b',"method":' + method + params + b"}"


# Invalid JSON texts: each causes a parse error.

BAD_UTF8 = [
    b"\xff", b"\xfe\xff", b"\x80", b"\xc0\xaf", b"\xc1\xbf", b"\xe0\x80\xaf", b"\xe2\x82", b"\xed\xa0\x80",
    b"\xed\xbf\xbf", b"\xf0\x80\x80\xaf", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80",
    b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80",
]  # fmt: skip
CONTROLS = [bytes([code]) for code in range(32) if code not in (10, 13)] + [b"\0" * 100]
# Requests in which invalid bytes replace each `%`, within strings.
IN_TEXTS = [
    b'{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"text":"a%b"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"te%xt":"a"}}',
    b'{"jsonrpc":"2.0","id":1,"meth%od":"recents/add"}',
    b'{"jsonrpc":"2.0","id":1,"method":"recents%/add"}',
    b'{"jsonrpc":"2.0","id":"a%b","method":"recents/list"}',
    b'{"jsonrpc":"2%.0","id":1,"method":"recents/list"}',
]
BETWEEN = [
    b'{%"jsonrpc":"2.0","id":1,"method":"recents/list"}',
    b'{"jsonrpc"%:"2.0","id":1,"method":"recents/list"}',
    b'{"jsonrpc":"2.0","id":1%,"method":"recents/list"}',
    b'{"jsonrpc":"2.0","id":1,"method":"recents/list"}%',
]
NO_NUMBERS = b"NaN Infinity -Infinity 0x10 1_000 +1 01 1. .5 1e 1e+ -- - 1e1.5 1,5 1'000 \xd9\xa1 ".split()
NO_VALUES = b"undefined nil None True TRUE nul tru 'a' \"a `a` a @ $ \\u0041 // /**/ #".split()
NO_VALUES += b'{,} [,] {"a"} {"a":} {a:1} {1:1} [1,,1] {"a":1,}'.split()
NO_STRINGS = [rb'"\x41"', rb'"\u12"', rb'"\uD800"', rb'"\uDC00\uD800"', rb'"\uD800\u0041"', rb'"\a"', rb'"\"', b'"\t"']

NO_JSON = (
    [line.replace(b"%", bad) for line in IN_TEXTS + BETWEEN for bad in BAD_UTF8]
    + [line.replace(b"%", bad) for line in IN_TEXTS for bad in CONTROLS]
    + [line.replace(b"%", bad) for line in BETWEEN for bad in CONTROLS if bad != b"\t"]
    + [call(id=bad) for bad in NO_NUMBERS + NO_VALUES + NO_STRINGS]
    + [call(params=b'{"text":' + bad + b"}") for bad in NO_NUMBERS + NO_VALUES + NO_STRINGS]
    + [GOOD[:cut] for cut in range(1, len(GOOD))]
    + [GOOD + more for more in (b"}", b"]", b",", b"{}", GOOD, b"\0", b"x", b"\xef\xbb\xbf")]
    + [nested(depth) for depth in (513, 600, 100_000)]
    + [nested(depth, b'{"a":', b"}", b"1") for depth in (513, 100_000)]
    + [nested(300, b'[{"a":', b"}]", b"1"), b"[" * 100_000, b'{"a":' * 100_000, b'{"":' * 100_000]
)


def test_invalid_json_is_a_parse_error(offline):
    assert len(NO_JSON) > 500
    for line in NO_JSON:
        assert codes(offline, line) == [-32700], line[:200]


def test_request_with_one_replaced_byte_causes_at_most_one_reply(offline):
    """Replaces each byte of a request. There is at most one reply, and the output is always valid."""
    for place in range(1, len(GOOD)):
        lines = [GOOD[:place] + bytes([byte]) + GOOD[place + 1 :] for byte in (0, 1, 0x22, 0x5C, 0x7D, 0x80, 0xFF)]
        for line in lines:
            # A changed method name may be valid and read the cache, so its reply may come after the next one.
            offline.write(line + b"\n" + HERE)
            assert "result" in offline.wait("here")
    offline.write(request("shutdown", id="last"))
    assert "error" not in offline.wait("last")
    for line in offline.left:
        reply = json.loads(line)
        assert "result" in reply or reply["error"]["code"] in (-32700, -32600, -32601, -32602, -31010), reply


# Requests that are valid JSON but not valid.


@pytest.mark.parametrize(
    "line, code",
    [
        (call(id=b'{"$gt":""}'), -32600),
        (call(id=b"[1]"), -32600),
        (call(id=b"true"), -32600),
        (call(id=nested(500)), -32600),
        (call(version=b"2.0"), -32600),
        (call(version=b'"2.0\\u0000"'), -32600),
        (call(version=b"null"), -32600),
        (call(method=b"1"), -32600),
        (call(method=b"null"), -32600),
        (call(method=b'["server/status"]'), -32600),
        (call(method=b'""'), -32601),
        (call(method=b'"../../etc/passwd"'), -32601),
        (call(method=b'"server/status\\u0000"'), -32601),
        (call(method=b'"SERVER/STATUS"'), -32601),
        (call(method=b'"character/get/"'), -32601),
        (call(method=b'"rpc."'), -32601),
        (call(method=b'"$/"'), -32601),
        (call(method=b'"' + b"a" * 1_000_000 + b'"'), -32601),
        (call(method=b'"\\ud83d\\ude00"'), -32601),
        (call(params=b"[]"), -32602),
        (call(params=b"1"), -32602),
        (call(params=b'"id"'), -32602),
        (call(params=b'{"__proto__":{"id":1}}'), -32602),
        (call(b'"character/get"', params=b'{"id":1e999}'), -32602),
        (call(b'"character/get"', params=b'{"id":-1.5}'), -32602),
        (call(b'"character/get"', params=b'{"id":[[[]]]}'), -32602),
        (call(b'"character/get"', params=b'{"id":"1\\u0000"}'), -32602),
        (call(b'"character/get"', params=b'{"id":"' + b"9" * 100_000 + b'x"}'), -32602),
        (call(b'"character/get"', params=b'{"id":1,"maxAge":1e999}'), -32602),
        (call(b'"character/get"', params=b'{"id":1,"maxAge":"99999999999999999999d"}'), -32602),
        (call(b'"character/getMany"', params=b'{"ids":[' + b"1.5," * 10_000 + b"1]}"), -32602),
        (call(b'"character/list"', params=b'{"page":9223372036854775808}'), -32602),
        (call(b'"character/list"', params=b'{"page":-9223372036854775808}'), -32602),
        (call(b'"character/list"', params=b'{"filter":{"name":{"$ne":null}}}'), -32602),
        (call(b'"character/search"', params=b'{"text":"a","limit":-1}'), -32602),
        (call(b'"character/search"', params=b'{"text":"a","limit":1e400}'), -32602),
        (call(b'"character/search"', params=b'{"text":"a","offset":99999999999999999999}'), -32602),
        (call(b'"character/prefetch"', params=b'{"maxPages":0}'), -32602),
        (call(b'"recents/add"', params=b'{"text":{"toString":"x"}}'), -32602),
        (call(b'"request/explain"', params=b'{"method":"request/explain","params":{}}'), -32602),
    ],
    ids=lambda value: repr(value[-50:]) if isinstance(value, bytes) else None,
)
def test_malicious_request_is_refused(offline, line, code):
    assert codes(offline, line) == [code]


HARM = ["null", "true", "-1", "1e999", '""', '"\\u0000"', '"../.."', "[]", "{}", "9" * 5_000]
HARM += [json.dumps("x" * 100_000), nested(400).decode(), '{"$where":"sleep(1000)"}', json.dumps("' OR 1=1 --")]
HARM += [json.dumps(text) for text in ("\u202e\ufeff\u2028", "%s%n%x", "${env:HOME}", "{id}", "a\r\nX: y", "😀" * 1000)]


def test_every_param_of_every_method_handles_malicious_values(offline):
    """For any value of a param, there is one reply: a result, or an error that names the problem."""
    ending = {"shutdown", "exit", "initialize"}  # These methods end the session, or bind it to a process.
    asked = 0
    for method in offline.call("rpc.discover")["methods"]:
        names = [param["name"] for param in method["params"]] + ["noSuchParam"]
        if method["name"] in ending:
            continue
        ids = []
        for name in names:
            for value in HARM:
                ids.append(f"{method['name']} {name} {len(ids)}")
                text = call(json.dumps(method["name"]).encode(), json.dumps(ids[-1]).encode(), b"{%b:%b}" % (
                    json.dumps(name).encode(), value.encode()))  # fmt: skip
                offline.write(text + b"\n")
        for id in ids:
            reply = offline.wait(id)
            code = reply.get("error", {}).get("code")
            # A valid `sql` is a query, and at most eight queries wait.
            busy = (-31011,) if id.startswith("cache/query sql") else ()
            assert "result" in reply or code in (-32600, -32602, -31001, -31010, *busy), reply
        asked += len(ids)
    assert asked > 1000
    answered = [line for line in offline.left if b'"method"' not in line]
    assert not answered, answered[:3]


# Request ids


@pytest.mark.parametrize(
    "id",
    [
        b'"' + b"i" * 1_000_000 + b'"', b"1" + b"0" * 100_000, b"1e" + b"9" * 1000, b"-0", b"0.1e-7", b"null", b'""',
        b'"\\u0000\\n\\u2028"', b'"\\ud83d\\ude00"', b'"\\u007f"', b'"here"', b"-9223372036854775809",
    ],
    ids=lambda id: id[:20].decode(),
)  # fmt: skip
def test_unusual_request_id_is_echoed(offline, id):
    offline.write(call(id=id) + b"\n")
    line = offline.line()
    assert b"\n" not in line and json.loads(b'{"id":' + id + b"}", parse_float=str, parse_int=len) == {
        "id": json.loads(line, parse_float=str, parse_int=len)["id"]
    }
    offline.alive()


def test_many_requests_with_the_same_id_are_all_answered(larder, upstream):
    hold = upstream.hold("/api/character/1")
    for _ in range(200):
        larder.write(request("character/get", {"id": 1}, "same"))
    hold.wait()
    larder.cancel("same")
    hold.release()
    replies = [larder.wait("same") for _ in range(200)]
    assert all("result" in reply or reply["error"]["code"] == -32800 for reply in replies)
    larder.alive()


# Batches


@pytest.mark.parametrize(
    "batch, count",
    [
        (b"[" + b",".join([call()] * 1000) + b"]", 1000),
        (b"[" + b",".join([b"1"] * 1000) + b"]", 1000),
        (b"[" + b",".join([call(id=b'"same"')] * 500) + b"]", 500),
        (b"[" + b",".join([b"[]"] * 500) + b"]", 500),
        (b"[" + b",".join([nested(400)] * 100) + b"]", 100),
        (b"[" + b",".join([call(b'"no/such"')] * 999 + [b'{"jsonrpc":"2.0","method":"no/such"}']) + b"]", 999),
        (b"[" + nested(510) + b"]", 1),
        (b"[" + call(b'"$/cancelRequest"', params=b'{"id":1}') + b"," + call() + b"]", 2),
    ],
    ids=lambda value: repr(value[-20:]) if isinstance(value, bytes) else None,
)
def test_malicious_batch_has_one_reply_for_each_entry(offline, batch, count):
    (reply,) = answers(offline, batch)
    assert len(reply) == count
    assert all(one.get("error", {}).get("code") in (None, -32600, -32601) for one in reply)


@pytest.mark.parametrize("count", [1001, 100_000])
def test_batch_above_the_limit_is_refused(offline, count):
    assert codes(offline, b"[" + b",".join([b"1"] * count) + b"]") == [-32600]


# Floods


def test_hundred_thousand_unknown_methods_are_refused(home):
    done = run(home, "--offline", "--no-persistence", input="".join(
        request(f"no/{n}", id=n) for n in range(100_000)).encode())  # fmt: skip
    assert done.code == 0
    assert [(reply["id"], reply["error"]["code"]) for reply in done.messages] == [(n, -32601) for n in range(100_000)]


def test_process_survives_a_flood_of_cancellations(larder, upstream):
    """Cancels requests in flight, answered requests, unknown ids and invalid ids."""
    hold = upstream.hold("/api/character")
    for n in range(300):
        larder.send("character/get", {"id": 1 + n % 3, "cachePolicy": "none"}, id=n)
    hold.wait(3)
    ids = [n for n in range(0, 300, 2)] * 20 + list(range(1000, 5000)) + [None, "0", 0.5, {}, [], True, "x" * 100_000]
    cancel = '{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": %s}}\n'
    larder.write("".join(cancel % json.dumps(id) for id in ids))
    for n in range(0, 300, 2):
        assert larder.wait(n)["error"]["code"] == -32800
    hold.release()
    for n in range(1, 300, 2):
        assert "result" in larder.wait(n)
    larder.alive()


def test_flood_of_immediately_cancelled_requests_is_answered(larder):
    text = "".join(
        request("character/get", {"id": 1, "cachePolicy": "none"}, n)
        + json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": n}})
        + "\n"
        for n in range(2000)
    )
    larder.write(text)
    codes = {larder.wait(n).get("error", {}).get("code") for n in range(2000)}
    assert codes <= {None, -32800, -31011} and -32800 in codes
    larder.alive()


def test_endless_input_line_takes_bounded_memory(start):
    larder = start("--max-message", "64KiB", "--offline", "--no-persistence", upstream=None)
    larder.write(b'{"a":"')
    before = memory(larder)
    for _ in range(64):
        larder.write(b"x" * (1 << 20))
    larder.write(b'"}\n' + HERE)
    assert larder.refusal(json.loads(larder.line())).code == -32600
    assert "result" in larder.wait("here")
    assert memory(larder) - before < 16 << 20


@pytest.mark.parametrize("piece", [1, 2, 7])
def test_message_written_in_small_pieces_is_answered(offline, piece):
    text = request("recents/add", {"text": "☃ " * 40}).encode() + HERE
    for start in range(0, len(text), piece):
        offline.write(text[start : start + piece])
    assert offline.wait(1)["result"] == {"recents": [("☃ " * 40).strip()]}
    assert "result" in offline.wait("here")


def memory(larder):
    """Returns the resident memory in bytes."""
    with open(f"/proc/{larder.process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# Headers. Each of these streams starts a session.

BODY = request("server/status", id="first").encode()


def framed(body=BODY, *headers):
    return b"".join(header + b"\r\n" for header in headers or [b"Content-Length: %d" % len(body)]) + b"\r\n" + body


LENGTHS = [
    b"", b" ", b"-1", b"+5", b"0x10", b"1e3", b"1.5", b"\xd9\xa1", b"5 5", b"5,5", b"18446744073709551616", b"NaN",
    b"9223372036854775807", b"9223372036854775808", b"4294967297", b"9" * 10_000, b"1" + b"\0" * 10, b"\xff", b"'5'",
]  # fmt: skip
# Streams with an invalid length. Larder reports it and finds the next valid message.
WRONG = [framed(BODY, b"Content-Length: " + length) for length in LENGTHS] + [
    framed(BODY, b"Content-Length:" + b"a" * 1_000_000),
    framed(BODY, *[b"X-%d: y" % n for n in range(10_000)], b"Content-Length: %d" % len(BODY)),
    framed(BODY, b"X: " + b"y" * 1_000_000, b"Content-Length: %d" % len(BODY)),
    framed(BODY, b"Content-Type: text/plain"),
    framed(BODY, b"Transfer-Encoding: chunked"),
    framed(BODY, b"Content-Length 5"),
    framed(b"\xff" * 100),
    framed(nested(10_000)),
    framed(b"{" + b"\0" * 100),
    framed(b"x" * (1 << 20)),
]
# Unusual but valid headers.
ODD = [
    framed(BODY, b"CONTENT-LENGTH: %d" % len(BODY)),
    framed(BODY, b"content-length:%d" % len(BODY)),
    framed(BODY, b"Content-Length: \t %d \t" % len(BODY)),
    framed(BODY, *[b"X-%d: y" % n for n in range(100)], b"Content-Length: %d" % len(BODY)),
    framed(BODY, b"Content-Length: %d" % len(BODY), b"Content-Type: application/vscode-jsonrpc; charset=utf-8"),
    framed(BODY, b"Content-Length: 0000000%d" % len(BODY)),
    b"\n\r\n  " + framed(),
    framed().replace(b"\r\n", b"\n"),
]


def framed_replies(output):
    """Returns the messages of a stream with headers. Fails if the framing is not exactly right."""
    found = []
    while output:
        head, _, rest = output.partition(b"\r\n\r\n")
        assert head.startswith(b"Content-Length: ") and b"\r\n" not in head, output[:200]
        length = int(head[16:])
        assert len(rest) >= length, output[:200]
        found.append(json.loads(rest[:length]))
        output = rest[length:]
    return found


def serve(home, stream, *options):
    done = run(home, "--offline", "--no-persistence", *options, input=stream)
    assert done.code == 0, done
    return done.stdout


@pytest.mark.parametrize("stream", ODD, ids=lambda stream: repr(stream[:40]))
def test_unusual_message_headers_are_accepted(home, stream):
    assert [reply["id"] for reply in framed_replies(serve(home, stream + framed(HERE)))] == ["first", "here"]


@pytest.mark.parametrize("stream", WRONG, ids=lambda stream: repr(stream[:40]))
def test_invalid_message_headers_are_skipped(home, stream):
    replies = framed_replies(serve(home, framed() + stream + framed(HERE)))
    assert replies[0]["id"] == "first" and "result" in replies[0]
    assert replies[-1]["id"] == "here" and "result" in replies[-1], replies
    assert 3 <= len(replies) < 10
    # After a skipped header, the following message may be found on its own.
    for reply in replies[1:-1]:
        assert reply["id"] == "first" or reply["error"]["code"] in (-32700, -32600), reply


@pytest.mark.parametrize("stream", WRONG + ODD, ids=lambda stream: repr(stream[:40]))
def test_session_that_starts_with_invalid_bytes_replies_in_one_framing(home, stream):
    """The first bytes decide the framing. Whatever they are, all replies use one framing, and the process exits."""
    output = serve(home, stream)
    replies = framed_replies(output) if output.startswith(b"Content") else [json.loads(x) for x in output.splitlines()]
    assert replies, output
    assert all("result" in reply or reply["error"]["code"] in (-32700, -32600) for reply in replies)


@pytest.mark.parametrize("cut", range(1, len(framed()), 5))
def test_framed_message_that_is_cut_is_an_error(home, cut):
    replies = framed_replies(serve(home, framed() + framed(HERE)[:cut]))
    assert replies[0]["id"] == "first"
    assert len(replies) <= 2 and all(reply["error"]["code"] in (-32700, -32600) for reply in replies[1:])


@pytest.mark.parametrize(
    "stream",
    [BODY + framed(HERE), BODY + framed(HERE) * 3 + BODY, framed() + HERE + framed(HERE), framed() + HERE * 100],
    ids=["lines then headers", "lines, headers, lines", "headers, a line, headers", "headers then lines"],
)
def test_message_in_another_framing_is_answered_or_refused(home, stream):
    output = serve(home, stream)
    if stream.startswith(b"{"):
        replies = [json.loads(line) for line in output.splitlines()]
    else:
        replies = framed_replies(output)
    assert "result" in replies[0] and replies[0]["id"] == "first"
    assert all("result" in reply or reply["error"]["code"] in (-32700, -32600) for reply in replies)


STEPS = [
    "../../x", "..", ".", "x/..", "x/./y", "./x", "..\\x", "x\\..", "..;a=b", "x/..;/y", "%2e%2e/x", "%2E%2E%2Fx",
    "x%2f..", "..%5cx", "%252e%252e", "%25252e./x",
]
NAMES = ["...", "v1..2", "a.b", ".x", "x.", "..x", "x/.../y", "a/b", "100%", "%2e%2ex", "x..", ".git/config"]


@pytest.fixture
def paths(home, start, upstream):
    """A process with resources whose values are used in a path, in a query, and in GraphQL variables."""
    text, scope = {"id": "string", "api": "a"}, {"owner": {"type": "string"}}
    query = "query ($id: ID!, $owner: String!) { thing(id: $id, owner: $owner) { id } }"
    resources = {
        "plain": {"rest": {"get": {"path": "/things/{id}"}, "getMany": {"path": "/things/{ids}"}}},
        "spread": {"rest": {"get": {"path": "/files/{+id}"}}},
        "owned": {"scope": scope, "rest": {"get": {"path": "/of/{owner}/{id}"}, "list": {"path": "/of/{owner}"}}},
        "asked": {"scope": scope, "rest": {"get": {"path": "/one", "query": {"id": "{id}", "of": "{owner}"}}}},
        "graph": {"scope": scope, "graphql": {"path": "/graphql", "get": {"query": query, "item": "thing"}}},
    }
    catalog = {"larder": 1, "apis": {"a": {"baseURL": upstream.url, "retries": 0}}}
    catalog["resources"] = {name: {**text, **resource} for name, resource in resources.items()}
    (home / "catalog.json").write_text(json.dumps(catalog))
    return start("--catalog", home / "catalog.json", upstream=None)


@pytest.mark.parametrize("value", STEPS)
def test_param_values_that_are_dot_segments_are_refused_in_url_paths(paths, upstream, value):
    for name, method, params in [
        ("id", "plain/get", {"id": value}), ("ids", "plain/getMany", {"ids": ["1", value]}),
        ("id", "spread/get", {"id": value}), ("id", "owned/get", {"id": value, "owner": "me"}),
        ("owner", "owned/get", {"id": "1", "owner": value}), ("owner", "owned/list", {"owner": value}),
        ("owner", "owned/prefetch", {"owner": value}), ("id", "plain/observe", {"id": value}),
        ("id", "request/explain", {"method": "plain/get", "params": {"id": value}}),
    ]:
        error = paths.refusal(paths.wait(paths.send(method, params)))
        assert error.code == -32602, (method, error)
        assert f"'{name}' must not have a segment '.' or '..'" in error.message, (method, error)
    assert not upstream.requests()


@pytest.mark.parametrize("value", STEPS)
def test_param_values_that_are_dot_segments_are_accepted_outside_url_paths(paths, upstream, value):
    for method in ("asked/get", "graph/get"):
        reply = paths.wait(paths.send(method, {"id": value, "owner": value}))
        assert reply.get("error", {}).get("code") != -32602, reply
    assert len(upstream.requests()) == 2


@pytest.mark.parametrize("value", NAMES)
def test_param_values_that_contain_dots_are_accepted_in_url_paths(paths, upstream, value):
    for method, params in [("plain/get", {"id": value}), ("spread/get", {"id": value}),
                           ("owned/get", {"id": value, "owner": value})]:
        reply = paths.wait(paths.send(method, params))
        assert reply.get("error", {}).get("code") != -32602, reply
    assert len(upstream.requests()) == 3
