"""Lists of an API that lies about them: each way of paging against each way to lead a walk astray. A walk ends, no
item is lost or shown twice without a word, nothing that is kept goes, and what is not the whole list never says that
it is."""

import json

import pytest

from scripted import serving

SIZE = 3
ALL = list(range(1, 9))


def things(ids):
    return [{"id": id, "name": f"thing {id}"} for id in ids]


class Liar:
    """What the server says; each part can be set by a test. Functions take the offset that is asked for."""

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
    """A server that pages in every way at once: `start` is what any of them asks for, as an offset."""
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
    """lists(style, *args, **of_the_resource): a process over the liar's list."""

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
    """The ids by `next`; the error that ends the walk, if one does."""
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


def told(larder):
    """Whether a prefetch says that it has all."""
    return larder.call("thing/prefetch")["complete"]


@pytest.mark.parametrize("style", STYLES)
def test_the_truth(lists, style):
    larder = lists(style)
    assert told(larder) is True
    assert walk(larder) == (ALL, None)


@pytest.mark.parametrize("style", STYLES)
def test_the_first_page_again_and_again(lists, liar, style):
    """The parameter is not known to the API, which says of each page what it would say of the right one."""
    liar.ids = lambda start: ALL[:SIZE]
    larder = lists(style)
    assert told(larder) in (None, False)
    assert told(larder) in (None, False), "what is kept says no more than what came"
    ids, error = walk(larder)
    assert ids == ALL[:SIZE]
    assert error == (None if style in SILENT else "invalidResponse")
    assert len(liar.asked) < 8


@pytest.mark.parametrize("style", NAMED)
def test_the_same_cursor_for_ever(lists, liar, style):
    liar.next = lambda start: SIZE
    liar.ids = lambda start: ALL[start : start + SIZE]
    larder = lists(style)
    assert told(larder) in (None, False)
    assert told(larder) in (None, False)
    # The second page leads to itself: that is told as the end of it, as nothing comes after.
    assert walk(larder) == (ALL[: 2 * SIZE], None)
    assert len(liar.asked) == 2


@pytest.mark.parametrize("style", NAMED)
def test_two_cursors_in_a_circle(lists, liar, style):
    liar.next = lambda start: 2 * SIZE if start == SIZE else SIZE
    larder = lists(style)
    assert told(larder) in (None, True) and (told(larder) is None or style in COUNTED)
    assert len(liar.asked) == 3
    assert larder.call("thing/search")["count"] == len(ALL)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("status", [400, 404])
def test_a_refusal_in_the_middle(lists, liar, style, status):
    liar.status = lambda start: status if start >= SIZE else 200
    larder = lists(style)
    complete = told(larder)
    assert complete is (True if style in SILENT and style not in COUNTED else False)
    ids, error = walk(larder)
    assert ids == ALL[:SIZE]
    assert error == (None if style in SILENT else {400: "invalidRequest", 404: "notFound"}[status])


@pytest.mark.parametrize("style", STYLES)
def test_an_error_in_the_middle_ends_the_prefetch(lists, liar, style):
    liar.status = lambda start: 500 if start >= SIZE else 200
    larder = lists(style)
    assert larder.fails("thing/prefetch").kind == "serverError"
    assert walk(larder) == (ALL[:SIZE], "serverError")
    liar.status = lambda start: 200
    assert told(larder) is True and walk(larder) == (ALL, None)


@pytest.mark.parametrize("style", STYLES)
def test_items_that_come_twice(lists, liar, style):
    """The second page begins with the last item of the first: something was put in before."""
    ids = [1, 2, 3, 3, 4, 5, 6, 7]
    liar.list = ids
    larder = lists(style)
    assert told(larder) is (False if style in COUNTED else None)
    assert walk(larder) == (ids, None), "it is the API's order"
    assert larder.call("thing/search")["count"] == 7


@pytest.mark.parametrize("style", STYLES)
def test_the_same_id_twice_on_a_page(lists, liar, style):
    liar.list = [1, 2, 2, 4, 5]
    larder = lists(style)
    error = larder.fails("thing/list")
    assert error.kind == "decodingFailed" and error.data["path"].endswith("items[2]")
    assert larder.call("thing/search")["count"] == 0


