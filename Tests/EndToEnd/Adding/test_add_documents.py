"""`larder add` with documents of real frameworks: lists by POST, no server, and answers that are not described."""

import json

import pytest

from harness import binary, environment
from scripted import serving
from terminal import Terminal

FLOW = {"type": "object", "required": ["id", "name"],
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}


def answer(schema):
    return {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}


def posted():
    """A document with a list by POST, as FastAPI publishes it: the body selects the page."""
    body = {
        "type": "object",
        "properties": {
            "offset": {"type": "integer", "default": 0},
            "flows": {"type": "object", "properties": {"name": {"type": "string"}}},
            "limit": {"type": "integer", "maximum": 2},
        },
    }
    own = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    post = {
        "requestBody": {"content": {"application/json": {"schema": body}}},
        "responses": answer({"type": "array", "items": FLOW}),
    }
    paths = {
        "/flows/{id}": {"get": {"parameters": [own], "responses": answer(FLOW)}},
        "/flows/filter": {"post": post},
    }
    return {"openapi": "3.1.0", "info": {"title": "Flows", "version": "1"}, "paths": paths}


class Flows:
    """An API below `base` with five flows. It refuses requests by other methods and at other paths."""

    def __init__(self, base):
        self.base, self.asked, self.place = base, [], "/openapi.json"
        self.items = [{"id": f"f{number}", "name": f"flow {number}"} for number in range(5)]

    def answer(self, request):
        if request.path == self.place:
            return 200, {}, posted()
        self.asked.append(request)
        if request.path == f"{self.base}/flows/filter":
            if request.method != "POST":
                return 405, {}, {"detail": "Method Not Allowed"}
            body = request.json
            start = body.get("offset", 0)
            name = (body.get("flows") or {}).get("name")
            found = [item for item in self.items if name in (None, item["name"])]
            return 200, {}, found[start:start + body.get("limit", 200)]
        found = [item for item in self.items if request.path == f"{self.base}/flows/{item['id']}"]
        return (200, {}, found[0]) if found else (404, {}, {"detail": "Not Found"})


@pytest.fixture(params=["", "/api"])
def flows(request):
    flows = Flows(request.param)
    with serving(flows.answer) as flows.url:
        yield flows


class TestPostLists:
    def test_list_requested_with_post_is_added_and_read_to_its_end(self, command, flows):
        done = command("add", "flows", flows.url)
        assert (done.code, done.messages) == (0, flows.items), done
        assert "2 requests tried, no failures" in done.stderr or "3 requests tried, no failures" in done.stderr
        done = command("list", "flow", "--all", "-c", "flows")
        assert done.messages == flows.items, done
        assert command("get", "flow", "f3", "-c", "flows").messages == [flows.items[3]]
        done = command("list", "flow", 'flows={"name":"flow 2"}', "-c", "flows")
        assert done.messages == [flows.items[2]], done


class TestBaseURL:
    def test_base_url_is_corrected_if_requests_succeed_only_at_another_url(self, command, flows, home):
        done = command("add", "flows", flows.url)
        mended = f"larder: mended the base URL: it is now {flows.url}/api"
        assert (mended in done.stderr.splitlines()) == (flows.base == "/api"), done.stderr
        text = (home / "xdg-config" / "larder" / "flows.jsonc").read_text()
        assert f'"baseURL": "{flows.url}{flows.base}"' in text

    def test_base_url_is_kept_if_no_other_base_url_works(self, command, home):
        flows = Flows("/somewhere")
        with serving(flows.answer) as url:
            done = command("add", "flows", url)
        assert "mended" not in done.stderr and "2 failures" not in done.stdout.decode(), done
        assert f'"baseURL": "{url}"' in (home / "xdg-config" / "larder" / "flows.jsonc").read_text()

    def test_refused_credentials_do_not_change_the_base_url(self, command, home):
        flows = Flows("")
        own = flows.answer

        def refused(request):
            return own(request) if request.path == flows.place else (401, {}, {"detail": "who are you"})

        with serving(refused) as url:
            done = command("add", "flows", url)
        assert "mended" not in done.stderr, done
        assert f'"baseURL": "{url}"' in (home / "xdg-config" / "larder" / "flows.jsonc").read_text()


