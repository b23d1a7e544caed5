"""Each pagination style, served by an API of that style.

Following `next` returns the whole list, and so does a prefetch. Both do so again offline.
"""

import base64
import json

import pytest

from scripted import serving

THINGS = [{"id": id, "name": f"thing {id}"} for id in range(1, 11)]
SIZE = 4


def numbered(query):
    number, size = int(query["p"]), int(query["limit"])
    return {"items": THINGS[number * size : (number + 1) * size], "total": len(THINGS)}, {}


def after(found, cursor):
    """Adds to `found` the page that starts after an id. Returns the next cursor; None on the last page."""
    rest = [thing for thing in THINGS if thing["id"] > cursor]
    found["items"] = rest[:SIZE]
    return rest[SIZE - 1]["id"] if len(rest) > SIZE else None


def texts(query):
    found = {}
    token = json.loads(base64.b64decode(query["after"])) if "after" in query else {"id": 0}
    left = after(found, token["id"])
    # The token contains characters that a URL must encode.
    found["next"] = base64.b64encode(json.dumps({"id": left, "pad": "~~?>"}).encode()).decode() if left else ""
    return found, {}


def numbers(query):
    found = {}
    left = after(found, int(query.get("after", 0)))
    return found, {"X-Next": str(left)} if left else {}


def last(query):
    found = {}
    found["has_more"] = after(found, int(query.get("starting_after", 0))) is not None
    return found, {}


def merged(query):
    found = {}
    # The next page needs both parameters, and they override a constant of the catalog.
    cursor = int(query["offset"]) if query.get("continue") == "-||" and query["q"] == "next" else 0
    left = after(found, cursor)
    if left:
        found["continue"] = {"offset": left, "continue": "-||", "q": "next"}
    return found, {}


def offsets(query):
    start = int(query["start"])
    return {"items": THINGS[start : start + SIZE]}, {}


def ends_with_404(query):
    """An API that returns 404 for every page after the last page."""
    number = int(query["page"])
    return {"items": THINGS[(number - 1) * SIZE : number * SIZE]} if number <= 3 else None, {}


def repeats_last_page(query):
    """An API that returns the last page for every page number after the last."""
    number = min(3, int(query["page"]))
    return {"items": THINGS[(number - 1) * SIZE : number * SIZE]}, {}


def next_url(query):
    assert query["q"] == "first"
    left = after(found := {}, int(query.get("after", 0)))
    # The URL of an API behind a proxy: another host, and a prefix in the path.
    found["links"] = {"next": f"https://things.test/v1/things?q=first&after={left}" if left else None}
    return found, {}


def related(query):
    assert query["q"] == "first"
    left = after(found := {}, int(query.get("after", 0)))
    # The link to the next page comes at different places.
    found["links"] = [{"rel": "self", "href": "/things"}]
    if left:
        found["links"].insert(left % 2, {"rel": "next", "href": f"/things?q=first&after={left}"})
    return found, {}


def next_query(query):
    assert query["q"] == "first"
    left = after(found := {}, int(query.get("after", 0)))
    found["next"] = f"http://internal:8000/x?after={left}" if left else ""
    return found, {}


def links(query):
    assert query["limit"] == str(SIZE)
    left = after(found := {}, int(query.get("after", 0)))
    url = f"?q=first&limit={SIZE}&after={left or 99}"
    return found, {"Link": f'</x>; rel="first", <{url}>; rel="next"; results="{"true" if left else "false"}"'}


def relay(query):
    left = after(found := {}, int(query.get("after", 0)))
    found["pageInfo"] = {"hasNextPage": left is not None, "endCursor": str(left or 10)}
    return found, {}


