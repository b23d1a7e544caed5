"""Malformed answers of an API: the error names the problem, and a cached entry is returned instead."""

import gzip
import json
import threading

import pytest

from answering import Answering, answer, answer_of

GOOD = {"id": 1, "name": "good"}
ZIPPED = gzip.compress(json.dumps(GOOD).encode())
MEG = 1 << 20


@pytest.fixture
def api():
    with Answering() as server:
        yield server


@pytest.fixture
def serve(start, api, home):
    """`serve(**api_settings)` starts a process that serves `thing` and has the thing 1 in its cache, stale."""

    def serve(graphql=False, **of_the_api):
        thing = {"api": "a", "id": "integer", "fields": {"id": "integer", "name": "string"}}
        if graphql:
            query = "query($id: ID!) { thing(id: $id) { id name } }"
            thing["graphql"] = {"path": "/q", "get": {"query": query, "item": "thing"}}
        else:
            thing["rest"] = {"get": {"path": "/things/{id}"}}
        catalog = {
            "larder": 1,
            "apis": {"a": {"baseURL": api.url, "retries": 2, **of_the_api}},
            "resources": {"thing": thing},
        }
        (home / "catalog.json").write_text(json.dumps(catalog))
        larder = start("--catalog", home / "catalog.json", upstream=None)
        api.say = answer_of({"data": {"thing": GOOD}} if graphql else GOOD)
        assert larder.call("thing/get", id=1)["item"] == GOOD
        api.requests.clear()
        return larder

    return serve


def check(larder, kind, *words):
    """Checks that the thing 2 fails with the given kind of error, and that the thing 1 is returned from the cache
    with the same fallback."""
    error = larder.fails("thing/get", id=2)
    kept = larder.call("thing/get", id=1, cachePolicy="remoteFirst")
    assert error.kind == kind, error
    for word in words:
        assert word in error.message, error
    assert (kept["item"], kept["stale"]) == (GOOD, True)
    assert kept["fallback"]["data"]["kind"] == kind
    larder.alive()
    return error


@pytest.mark.parametrize(
    "status, location",
    [
        (301, "file:///etc/passwd"),
        (302, "ftp://127.0.0.1/x"),
        (303, "javascript:alert(1)"),
        (307, "http://["),
        (308, "http://127.0.0.1:99999/"),
        (302, "gopher:"),
    ],
)
def test_redirect_that_cannot_be_followed_is_an_error(serve, api, status, location):
    larder = serve()
    api.say = answer(f"Location: {location}", "Content-Length: 0", status=f"{status} Moved")
    error = check(larder, "invalidResponse", f"cannot follow the redirect to '{location}': ")
    assert error.data["attempts"] == 1, "a retry would be redirected again"
    assert len(api.requests) == 2


@pytest.mark.parametrize("fields", [[], ["Location: "]])
def test_redirect_without_a_location_is_an_error(serve, api, fields):
    larder = serve()
    api.say = answer(*fields, "Content-Length: 0", status="302 Moved")
    check(larder, "invalidResponse", "redirect (status 302) without a target")


def test_redirect_location_is_shortened_and_redacted(serve, api):
    larder = serve()
    api.say = answer("Location: ftp://me:pass-w0rd@host/" + "x" * 50_000, "Content-Length: 0", status="302 F")
    error = check(larder, "invalidResponse", "'ftp://***@host/xxx")
    assert len(error.message) < 1000


def test_redirect_loop_is_an_error(serve, api):
    larder = serve()
    api.say = answer("Location: /round", "Content-Length: 0", status="302 F")
    check(larder, "invalidResponse", "redirected more than 5 times")


ODD_BODIES = {
    "garbage after gzip": (["Content-Encoding: gzip"], ZIPPED + b"garbage", "Content-Encoding (gzip)"),
    "gzip twice over": (["Content-Encoding: gzip"], ZIPPED + ZIPPED, "Content-Encoding (gzip)"),
    "no gzip at all": (["Content-Encoding: gzip"], b"abcd", "incorrect header check"),
    "a wrong checksum": (["Content-Encoding: gzip"], ZIPPED[:-8] + b"\0" * 8, "incorrect data check"),
    "no deflate": (["Content-Encoding: deflate"], b"\xff" * 9, "unencoding"),
    "an unknown encoding": (["Content-Encoding: unheard"], b"abcd", "ncoding"),
    "ten encodings": ([f"Content-Encoding: {', '.join(['gzip'] * 10)}"], b"abcd", "ncoding"),
}


@pytest.mark.parametrize("name", ODD_BODIES)
def test_body_with_an_invalid_content_encoding_is_an_error(serve, api, name):
    headers, body, words = ODD_BODIES[name]
    larder = serve()
    api.say = answer(*headers, f"Content-Length: {len(body)}", body=body)
    error = check(larder, "invalidResponse", words)
    assert "disk" not in error.message and error.data["attempts"] == 1