@pytest.mark.parametrize("style", COUNTED)
@pytest.mark.parametrize("count, complete", [(3, None), (5, None), (7, None), (9, False), (100, False), (0, None)])
def test_a_count_that_lies(lists, liar, style, count, complete):
    liar.more = {"total": count}
    larder = lists(style)
    found = told(larder)
    ids, error = walk(larder)
    if style != "cursor count" and count == SIZE:
        # A page of exactly as many items as are counted is the whole list.
        assert (ids, error, found) == (ALL[:SIZE], None, True)
    else:
        assert (ids, error, found) == (ALL, None, complete)


@pytest.mark.parametrize("style", COUNTED)
def test_a_count_that_changes(lists, liar, style):
    """One item went while the list was walked over: another one slipped to the page before, and is not seen."""

    def ids(start):
        if start > 0:
            liar.list = ALL[1:]
        return liar.list[start : start + SIZE]

    liar.ids = ids
    larder = lists(style)
    assert told(larder) in (None, False)


@pytest.mark.parametrize("style", ["page count", "offset count", "cursor count"])
@pytest.mark.parametrize("count, kind", [(-1, "decodingFailed"), ("many", "decodingFailed"), ([], "decodingFailed")])
def test_a_count_that_is_none(lists, liar, style, count, kind):
    liar.more = {"total": count}
    assert lists(style).fails("thing/list").kind == kind


@pytest.mark.parametrize("style", ["page count", "offset count"])
def test_a_count_that_is_missing(lists, liar, style):
    liar.more = {"total": None}
    larder = lists(style)
    assert told(larder) is True
    assert walk(larder) == (ALL, None)
    assert {larder.call("thing/list", page=page)["page"]["count"] for page in (1, 3)} == {None}


def test_a_number_of_pages_that_is_missing(lists, liar):
    liar.more = {"pages": None}
    larder = lists("page pages")
    assert told(larder) is True
    assert walk(larder) == (ALL, None)


@pytest.mark.parametrize("style", STYLES)
def test_an_empty_page_in_the_middle(lists, liar, style):
    liar.ids = lambda start: [] if start == SIZE else ALL[start : start + SIZE]
    larder = lists(style)
    complete, (ids, error) = told(larder), walk(larder)
    assert error is None
    if style in NAMED:
        assert ids == ALL[:SIZE] + ALL[2 * SIZE :]
        assert complete is (False if style in COUNTED else True), "the API has shown all that it wants to"
    else:
        assert ids == ALL[:SIZE]
        # Nothing says that there is more, or something does.
        assert complete is {"page": True, "offset": True}.get(style, False if style in COUNTED else None)
    assert told(larder) is complete


@pytest.mark.parametrize("style", NAMED)
def test_empty_pages_for_ever(lists, liar, style):
    liar.ids = lambda start: ALL[:SIZE] if start == 0 else []
    liar.next = lambda start: start + SIZE
    larder = lists(style)
    assert told(larder) is False
    assert 100 <= len(liar.asked) < 110
    larder.alive()


@pytest.mark.parametrize("style", STYLES)
def test_an_error_with_a_status_of_success(lists, liar, style):
    larder = lists(style)
    assert told(larder) is True
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
def test_an_error_where_no_items_are_an_empty_list(lists, liar, style, error):
    larder = lists(style, list={"absent": "empty"})
    assert told(larder) is True
    liar.body = lambda start: error
    found = larder.call("thing/list", cachePolicy="remoteFirst")
    assert [item["id"] for item in found["items"]] == ALL[:SIZE]
    assert found["fallback"]["data"]["kind"] == "invalidResponse" and found["fallback"]["data"]["apiMessage"]
    liar.body = lambda start: {"error": None, "errors": []}
    assert larder.call("thing/list", cachePolicy="remoteFirst")["items"] == []


@pytest.mark.parametrize("item", ["", "data"])
@pytest.mark.parametrize("fields", [None, {"id": "integer", "name": "string?"}])
@pytest.mark.parametrize("error", [{"error": "out of order"}, {"data": None, "errors": [{"message": "x"}]}])
def test_an_error_in_place_of_an_item(lists, liar, item, fields, error):
    operations = {"get": {"path": "/things/{id}", "item": item}}
    liar.body = lambda start: {"id": 1, "name": "one", "data": {"id": 1, "name": "one"}}
    larder = lists("page", rest=operations, fields=fields)
    first = larder.call("thing/get", id=1)["item"]
    liar.body = lambda start: error
    found = larder.call("thing/get", id=1, cachePolicy="remoteFirst")
    # Where the item would be an object that lacks what it must have, it is of the wrong shape.
    kind = "decodingFailed" if fields and not item else "invalidResponse"
    assert found["item"] == first and found["fallback"]["data"]["kind"] == kind
    assert larder.fails("thing/get", id=2).kind == kind
    assert larder.call("thing/get", id=1, cachePolicy="localOnly")["item"] == first


