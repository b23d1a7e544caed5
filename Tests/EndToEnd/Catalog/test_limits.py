"""Waits that an API asks for in its answers: the whole API waits, and who cannot is told how long."""

import datetime
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Server:
    """Gives what `answer(count, path)` says: status, headers, body."""

    def __init__(self):
        self.asked, self.times = [], []
        self.answer = lambda count, path: (200, {}, {"id": 1})
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                outer.times.append(time.monotonic())
                status, headers, value = outer.answer(len(outer.asked), self.path)
                body = json.dumps(value).encode()
                self.send_response(status)
                for name, text in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_port}"


@pytest.fixture
def server():
    server = Server()
    yield server
    server.http.shutdown()
    server.http.server_close()


@pytest.fixture
def served(home, start, server):
    def served(rate_limit, transport=None, **api):
        catalog = {
            "larder": 1,
            "apis": {"a": {"baseURL": server.url, "rateLimit": rate_limit, **api}},
            "resources": {
                "thing": {"api": "a", "id": "integer", **(transport or {"rest": {"get": {"path": "/things/{id}"}}})}
            },
        }
        path = home / "catalog.json"
        path.write_text(json.dumps(catalog))
        return start("--catalog", path, upstream=None)

    return served


def rfc3339(at):
    return datetime.datetime.fromtimestamp(at, datetime.timezone.utc).isoformat().replace("+00:00", "Z")


# As GitHub, Linear, Mastodon and Reddit say it.
FORMS = {
    "seconds": lambda at: str(int(at)),
    "milliseconds": lambda at: str(int(at * 1000)),
    "moment": rfc3339,
    "from now": lambda at: str(round(at - time.time())),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_whole_api_waits_for_the_reset(served, server, form):
    server.answer = lambda count, path: (429, {"X-Reset": FORMS[form](time.time() + 120)}, {"message": "slower"})
    larder = served({"reset": {"header": "X-Reset"}})
    first = larder.fails("thing/get", id=1)
    assert first.kind == "rateLimited" and 110 <= first.data["retryAfter"] <= 120 and first.data["status"] == 429
    second = larder.fails("thing/get", id=2)
    assert second.kind == "rateLimited" and 100 <= second.data["retryAfter"] <= 120 and second.data["attempts"] == 0
    assert "as it has said itself (rateLimit)" in second.message and len(server.asked) == 1
    plan = larder.wait(larder.send("request/explain", {"method": "thing/get", "params": {"id": 2}}))["result"]
    assert 100 <= plan["limiter"]["wait"] <= 120


def test_a_request_that_can_wait_is_made_after_the_reset(served, server):
    def answer(count, path):
        at = int(time.time() * 1000) + 1000
        return (403, {"Left": "0", "X-Reset": str(at)}, {}) if count == 1 else (200, {}, {"id": int(path[-1])})

    server.answer = answer
    rule = {"status": 403, "when": {"header": "Left"}, "is": "0", "kind": "rateLimited"}
    larder = served({"reset": {"header": "X-Reset"}}, errors=[rule])
    asked = [larder.send("thing/get", {"id": 1})]
    while not server.asked:
        time.sleep(0.01)
    asked += [larder.send("thing/get", {"id": id}) for id in (2, 3)]
    assert [larder.wait(id)["result"]["item"]["id"] for id in asked] == [1, 2, 3]
    later = [at - server.times[0] for path, at in zip(server.asked[1:], server.times[1:]) if path == "/things/1"]
    assert len(later) == 1 and later[0] > 0.9


def test_a_pause_is_read_from_any_answer_and_a_cached_item_stands_in(served, server):
    server.answer = lambda count, path: (200, {}, {"id": int(path[-1]), "backoff": 60})
    larder = served({"pause": "backoff"})
    assert larder.call("thing/get", id=1)["source"] == "remote"
    assert larder.fails("thing/get", id=2).data["retryAfter"] in (59, 60)
    again = larder.call("thing/get", id=1, cachePolicy="remoteFirst")
    assert again["fallback"]["data"]["kind"] == "rateLimited" and len(server.asked) == 1


def test_over_graphql_it_is_read_from_the_whole_answer(served, server):
    said = {"extensions": {"code": "RATELIMITED", "until": int((time.time() + 90) * 1000)}, "message": "slower"}
    server.answer = lambda count, path: (200, {}, {"data": None, "errors": [said]})
    rule = {"when": "errors.*.extensions.code", "is": "RATELIMITED", "kind": "rateLimited"}
    operation = {"graphql": {"get": {"query": "query Thing($id: Int!) { thing(id: $id) { id } }", "item": "thing"}}}
    larder = served({"reset": "errors.*.extensions.until"}, operation, errors=[rule])
    assert 80 <= larder.fails("thing/get", id=1).data["retryAfter"] <= 90
    assert larder.fails("thing/get", id=2).data["attempts"] == 0