class Places:
    """An OGC API. The schemas of its document are on a different host. `described` is the answer of the list."""

    def __init__(self):
        self.items = [{"id": f"p{number}", "properties": {"name": f"place {number}"}} for number in range(25)]
        self.described = {"200": {"$ref": "https://schemas.invalid/features.yaml#/components/responses/Features"}}

    def document(self):
        offset = {"name": "offset", "in": "query", "schema": {"type": "integer", "minimum": 0, "default": 0}}
        limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 10, "default": 5}}
        own = {"name": "featureId", "in": "path", "required": True, "schema": {"type": "string"}}
        paths = {
            "/": {"get": {"responses": self.described}},
            "/places": {"get": {"parameters": [offset, limit], "responses": self.described}},
            "/places/{featureId}": {"get": {"parameters": [own], "responses": self.described}},
        }
        return {"openapi": "3.0.2", "info": {"title": "Places", "version": "1"}, "servers": [{"url": self.url}],
                "paths": paths}

    def answer(self, request):
        if request.path == "/openapi.json":
            return 200, {}, self.document()
        links = [{"rel": "self", "href": self.url + request.target}]
        if request.path == "/":
            return 200, {}, {"title": "Places", "links": links}
        if request.path == "/places":
            start, size = int(request.query.get("offset", 0)), int(request.query.get("limit", 5))
            if start + size < len(self.items):
                links.append({"rel": "next", "href": f"{self.url}/places?offset={start + size}"})
            return 200, {}, {"type": "FeatureCollection", "features": self.items[start:start + size],
                             "numberMatched": len(self.items), "links": links}
        found = [item for item in self.items if request.path == f"/places/{item['id']}"]
        return (200, {}, found[0]) if found else (404, {}, {"code": "NotFound"})


@pytest.fixture
def places():
    places = Places()
    with serving(places.answer) as places.url:
        yield places


class TestUndescribedAnswers:
    @pytest.mark.parametrize("kind", ["another host", "nothing"])
    def test_answers_are_fetched_if_the_document_does_not_describe_them(self, command, places, home, kind):
        if kind == "nothing":
            places.described = {"200": {"description": "OK"}}
        done = command("add", "places", places.url)
        assert (done.code, len(done.messages)) == (0, 5), done
        assert "2 requests tried, no failures" in done.stderr or "3 requests tried, no failures" in done.stderr, done
        done = command("list", "place", "--all", "-c", "places")
        assert [item["id"] for item in done.messages] == [item["id"] for item in places.items], done
        assert command("get", "place", "p7", "-c", "places").messages[0]["properties"] == {"name": "place 7"}
        rows = [row["resource"] for row in command("resources", "-c", "places").messages]
        assert rows == ["place"]

    def test_answers_fetched_for_the_table_are_not_fetched_again_after_the_choice(self, command, home):
        """The command fetches each answer of the API once, and uses it for both the table and the chosen resources."""
        names, asked = [f"{letter}things" for letter in "abcdefghijklmn"], []
        unread = {"get": {"responses": {"200": {"$ref": "https://other.invalid/a.yaml"}}}}

        def reply(request):
            asked.append(request.path)
            if request.path == "/openapi.json":
                paths = {f"/{name}": unread for name in names}
                return 200, {}, {"openapi": "3.0.2", "info": {"title": "Things", "version": "1"}, "paths": paths}
            return (200, {}, [{"id": 1, "name": "one"}]) if request.path[1:] in names else (404, {}, {})

        with serving(reply) as url:
            run = [binary(), "add", "things", f"{url}/openapi.json"]
            with Terminal(run, environment(home, {"TERM": "xterm"}), columns=120) as terminal:
                terminal.wait("resources to add, separated by spaces (Enter for all 14): ")
                terminal.type("bthing\n")
                assert terminal.end() == 0, terminal.seen
        assert "cthing" in terminal.seen
        assert [row["resource"] for row in command("resources", "-c", "things").messages] == ["bthing"]
        assert asked.count("/athings") == 1

    def test_no_answer_is_fetched_without_a_live_check(self, command, places):
        done = command("add", "places", places.url, "--no-live")
        assert done.code == 1 and "cannot follow" in done.stderr, done