ODD_HEADS = {
    "a long line": (answer("X: " + "x" * 150_000, body=b"{}"), "100 KiB"),
    "a line without end": (b"HTTP/1.1 200 OK\r\nX: " + b"x" * MEG, "100 KiB"),
    "a long status": (b"HTTP/1.1 200 " + b"x" * 150_000 + b"\r\n\r\n{}", "100 KiB"),
    "many lines": (answer(*["X: " + "x" * 8000] * 60, body=b"{}"), "header section is larger"),
    "a NUL in a value": (answer("X: a\0b", "Content-Length: 2", body=b"{}"), "Nul byte"),
    "a NUL in a name": (answer("X\0: b", "Content-Length: 2", body=b"{}"), "Nul byte"),
    "a line without a colon": (answer("Garbage", "Content-Length: 2", body=b"{}"), "colon"),
    "a flood of 1xx": (b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000, "header section is larger"),
    "a length below zero": (answer("Content-Length: -5", body=b"{}"), "Content-Length"),
    "no HTTP": (b'{"id": 1, "name": "x"}', "HTTP"),
    "a status of four digits": (answer("Content-Length: 2", body=b"{}", status="1000 X"), "response code"),
    "an unknown transfer encoding": (answer("Transfer-Encoding: foo", body=b"{}"), "ncoding"),
}


@pytest.mark.parametrize("name", ODD_HEADS)
def test_invalid_response_head_is_an_error(serve, api, name):
    say, words = ODD_HEADS[name]
    larder = serve()
    api.say = say
    error = check(larder, "invalidResponse", words)
    assert "memory" not in error.message and error.data["attempts"] == 1


CHUNKS = {
    "no number": b"zz\r\nabc\r\n",
    "a number without end": b"f" * 40 + b"\r\nabc\r\n",
    "more than announced": b"3\r\nabcdef\r\n0\r\n\r\n",
    "a trailer of a long line": b"2\r\n{}\r\n0\r\nX: " + b"x" * 150_000 + b"\r\n\r\n",
}


@pytest.mark.parametrize("name", CHUNKS)
def test_body_with_invalid_chunks_is_an_error(serve, api, name):
    larder = serve()
    api.say = answer("Transfer-Encoding: chunked", body=CHUNKS[name])
    error = check(larder, "invalidResponse", "Transfer-Encoding (chunked)")
    assert error.data["attempts"] == 1


@pytest.mark.parametrize(
    "say",
    [
        answer("Content-Length: 50", body=b'{"id": 2'),
        answer("Transfer-Encoding: chunked", body=b"5\r\nab"),
        answer("Content-Length: 9x", body=b"{}"),
        b"",
    ],
    ids=["a length", "chunks", "an odd length", "nothing"],
)
def test_truncated_answer_is_retried(serve, api, say):
    larder = serve()
    api.say = say
    assert check(larder, "network").data["attempts"] == 3


@pytest.mark.parametrize(
    "body",
    [
        b"\0" * 1000,
        b'{"id": 2, "name": "a\0b"}',
        b'{"id": 2, "name": "\xff\xfe"}',
        '{"id": 2, "name": "x"}'.encode("utf-16"),
        b'{"id": 2, "name": "\\ud800"}',
        b"[" * 100_000,
        b'{"id": 2, "name": "x"} {}',
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf\xef\xbb\xbf{}",
    ],
    ids=range(9),
)
def test_body_that_is_not_json_is_an_error(serve, api, body):
    larder = serve()
    api.say = answer_of(body)
    check(larder, "decodingFailed", "not JSON")


def test_byte_order_mark_of_a_json_reply_is_ignored(serve, api):
    larder = serve()
    api.say = answer_of(b'\xef\xbb\xbf{"id": 2, "name": "marked"}')
    assert larder.call("thing/get", id=2)["item"] == {"id": 2, "name": "marked"}


def test_byte_order_mark_of_a_graphql_reply_is_ignored(serve, api):
    larder = serve(graphql=True)
    api.say = answer_of(b'\xef\xbb\xbf{"data": {"thing": {"id": 2, "name": "marked"}}}')
    assert larder.call("thing/get", id=2)["item"] == {"id": 2, "name": "marked"}


def test_byte_order_mark_of_a_recorded_reply_is_ignored(serve, api, start, home):
    serve()
    api.say = answer_of({"id": 2, "name": "recorded"})
    options = ["--catalog", home / "catalog.json", "--no-persistence"]
    assert start(*options, "--record", home / "tape", upstream=None).call("thing/get", id=2)["source"] == "remote"
    (cassette,) = (home / "tape").glob("*.json")
    cassette.write_bytes(b"\xef\xbb\xbf" + cassette.read_bytes())
    replay = start(*options, "--replay", home / "tape", upstream=None)
    assert replay.call("thing/get", id=2)["item"]["name"] == "recorded"


