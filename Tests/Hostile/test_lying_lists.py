"""APIs with wrong page information: each pagination style against each kind of wrong answer.

The pagination always ends. No item is lost or repeated without notice, no cached entry is lost, and an incomplete list
is never reported as complete.
"""

import json

import pytest

from scripted import serving

SIZE = 3
ALL = list(range(1, 9))


def things(ids):
    return [{"id": id, "name": f"thing {id}"} for id in ids]


class Liar:
    """The answers of the server. A test can replace each attribute. An attribute that is a function takes the requested
    offset."""

    def __init__(self):
        self.asked = []
        self.list = ALL
        self.ids = lambda start: self.list[start : start + SIZE]
        self.next = lambda start: start + SIZE if start + SIZE < len(self.list) else None
        self.more = {}
        self.status = lambda start: 200
        self.body = None
        self.headers = {}


@pytest.fixture
def liar():
    """A server that supports every pagination style. `start` is the requested offset in each style."""
    liar = Liar()

    def answer(request):
        if request.method == "POST":
            start = int(request.json["variables"].get("after") or 0)
        else:
            start = int(request.query.get("start") or (int(request.query.get("page", 1)) - 1) * SIZE)
        liar.asked.append(start)
        found, headers = liar_says(liar, start)
        if request.method == "POST":
            found, headers = {"data": found} if "errors" not in found else found, {}
        return liar.status(start), headers, found

    with serving(answer, keeps_alive=True) as liar.url:
        yield liar