STYLES = {
    "page": (
        numbered,
        {"style": "page", "param": "p", "first": 0, "size": {"param": "limit", "value": SIZE}, "count": "total"},
    ),
    "a text": (texts, {"style": "cursor", "param": "after", "next": "next"}),
    "a header": (numbers, {"style": "cursor", "param": "after", "next": {"header": "X-Next"}}),
    "the last item": (
        last,
        {"style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more"},
    ),
    "an object": (merged, {"style": "cursor", "next": {"merge": "continue"}}),
    "offset": (offsets, {"style": "offset", "param": "start"}),
    "a URL": (next_url, {"style": "nextURL", "next": "links.next"}),
    "a relation": (related, {"style": "nextURL", "next": "links.[rel=next].href"}),
    "a query": (next_query, {"style": "nextURL", "next": "next", "take": "query"}),
    "links": (links, {"style": "link", "size": {"param": "limit", "value": SIZE}}),
    "relay": (relay, {"style": "relay", "param": "after", "pageInfo": "pageInfo"}),
}


@pytest.fixture(params=STYLES)
def paged(request, home, start):
    """Starts Larder with a server and a catalog of the test's pagination style. `paged.asked` lists the received
    queries."""
    yield from serve(home, start, *STYLES[request.param])


@pytest.fixture
def served(home, start):
    """`served(answer, pagination)` starts Larder with a server and a catalog that the test defines."""
    running = []

    def served(answer, pagination):
        running.append(serve(home, start, answer, pagination))
        return next(running[-1])

    yield served
    for one in running:
        next(one, None)