@pytest.mark.parametrize("graphql", [False, True], ids=["rest", "graphql"])
@pytest.mark.parametrize("fields", [None, {"name": "string?"}], ids=["any", "optional"])
@pytest.mark.parametrize("answer", [{}, {"ok": False}, {"id": None, "name": None}])
def test_an_answer_that_has_nothing_of_an_item(lists, liar, graphql, fields, answer):
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


def test_what_is_kept_with_its_id_goes_for_nothing_without_one(lists, liar):
    larder = lists("page", rest={"get": {"path": "/things/{id}"}}, fields=None)
    liar.body = lambda start: {"id": 1, "name": "one"}
    first = larder.call("thing/get", id=1)["item"]
    liar.body = lambda start: {"message": "out of order", "status": "red"}
    found = larder.call("thing/get", id=1, cachePolicy="remoteFirst")
    assert found["item"] == first and found["fallback"]["data"]["kind"] == "decodingFailed"
    # Nothing says that this one is none.
    assert larder.call("thing/get", id=2)["item"] == {"message": "out of order", "status": "red"}


def test_the_words_in_place_of_a_list(lists, liar):
    larder = lists("page")
    assert told(larder) is True
    liar.body = lambda start: {"error": "out of order"}
    fallback = larder.call("thing/list", cachePolicy="remoteFirst")["fallback"]
    assert fallback["data"]["kind"] == "decodingFailed" and fallback["data"]["apiMessage"] == "out of order"
    assert fallback["message"].endswith(": out of order")


@pytest.mark.parametrize("style", ["cursor", "next URL", "page next"])
def test_a_selector_that_is_misspelt_on_a_full_page(lists, liar, style, home):
    wrong = {**STYLES[style], **LIMIT, "next": "nxet"}
    larder = lists(style, list={"pagination": wrong})
    for _ in range(2):
        assert told(larder) is None
    assert larder.close() == 0 and larder.stderr().count("'nxet'") == 1
    assert told(lists(style, "--offline", list={"pagination": wrong})) is None, "what is kept says no more"
    liar.list = ALL[: SIZE - 1]
    assert told(lists(style, "--no-persistence", list={"pagination": wrong})) is True


@pytest.mark.parametrize("style", ["next URL", "link"])
@pytest.mark.parametrize("url", [
    "https://127.0.0.1:{port}/things?start=3", "http://127.0.0.2:{port}/things?start=3", "//evil.test/things",
    "http://127.0.0.1:{port}@evil.test/things", "http://evil.test:{port}/", "http://127.0.0.1/things?start=3",
    "http://127.0.0.1:{other}/things", "file:///etc/passwd", "javascript:alert(1)", "http://127.0.0.1.evil.test/",
    "gopher://127.0.0.1:{port}/", "http:\\\\evil.test\\x", "ftp://127.0.0.1:{port}/things",
])
def test_a_next_page_that_is_elsewhere(lists, liar, style, url):
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
def test_a_page_that_a_caller_makes_up(lists, liar, style, token):
    larder = lists(style)
    assert larder.fails("thing/list", page=token).kind == "invalidRequest"
    assert not liar.asked


@pytest.mark.parametrize("style", ["next URL", "link"])
def test_a_next_page_with_credentials(lists, liar, style):
    url = liar.url.replace("//", "//somebody:p4ssw0rd@") + "/things?start=3#part"
    liar.more = {"nextURL": url}
    liar.headers = {"Link": f'<{url}>; rel="next"'}
    larder = lists(style)
    error = larder.fails("thing/list")
    assert error.kind == "invalidResponse" and "***@127.0.0.1" in error.message
    assert "p4ssw0rd" not in json.dumps(error.args) + larder.stderr()


@pytest.mark.parametrize("style", [style for style in STYLES if style != "relay"])
def test_what_is_left_out_is_no_whole_list(lists, liar, style):
    broken = [{"id": 1, "name": "thing 1"}, {"id": 2}, {"id": 3, "name": "thing 3"}]
    liar.list = ALL[:SIZE]
    liar.more = {"items": broken}
    larder = lists(style, onMismatch="skip")
    assert [entry["index"] for entry in larder.call("thing/list")["skipped"]] == [1]
    for _ in range(2):
        assert told(larder) is not True