@pytest.mark.parametrize(
    "say", [answer(f"Content-Length: {2 * MEG}"), answer(body=b" " * 2 * MEG)], ids=["announced", "not announced"]
)
def test_reply_body_above_the_size_limit_is_refused(serve, api, say):
    larder = serve(maxBodySize="1MiB")
    api.say = say
    check(larder, "tooLarge", str(MEG))


def test_reply_body_above_the_size_limit_after_decompression_is_refused(serve, api):
    larder = serve(maxBodySize="1MiB")
    bomb = gzip.compress(b" " * 64 * MEG)
    api.say = answer("Content-Encoding: gzip", f"Content-Length: {len(bomb)}", body=bomb)
    check(larder, "tooLarge", str(MEG))


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX: ", answer("Content-Length: 900")], ids=["head", "body"])
def test_slow_answer_is_limited_by_the_timeout(serve, api, head):
    """The timeout covers the whole call, even if bytes keep arriving."""
    larder = serve(timeout=2, retries=0)
    gone = threading.Event()

    def drip(_):
        yield head
        while not gone.wait(0.02):
            yield b" "

    api.say = drip
    try:
        check(larder, "timeout")
    finally:
        gone.set()


def test_reply_with_header_values_that_are_not_utf8_is_accepted(serve, api):
    larder = serve()
    odd = "".join(chr(code) for code in range(0x80, 0x100))
    api.say = answer_of({"id": 2, "name": "x"}, f'ETag: "{odd}"', f"X: {odd}", ": empty", "X:", "X: \t")
    assert larder.call("thing/get", id=2)["source"] == "remote"
    assert larder.call("thing/get", id=2, maxAge=0)["source"] == "remote"
    larder.alive()


@pytest.fixture
def tokens(home, start, api):
    """`tokens(say)` starts a process whose API needs a token, and whose token endpoint answers with `say`."""

    def tokens(say):
        auth = {"oauth2": {"tokenURL": f"{api.url}/token", "clientID": "me", "clientSecret": "s3cr3t-s3cr3t"}}
        thing = {"api": "a", "id": "integer", "rest": {"get": {"path": "/things/{id}"}}}
        apis = {"a": {"baseURL": api.url, "retries": 0, "auth": auth}}
        (home / "catalog.json").write_text(json.dumps({"larder": 1, "apis": apis, "resources": {"thing": thing}}))
        api.say = lambda request: say if request.startswith((b"POST /token", b"GET /token")) else answer_of(GOOD)
        return start("--catalog", home / "catalog.json", upstream=None)

    return tokens


@pytest.mark.parametrize("status", ["301 M", "302 F", "303 S", "307 T", "308 P"])
def test_oauth_token_endpoint_redirect_to_another_origin_is_refused(tokens, status):
    """The other origin receives no request and cannot issue a token."""
    with Answering() as other:
        other.say = answer_of({"access_token": "planted-token", "token_type": "bearer"})
        larder = tokens(answer(f"Location: {other.url}/token", "Content-Length: 0", status=status))
        error = larder.fails("thing/get", id=1)
        assert error.kind == "invalidResponse"
        assert "the redirect leads to another origin; set 'tokenURL'" in error.message
        assert not other.requests


def test_oauth_token_endpoint_redirect_within_its_origin_is_followed(tokens, api):
    larder = tokens(answer("Location: /other", "Content-Length: 0", status="307 T"))
    token = answer_of({"access_token": "good-token"})
    api.say, say = lambda request: token if b" /other " in request[:20] else say(request), api.say
    assert larder.call("thing/get", id=1)["item"] == GOOD


@pytest.mark.parametrize("type", ["mac", "DPoP", "N_A", "bearer x", "BearerToken", 5, ["bearer"], {}, True])
def test_oauth_token_of_a_type_other_than_bearer_is_refused(tokens, api, type):
    larder = tokens(answer_of({"access_token": "good-token", "token_type": type}))
    error = larder.fails("thing/get", id=1)
    assert error.kind == "invalidResponse" and "'token_type'" in error.message and "bearer" in error.message
    assert not any(b"good-token" in request for request in api.requests)


@pytest.mark.parametrize("type", [{}, {"token_type": None}, {"token_type": ""}, {"token_type": "BEARER"}])
def test_oauth_token_type_may_be_absent_or_in_any_case(tokens, type):
    assert tokens(answer_of({"access_token": "good-token", **type})).call("thing/get", id=1)["item"] == GOOD