def serve(home, start, answer, pagination):
    asked = []

    def reply(request):
        asked.append(request.query)
        found, headers = answer(request.query)
        return 200 if found else 404, headers, found

    path = home / "catalog.json"
    listed = {"path": "/things", "items": "items", "query": {"q": "first"}, "pagination": pagination}
    thing = {"api": "a", "id": "integer", "fields": {"id": "integer", "name": "string"}, "rest": {"list": listed}}
    if pagination is None:
        del listed["pagination"]
    api = {"baseURL": "https://things.test/v1"}
    path.write_text(json.dumps({"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}}))

    with serving(reply) as url:

        def paged(*args):
            return start("--catalog", path, "--base-url", f"a={url}", *args, upstream=None)

        paged.asked = asked
        yield paged


def walk(larder):
    pages, token = [], None
    while True:
        found = larder.call("thing/list", **({} if token is None else {"page": token}))
        assert found["page"]["current"] == token or token is None
        pages.append(found["items"])
        token = found["page"]["next"]
        if token is None:
            return pages
        assert isinstance(token, (int, str))


def test_following_next_page_tokens_returns_the_whole_list(paged):
    pages = walk(paged())
    assert [thing for page in pages for thing in page] == THINGS
    assert [len(page) for page in pages] == [4, 4, 2]
    assert len(paged.asked) == 3


def test_prefetched_list_is_available_offline(paged):
    larder = paged()
    assert larder.call("thing/prefetch") == {"pages": 3, "items": 10, "fetched": 3, "reused": 0, "complete": True}
    assert larder.call("thing/prefetch") == {"pages": 3, "items": 10, "fetched": 0, "reused": 3, "complete": True}
    assert larder.close() == 0
    offline = paged("--offline")
    assert [thing for page in walk(offline) for thing in page] == THINGS
    assert offline.call("thing/prefetch") == {"pages": 3, "items": 10, "fetched": 0, "reused": 3, "complete": True}
    assert len(paged.asked) == 3


def test_rpc_discover_describes_the_page_parameter(paged):
    larder = paged()
    found = larder.call("rpc.discover")
    method = next(method for method in found["methods"] if method["name"] == "thing/list")
    schema = next(param for param in method["params"] if param["name"] == "page")["schema"]
    token = larder.call("thing/list")["page"]["next"]
    if paged.asked[0].keys() & {"p", "start"}:
        assert (schema["type"], schema["minimum"], token) == ("integer", 0, 1 if "p" in paged.asked[0] else SIZE)
        assert larder.fails("thing/list", page=-1).message == "'page' must be a number from 0"
        assert larder.fails("thing/list", page="1").message == "'page' must be a number from 0"
    else:
        assert {choice.get("type") for choice in schema["anyOf"]} == {"integer", "string", "null"}
        assert larder.call("thing/list")["page"]["current"] is None


@pytest.mark.parametrize("answer, asked", [(ends_with_404, 4), (repeats_last_page, 4)])
def test_pagination_of_a_list_without_an_end_marker_ends(served, answer, asked):
    paged = served(answer, {"style": "page", "param": "page"})
    larder = paged()
    pages = walk(larder)
    assert [thing for page in pages for thing in page] == THINGS
    assert pages[-1] == [] and len(paged.asked) == asked
    assert larder.call("thing/prefetch") == {"pages": 4, "items": 10, "fetched": 0, "reused": 4, "complete": True}
    assert larder.close() == 0
    offline = paged("--offline")
    assert [thing for page in walk(offline) for thing in page] == THINGS


def test_ignored_page_parameter_ends_the_pagination(served):
    larder = served(lambda query: ({"items": THINGS[:SIZE]}, {}), {"style": "page", "param": "p"})()
    found = larder.call("thing/prefetch")
    assert (found["items"], found["complete"]) == (SIZE, None)
    assert larder.call("thing/list", page=2)["items"] == []


def test_ignored_page_parameter_is_an_error_if_the_page_count_is_known(served):
    pagination = {"style": "page", "param": "p", "pages": "n"}
    larder = served(lambda query: ({"items": THINGS[:SIZE], "n": 3}, {}), pagination)()
    found = larder.call("thing/prefetch")
    assert (found["items"], found["complete"]) == (SIZE, False)
    assert larder.fails("thing/list", page=2).kind == "invalidResponse"


def test_list_that_declares_no_pagination_has_one_page_and_no_page_count(served):
    larder = served(lambda query: ({"items": THINGS}, {}), None)()
    nothing = {"pages": None, "count": None, "next": None, "previous": None}
    assert larder.call("thing/list")["page"] == {"current": 1, **nothing}
    found = larder.call("thing/prefetch")
    assert (found["items"], found["complete"]) == (10, None)


def test_pagination_style_slice_divides_one_answer_into_pages(served):
    paged = served(lambda query: ({"items": THINGS}, {}), {"style": "slice", "size": 4})
    larder = paged()
    last = larder.call("thing/list", page=3)
    assert last["items"] == THINGS[8:]
    assert last["page"] == {"current": 3, "pages": 3, "count": 10, "next": None, "previous": 2}
    assert [len(page) for page in walk(larder)] == [4, 4, 2] and len(paged.asked) == 1
    assert larder.fails("thing/list", page=4).kind == "notFound"


def test_next_url_of_another_origin_is_refused(served):
    foreign = {"items": THINGS[:SIZE], "next": "http://127.0.0.2:1/things?page=2"}
    larder = served(lambda query: (foreign, {}), {"style": "nextURL", "next": "next"})()
    error = larder.fails("thing/list")
    assert error.kind == "invalidResponse" and "http://127.0.0.2:1" in error.message
    for token in ("http://127.0.0.2:1/things", "//127.0.0.2:1/things"):
        assert larder.fails("thing/list", page=token).kind == "invalidRequest"


def test_fields_select_the_returned_fields(served):
    larder = served(lambda query: ({"items": THINGS}, {}), {"style": "slice", "size": 4})()
    names = [{"name": thing["name"]} for thing in THINGS]
    assert larder.call("thing/list", fields=["name"])["items"] == names[:4]
    assert larder.call("thing/list")["items"] == THINGS[:4]
    assert larder.call("thing/search", fields=["name"], limit=2)["items"] == names[:2]
    assert "'id', 'name'" in larder.fails("thing/list", fields=["nme"]).message


def test_removing_cached_pages_keeps_their_items(served):
    paged = served(lambda query: ({"items": THINGS}, {}), {"style": "slice", "size": 4})
    larder = paged()
    larder.call("thing/list")
    assert larder.call("cache/invalidate", resource="thing", pages={"filter": {}}) == {"invalidated": 3}
    assert larder.call("cache/remove", pages=True) == {"removed": 3}
    assert larder.fails("thing/list", cachePolicy="localOnly").kind == "notCached"
    assert larder.call("thing/search")["count"] == 10