def liar_says(liar, start):
    if liar.body is not None and liar.body(start) is not None:
        return liar.body(start), liar.headers
    next = liar.next(start)
    url = None if next is None else f"{liar.url}/things?start={next}"
    found = {
        "items": things(liar.ids(start)),
        "total": len(liar.list),
        "pages": -(-len(liar.list) // SIZE),
        "next": next,
        "nextURL": url,
        "more": next is not None,
        "info": {"hasNextPage": next is not None, "endCursor": None if next is None else str(next)},
        **liar.more,
    }
    headers = {"X-Total": str(found["total"]), **({"Link": f'<{url}>; rel="next"'} if url else {}), **liar.headers}
    return found, headers


PAGE, OFFSET = {"style": "page", "param": "page"}, {"style": "offset", "param": "start"}
LIMIT = {"size": {"param": "limit", "value": SIZE}}
STYLES = {
    "page": PAGE,
    "page pages": {**PAGE, "pages": "pages"},
    "page count": {**PAGE, **LIMIT, "count": "total"},
    "page more": {**PAGE, "more": "more"},
    "page next": {**PAGE, "next": "next"},
    "offset": OFFSET,
    "offset count": {**OFFSET, "count": "total"},
    "offset more": {**OFFSET, "more": "more"},
    "offset next": {**OFFSET, "next": "next"},
    "cursor": {"style": "cursor", "param": "start", "next": "next"},
    "cursor count": {"style": "cursor", "param": "start", "next": "next", "count": {"header": "X-Total"}},
    "cursor more": {"style": "cursor", "param": "start", "next": "next", "more": "more"},
    "next URL": {"style": "nextURL", "next": "nextURL"},
    "next query": {"style": "nextURL", "next": "nextURL", "take": "query"},
    "link": {"style": "link"},
    "relay": {"style": "relay", "param": "after", "pageInfo": "info"},
}
SILENT = ["page", "page count", "offset", "offset count"]
NAMED = ["cursor", "cursor count", "cursor more", "next URL", "next query", "link", "relay"]
COUNTED = ["page count", "offset count", "cursor count"]


@pytest.fixture
def lists(home, start, liar):
    """`lists(style, *args, **resource_settings)` starts a process with the liar's list."""

    def lists(style, *args, **more):
        listed = {"items": "items", "pagination": STYLES[style], **more.pop("list", {})}
        if style == "relay":
            query = "query Things($after: String) { items { id name } }"
            operations = {"graphql": {"list": {"query": query, **listed}}}
        else:
            operations = {"rest": {"list": {"path": "/things", **listed}, "get": {"path": "/things/{id}"}}}
        thing = {"api": "a", "id": "integer", "fields": {"id": "integer", "name": "string"}, **operations, **more}
        thing = {key: value for key, value in thing.items() if value is not None}
        catalog = {"larder": 1, "apis": {"a": {"baseURL": liar.url, "retries": 0}}, "resources": {"thing": thing}}
        path = home / "catalog.json"
        path.write_text(json.dumps(catalog))
        return start("--catalog", path, *args, upstream=None)

    return lists


def walk(larder, limit=30):
    """Follows `next`. Returns the ids, and the error that ends the pagination, if any."""
    ids, token = [], None
    for _ in range(limit):
        reply = larder.wait(larder.send("thing/list", {} if token is None else {"page": token}))
        if "error" in reply:
            return ids, reply["error"]["data"]["kind"]
        found = reply["result"]
        ids += [item["id"] for item in found["items"]]
        token = found["page"]["next"]
        if token is None:
            return ids, None
    raise AssertionError(f"the walk does not end: {ids}")


def completeness(larder):
    """Returns the `complete` member of a prefetch."""
    return larder.call("thing/prefetch")["complete"]


@pytest.mark.parametrize("style", STYLES)
def test_prefetch_of_a_correct_list_is_complete(lists, style):
    larder = lists(style)
    assert completeness(larder) is True
    assert walk(larder) == (ALL, None)


@pytest.mark.parametrize("style", STYLES)
def test_pagination_ends_if_the_api_repeats_the_first_page(lists, liar, style):
    """The API ignores the page parameter, but reports page information as if it had been respected."""
    liar.ids = lambda start: ALL[:SIZE]
    larder = lists(style)
    assert completeness(larder) in (None, False)
    assert completeness(larder) in (None, False), "the cached result is no more certain"
    ids, error = walk(larder)
    assert ids == ALL[:SIZE]
    assert error == (None if style in SILENT else "invalidResponse")
    assert len(liar.asked) < 8


@pytest.mark.parametrize("style", NAMED)
def test_repeated_cursor_ends_the_pagination(lists, liar, style):
    liar.next = lambda start: SIZE
    liar.ids = lambda start: ALL[start : start + SIZE]
    larder = lists(style)
    assert completeness(larder) in (None, False)
    assert completeness(larder) in (None, False)
    # The second page links to itself and is therefore treated as the last one.
    assert walk(larder) == (ALL[: 2 * SIZE], None)
    assert len(liar.asked) == 2


@pytest.mark.parametrize("style", NAMED)
def test_pagination_ends_if_two_cursors_refer_to_each_other(lists, liar, style):
    liar.next = lambda start: 2 * SIZE if start == SIZE else SIZE
    larder = lists(style)
    assert completeness(larder) in (None, True) and (completeness(larder) is None or style in COUNTED)
    assert len(liar.asked) == 3
    assert larder.call("thing/search")["count"] == len(ALL)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("status", [400, 404])
def test_pagination_ends_if_the_api_refuses_a_page(lists, liar, style, status):
    liar.status = lambda start: status if start >= SIZE else 200
    larder = lists(style)
    complete = completeness(larder)
    assert complete is (True if style in SILENT and style not in COUNTED else False)
    ids, error = walk(larder)
    assert ids == ALL[:SIZE]
    assert error == (None if style in SILENT else {400: "invalidRequest", 404: "notFound"}[status])


@pytest.mark.parametrize("style", STYLES)
def test_failed_page_ends_the_prefetch_with_an_error(lists, liar, style):
    liar.status = lambda start: 500 if start >= SIZE else 200
    larder = lists(style)
    assert larder.fails("thing/prefetch").kind == "serverError"
    assert walk(larder) == (ALL[:SIZE], "serverError")
    liar.status = lambda start: 200
    assert completeness(larder) is True and walk(larder) == (ALL, None)


@pytest.mark.parametrize("style", STYLES)
def test_list_with_items_repeated_on_later_pages_is_not_complete(lists, liar, style):
    """The second page starts with the last item of the first, because an item was inserted before it."""
    ids = [1, 2, 3, 3, 4, 5, 6, 7]
    liar.list = ids
    larder = lists(style)
    assert completeness(larder) is (False if style in COUNTED else None)
    assert walk(larder) == (ids, None), "the order of the API"
    assert larder.call("thing/search")["count"] == 7


@pytest.mark.parametrize("style", STYLES)
def test_repeated_id_on_a_page_is_an_error(lists, liar, style):
    liar.list = [1, 2, 2, 4, 5]
    larder = lists(style)
    error = larder.fails("thing/list")
    assert error.kind == "decodingFailed" and error.data["path"].endswith("items[2]")
    assert larder.call("thing/search")["count"] == 0


@pytest.mark.parametrize("style", COUNTED)
@pytest.mark.parametrize("count, complete", [(3, None), (5, None), (7, None), (9, False), (100, False), (0, None)])
def test_list_with_a_wrong_item_count_is_not_reported_as_complete(lists, liar, style, count, complete):
    liar.more = {"total": count}
    larder = lists(style)
    found = completeness(larder)
    ids, error = walk(larder)
    if style != "cursor count" and count == SIZE:
        # A page with exactly as many items as the count is the whole list.
        assert (ids, error, found) == (ALL[:SIZE], None, True)
    else:
        assert (ids, error, found) == (ALL, None, complete)


@pytest.mark.parametrize("style", COUNTED)
def test_list_with_a_changing_item_count_is_not_complete(lists, liar, style):
    """An item was deleted during the pagination. Another item moved to an earlier page and is missed."""

    def ids(start):
        if start > 0:
            liar.list = ALL[1:]
        return liar.list[start : start + SIZE]

    liar.ids = ids
    larder = lists(style)
    assert completeness(larder) in (None, False)


@pytest.mark.parametrize("style", ["page count", "offset count", "cursor count"])
@pytest.mark.parametrize("count, kind", [(-1, "decodingFailed"), ("many", "decodingFailed"), ([], "decodingFailed")])
def test_item_count_of_the_wrong_type_is_an_error(lists, liar, style, count, kind):
    liar.more = {"total": count}
    assert lists(style).fails("thing/list").kind == kind


@pytest.mark.parametrize("style", ["page count", "offset count"])
def test_list_without_an_item_count_is_read_completely(lists, liar, style):
    liar.more = {"total": None}
    larder = lists(style)
    assert completeness(larder) is True
    assert walk(larder) == (ALL, None)
    assert {larder.call("thing/list", page=page)["page"]["count"] for page in (1, 3)} == {None}


def test_list_without_a_page_count_is_read_completely(lists, liar):
    liar.more = {"pages": None}
    larder = lists("page pages")
    assert completeness(larder) is True
    assert walk(larder) == (ALL, None)


@pytest.mark.parametrize("style", STYLES)
def test_empty_page_in_the_middle_of_a_list_causes_no_error(lists, liar, style):
    liar.ids = lambda start: [] if start == SIZE else ALL[start : start + SIZE]
    larder = lists(style)
    complete, (ids, error) = completeness(larder), walk(larder)
    assert error is None
    if style in NAMED:
        assert ids == ALL[:SIZE] + ALL[2 * SIZE :]
        assert complete is (False if style in COUNTED else True), "the API has returned all pages that it links to"
    else:
        assert ids == ALL[:SIZE]
        # Either nothing indicates further pages, or the count does.
        assert complete is {"page": True, "offset": True}.get(style, False if style in COUNTED else None)
    assert completeness(larder) is complete


@pytest.mark.parametrize("style", NAMED)
def test_endless_empty_pages_end_the_pagination(lists, liar, style):
    liar.ids = lambda start: ALL[:SIZE] if start == 0 else []
    liar.next = lambda start: start + SIZE
    larder = lists(style)
    assert completeness(larder) is False
    assert 100 <= len(liar.asked) < 110
    larder.alive()


@pytest.mark.parametrize("style", STYLES)
def test_error_reply_with_a_success_status_keeps_the_cached_list(lists, liar, style):
    larder = lists(style)
    assert completeness(larder) is True
    liar.body = lambda start: {"errors": [{"message": "out of order"}], "ok": False}
    for policy in ("remoteFirst", "localFirst"):
        larder.call("cache/invalidate")
        found = larder.call("thing/list", cachePolicy=policy)
        assert [item["id"] for item in found["items"]] == ALL[:SIZE] and found["stale"] is True
        assert found["fallback"]["data"]["kind"] in ("decodingFailed", "invalidResponse")
    assert larder.fails("thing/prefetch").kind in ("decodingFailed", "invalidResponse")
    assert larder.call("thing/search")["count"] == len(ALL)
    assert walk(lists(style, "--offline")) == (ALL, None)


@pytest.mark.parametrize("style", [style for style in STYLES if style != "relay"])
@pytest.mark.parametrize("error", [{"error": "out of order"}, {"errors": {"id": ["odd"]}}, {"error": {"code": 5}}])
def test_error_reply_keeps_the_cached_list_even_if_a_missing_list_counts_as_empty(lists, liar, style, error):
    larder = lists(style, list={"absent": "empty"})
    assert completeness(larder) is True
    liar.body = lambda start: error
    found = larder.call("thing/list", cachePolicy="remoteFirst")
    assert [item["id"] for item in found["items"]] == ALL[:SIZE]
    assert found["fallback"]["data"]["kind"] == "invalidResponse" and found["fallback"]["data"]["apiMessage"]
    liar.body = lambda start: {"error": None, "errors": []}
    assert larder.call("thing/list", cachePolicy="remoteFirst")["items"] == []


@pytest.mark.parametrize("item", ["", "data"])
@pytest.mark.parametrize("fields", [None, {"id": "integer", "name": "string?"}])
@pytest.mark.parametrize("error", [{"error": "out of order"}, {"data": None, "errors": [{"message": "x"}]}])
def test_error_reply_instead_of_an_item_keeps_the_cached_item(lists, liar, item, fields, error):
    operations = {"get": {"path": "/things/{id}", "item": item}}
    liar.body = lambda start: {"id": 1, "name": "one", "data": {"id": 1, "name": "one"}}
    larder = lists("page", rest=operations, fields=fields)
    first = larder.call("thing/get", id=1)["item"]
    liar.body = lambda start: error
    found = larder.call("thing/get", id=1, cachePolicy="remoteFirst")
    # If the item must have other fields, the error object has the wrong shape.
    kind = "decodingFailed" if fields and not item else "invalidResponse"
    assert found["item"] == first and found["fallback"]["data"]["kind"] == kind
    assert larder.fails("thing/get", id=2).kind == kind
    assert larder.call("thing/get", id=1, cachePolicy="localOnly")["item"] == first


@pytest.mark.parametrize("graphql", [False, True], ids=["rest", "graphql"])
@pytest.mark.parametrize("fields", [None, {"name": "string?"}], ids=["any", "optional"])
@pytest.mark.parametrize("answer", [{}, {"ok": False}, {"id": None, "name": None}])
def test_reply_without_an_item_keeps_the_cached_item(lists, liar, graphql, fields, answer):
    get = {"query": "query ($id: ID!) { thing(id: $id) { id } }"} if graphql else {"path": "/things/{id}"}
    operations = {"get": {**get, "item": "thing"}}
    liar.body = lambda start: {"thing": {"id": 1, "name": "one"}}
    transport = {"rest": None, "graphql": operations} if graphql else {"rest": operations}
    larder = lists("page", fields=fields, **transport)
    first = larder.call("thing/get", id=1)["item"]
    liar.body = lambda start: {"thing": answer}
    found = larder.call("thing/get", id=1, cachePolicy="remoteFirst")
    assert found["item"] == first and found["fallback"]["data"]["kind"] == "decodingFailed"
    assert "contains no item: no id at 'id'" in found["fallback"]["message"]
    assert larder.fails("thing/get", id=2).kind == "decodingFailed"
    assert larder.call("thing/get", id=1, cachePolicy="localOnly")["item"] == first


def test_reply_without_an_item_id_keeps_the_cached_item(lists, liar):
    larder = lists("page", rest={"get": {"path": "/things/{id}"}}, fields=None)
    liar.body = lambda start: {"id": 1, "name": "one"}
    first = larder.call("thing/get", id=1)["item"]
    liar.body = lambda start: {"message": "out of order", "status": "red"}
    found = larder.call("thing/get", id=1, cachePolicy="remoteFirst")
    assert found["item"] == first and found["fallback"]["data"]["kind"] == "decodingFailed"
    # No member of this answer indicates that it is not an item.
    assert larder.call("thing/get", id=2)["item"] == {"message": "out of order", "status": "red"}


def test_api_error_message_instead_of_a_list_is_reported(lists, liar):
    larder = lists("page")
    assert completeness(larder) is True
    liar.body = lambda start: {"error": "out of order"}
    fallback = larder.call("thing/list", cachePolicy="remoteFirst")["fallback"]
    assert fallback["data"]["kind"] == "decodingFailed" and fallback["data"]["apiMessage"] == "out of order"
    assert fallback["message"].endswith(": out of order")


@pytest.mark.parametrize("style", ["cursor", "next URL", "page next"])
def test_pagination_selector_without_a_match_on_a_full_page_is_logged(lists, liar, style, home):
    wrong = {**STYLES[style], **LIMIT, "next": "nxet"}
    larder = lists(style, list={"pagination": wrong})
    for _ in range(2):
        assert completeness(larder) is None
    assert larder.close() == 0 and larder.stderr().count("'nxet'") == 1
    assert completeness(lists(style, "--offline", list={"pagination": wrong})) is None, "still not certain"
    liar.list = ALL[: SIZE - 1]
    assert completeness(lists(style, "--no-persistence", list={"pagination": wrong})) is True


@pytest.mark.parametrize("style", ["next URL", "link"])
@pytest.mark.parametrize("url", [
    "https://127.0.0.1:{port}/things?start=3", "http://127.0.0.2:{port}/things?start=3", "//evil.test/things",
    "http://127.0.0.1:{port}@evil.test/things", "http://evil.test:{port}/", "http://127.0.0.1/things?start=3",
    "http://127.0.0.1:{other}/things", "file:///etc/passwd", "javascript:alert(1)", "http://127.0.0.1.evil.test/",
    "gopher://127.0.0.1:{port}/", "http:\\\\evil.test\\x", "ftp://127.0.0.1:{port}/things",
])
def test_next_page_of_another_origin_is_refused(lists, liar, style, url):
    port = int(liar.url.rpartition(":")[2])
    url = url.format(port=port, other=port ^ 1)
    liar.more = {"nextURL": url}
    liar.headers = {"Link": f'<{url}>; rel="next"'}
    larder = lists(style)
    error = larder.fails("thing/list")
    assert error.kind == "invalidResponse", error
    assert larder.fails("thing/prefetch").kind == "invalidResponse"
    assert set(liar.asked) == {0}


@pytest.mark.parametrize("style", ["next URL", "link"])
@pytest.mark.parametrize("token", [
    "/things/../admin", "/things/%2e%2e/admin", "/things/%252E%252e/admin", "/..%2fadmin", "/..%5cadmin", "/..;/admin",
    "/things\\..\\admin", "/things#x", "/things%0d%0aX: y", "//evil.test/things", "http://evil.test/things",
    "@evil.test/",
])
def test_page_token_invented_by_a_caller_is_refused(lists, liar, style, token):
    larder = lists(style)
    assert larder.fails("thing/list", page=token).kind == "invalidRequest"
    assert not liar.asked


@pytest.mark.parametrize("style", ["next URL", "link"])
def test_next_page_with_credentials_is_refused_and_redacted(lists, liar, style):
    url = liar.url.replace("//", "//somebody:p4ssw0rd@") + "/things?start=3#part"
    liar.more = {"nextURL": url}
    liar.headers = {"Link": f'<{url}>; rel="next"'}
    larder = lists(style)
    error = larder.fails("thing/list")
    assert error.kind == "invalidResponse" and "***@127.0.0.1" in error.message
    assert "p4ssw0rd" not in json.dumps(error.args) + larder.stderr()


@pytest.mark.parametrize("style", [style for style in STYLES if style != "relay"])
def test_list_with_skipped_items_is_not_complete(lists, liar, style):
    broken = [{"id": 1, "name": "thing 1"}, {"id": 2}, {"id": 3, "name": "thing 3"}]
    liar.list = ALL[:SIZE]
    liar.more = {"items": broken}
    larder = lists(style, onMismatch="skip")
    assert [entry["index"] for entry in larder.call("thing/list")["skipped"]] == [1]
    for _ in range(2):
        assert completeness(larder) is not True
