"""httpbin: authentication, redirects, encodings, statuses, delays, JSON lines and cookies."""

import pytest

from serving import Lists, options, serving

SECRETS = {"HTTPBIN_PASSWORD": "httpbin-password", "HTTPBIN_TOKEN": "httpbin-token-1f3a"}
APIS = ["basic", "bearer", "header", "query", "quick"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving("httpbin", tmp_path_factory.mktemp("httpbin")) as url:
        yield url


@pytest.fixture(scope="module")
def another(tmp_path_factory):
    with serving("httpbin", tmp_path_factory.mktemp("another")) as url:
        yield url


@pytest.fixture
def lists(start, home, server):
    return Lists(start, home, options("httpbin", server, *APIS), env=SECRETS)


def test_httpbin_accepts_basic_and_bearer_authentication(lists):
    larder = lists.process()
    for resource in ("basic", "hidden"):
        item = {"user": "somebody", "authenticated": True}
        assert larder.call(f"{resource}/get", id="somebody")["item"] == item
    assert larder.fails("basic/get", id="nobody").kind == "unauthorized"
    assert larder.fails("hidden/get", id="nobody").kind == "notFound"
    assert larder.call("bearer/get", id="x")["item"] == {"authenticated": True}
    found = larder.call("header/get", id="x y&=")["item"]
    assert found == {"headers": {"X-Constant": "a b", "X-Own": "x y&="}, "args": {"id": "x y&=", "n": "1"}}
    assert larder.call("query/get", id="x")["item"]["args"] == {"id": "x"}


def test_json_body_is_received_by_httpbin(lists):
    found = lists.process().call("posted/get", id=7)["item"]
    assert found == {"id": 7, "sent": {"id": 7, "deep": {"why": 7}}, "args": {"v": "2"}}


def test_httpbin_redirects_are_followed_only_over_http(lists, server, another):
    larder = lists.process()
    found = larder.call("redirected/get", id="3")["item"]
    assert found["url"] == f"{server}/get" and found["headers"]["Authorization"] == "Bearer httpbin-token-1f3a"
    assert larder.fails("redirected/get", id="9").kind == "invalidResponse"
    found = larder.call("led/get", id=f"{another}/get")["item"]
    assert found == {"headers": {"Authorization": None}}
    for target in ("ftp://127.0.0.1/x", "file:///etc/passwd", "gopher://127.0.0.1:1/"):
        assert larder.fails("led/get", id=target).kind == "invalidResponse"


@pytest.mark.parametrize("id, flag", [("gzip", "gzipped"), ("deflate", "deflated")])
def test_compressed_bodies_from_httpbin_are_decoded(lists, id, flag):
    assert lists.process().call("encoded/get", id=id)["item"][flag] is True


@pytest.mark.parametrize("status, kind, attempts", [
    (400, "invalidRequest", 1), (401, "unauthorized", 1), (403, "unauthorized", 1), (404, "notFound", 1),
    (410, "notFound", 1), (418, "serverError", 1), (422, "invalidRequest", 1), (429, "rateLimited", 3),
    (500, "serverError", 1), (503, "serverError", 3), (204, "invalidResponse", 1), (304, "serverError", 1),
])
def test_http_statuses_are_mapped_to_error_kinds(lists, status, kind, attempts):
    error = lists.process().fails("status/get", id=str(status))
    assert (error.kind, error.data["attempts"]) == (kind, attempts)
    assert error.data.get("status", 204) == status


def test_slow_httpbin_reply_times_out(lists):
    larder = lists.process()
    assert larder.call("delayed/get", id="0")["item"]["url"].endswith("/delay/0")
    error = larder.fails("delayed/get", id="5")
    assert error.kind == "timeout" and error.data["attempts"] == 1


def test_unchanged_httpbin_data_is_confirmed_by_etag(lists):
    larder = lists.process()
    first = larder.call("tagged/get", id="v1")
    again = larder.call("tagged/get", id="v1", maxAge=0)
    assert again["item"] == first["item"] and again["source"] == "remote"
    assert larder.call("cache/stats")["remote"]["notModified"] == 1


def test_list_in_json_lines_format_is_read(lists):
    lists.check("line", list(range(12)), count=None, pages=1, complete=None)


@pytest.mark.parametrize("id", ["xml", "html", "robots.txt", "image/png", "bytes/9", "encoding/utf8"])
def test_body_that_is_not_json_is_an_error(lists, id):
    error = lists.process().fails("wrong/get", id=id)
    assert error.kind == "decodingFailed" and error.data["path"] == ""


def test_cookies_set_by_httpbin_are_not_stored(lists):
    larder = lists.process()
    larder.call("setting/get", id="sweet")
    assert larder.call("cookie/get", id="x")["item"] == {"cookies": {}}
