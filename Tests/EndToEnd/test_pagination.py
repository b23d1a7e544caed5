"""Each style of pages over a server that numbers, cuts or continues its list in that way: a walk by `next`, a prefetch,
and both again offline give what the server has."""

import base64
import json
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

THINGS = [{"id": id, "name": f"thing {id}"} for id in range(1, 11)]
SIZE = 4


def numbered(query):
    number, size = int(query["p"]), int(query["limit"])
    return {"items": THINGS[number * size : (number + 1) * size], "total": len(THINGS)}, {}


def after(found, cursor):
    """What comes after an id, and the cursor of what is left."""
    rest = [thing for thing in THINGS if thing["id"] > cursor]
    found["items"] = rest[:SIZE]
    return rest[SIZE - 1]["id"] if len(rest) > SIZE else None


def texts(query):
    found = {}
    token = json.loads(base64.b64decode(query["after"])) if "after" in query else {"id": 0}
    left = after(found, token["id"])
    # A text with all that must be encoded in a URL.
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
    # Only both together go on; and a constant of the catalog gives way.
    cursor = int(query["offset"]) if query.get("continue") == "-||" and query["q"] == "next" else 0
    left = after(found, cursor)
    if left:
        found["continue"] = {"offset": left, "continue": "-||", "q": "next"}
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
}


@pytest.fixture(params=STYLES)
def paged(request, home, start):
    """start() over a server and a catalog of that style; `paged.asked` are the queries that came."""
    answer, pagination = STYLES[request.param]
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
            asked.append(query)
            found, headers = answer(query)
            body = json.dumps(found).encode()
            self.send_response(200)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    path = home / "catalog.json"
    listed = {"path": "/things", "items": "items", "query": {"q": "first"}, "pagination": pagination}
    thing = {"api": "a", "id": "integer", "fields": {"id": "integer", "name": "string"}, "rest": {"list": listed}}
    api = {"baseURL": f"http://127.0.0.1:{server.server_port}"}
    path.write_text(json.dumps({"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}}))

    def paged(*args):
        return start("--catalog", path, *args, upstream=None)

    paged.asked = asked
    yield paged
    server.shutdown()
    server.server_close()


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


def test_a_walk_gives_what_the_server_has(paged):
    pages = walk(paged())
    assert [thing for page in pages for thing in page] == THINGS
    assert [len(page) for page in pages] == [4, 4, 2]
    assert len(paged.asked) == 3


def test_all_of_a_prefetched_list_is_there_offline(paged):
    larder = paged()
    assert larder.call("thing/prefetch") == {"pages": 3, "items": 10, "fetched": 3, "reused": 0}
    assert larder.call("thing/prefetch") == {"pages": 3, "items": 10, "fetched": 0, "reused": 3}
    assert larder.close() == 0
    offline = paged("--offline")
    assert [thing for page in walk(offline) for thing in page] == THINGS
    assert offline.call("thing/prefetch") == {"pages": 3, "items": 10, "fetched": 0, "reused": 3}
    assert len(paged.asked) == 3


def test_discovery_tells_what_names_a_page(paged):
    larder = paged()
    found = larder.call("rpc.discover")
    method = next(method for method in found["methods"] if method["name"] == "thing/list")
    schema = next(param for param in method["params"] if param["name"] == "page")["schema"]
    token = larder.call("thing/list")["page"]["next"]
    if "p" in paged.asked[0]:
        assert (schema["type"], schema["minimum"], token) == ("integer", 0, 1)
        assert larder.fails("thing/list", page=-1).message == "'page' must be a number from 0"
        assert larder.fails("thing/list", page="1").message == "'page' must be a number from 0"
    else:
        assert {choice.get("type") for choice in schema["anyOf"]} == {"integer", "string", "null"}
        assert larder.call("thing/list")["page"]["current"] is None
