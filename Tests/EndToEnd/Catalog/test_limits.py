"""Rate limits that an API announces in its answers: all requests to the API pause, and the error contains the remaining
time."""

import datetime
import json
import time

import pytest

from harness import eventually
from scripted import serving


class Server:
    """A scripted API that returns the status, headers and body of `answer(count, path)`."""

    def __init__(self):
        self.asked, self.times = [], []
        self.answer = lambda count, path: (200, {}, {"id": 1})

    def reply(self, request):
        self.asked.append(request.target)
        self.times.append(time.monotonic())
        return self.answer(len(self.asked), request.target)


@pytest.fixture
def server():
    server = Server()
    with serving(server.reply) as server.url:
        yield server


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


# The formats of GitHub, Linear, Mastodon and Reddit.
FORMS = {
    "seconds": lambda at: str(int(at)),
    "milliseconds": lambda at: str(int(at * 1000)),
    "moment": rfc3339,
    "from now": lambda at: str(round(at - time.time())),
}


@pytest.mark.parametrize("form", FORMS)
def test_no_request_is_sent_to_an_api_before_its_rate_limit_resets(served, server, form):
    server.answer = lambda count, path: (429, {"X-Reset": FORMS[form](time.time() + 120)}, {"message": "slower"})
    larder = served({"reset": {"header": "X-Reset"}})
    first = larder.fails("thing/get", id=1)
    assert first.kind == "rateLimited" and 110 <= first.data["retryAfter"] <= 120 and first.data["status"] == 429
    second = larder.fails("thing/get", id=2)
    assert second.kind == "rateLimited" and 100 <= second.data["retryAfter"] <= 120 and second.data["attempts"] == 0
    assert "the API asked to wait" in second.message and len(server.asked) == 1
    plan = larder.wait(larder.send("request/explain", {"method": "thing/get", "params": {"id": 2}}))["result"]
    assert 100 <= plan["limiter"]["wait"] <= 120


def test_request_waits_if_the_rate_limit_resets_before_its_timeout(served, server):
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


def test_pause_requested_in_a_successful_reply_is_respected(served, server):
    server.answer = lambda count, path: (200, {}, {"id": int(path[-1]), "backoff": 60})
    larder = served({"pause": "backoff"})
    assert larder.call("thing/get", id=1)["source"] == "remote"
    assert larder.fails("thing/get", id=2).data["retryAfter"] in (59, 60)
    again = larder.call("thing/get", id=1, cachePolicy="remoteFirst")
    assert again["fallback"]["data"]["kind"] == "rateLimited" and len(server.asked) == 1


def test_rate_limit_reset_is_read_from_the_errors_of_a_graphql_reply(served, server):
    said = {"extensions": {"code": "RATELIMITED", "until": int((time.time() + 90) * 1000)}, "message": "slower"}
    server.answer = lambda count, path: (200, {}, {"data": None, "errors": [said]})
    rule = {"when": "errors.*.extensions.code", "is": "RATELIMITED", "kind": "rateLimited"}
    operation = {"graphql": {"get": {"query": "query Thing($id: Int!) { thing(id: $id) { id } }", "item": "thing"}}}
    larder = served({"reset": "errors.*.extensions.until"}, operation, errors=[rule])
    assert 80 <= larder.fails("thing/get", id=1).data["retryAfter"] <= 90
    assert larder.fails("thing/get", id=2).data["attempts"] == 0


def test_pause_of_an_api_is_reported_in_status_and_survives_a_catalog_reload(home, served, server):
    server.answer = lambda count, path: (429, {"X-Reset": "120"}, {"message": "slower"})
    larder = served({"reset": {"header": "X-Reset"}})
    assert larder.call("server/status")["degraded"] == []
    larder.fails("thing/get", id=1)
    (paused,) = larder.call("server/status")["degraded"]
    assert paused["part"] == "api a" and "gets no requests until 20" in paused["reason"] and paused["since"]
    path, before = home / "catalog.json", larder.call("server/status")["loadedAt"]
    path.write_text(path.read_text().replace('"id": "integer"', '"id": "integer", "cache": {"freshFor": "1m"}'))
    eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the new catalog")
    refused = larder.fails("thing/get", id=2)
    assert refused.kind == "rateLimited" and refused.data["attempts"] == 0 and len(server.asked) == 1
    assert [part["part"] for part in larder.call("server/status")["degraded"]] == ["api a"]


@pytest.mark.parametrize("headers", [{"Retry-After": "99999999999"}, {"X-Reset": "99999999999999999"}])
def test_pause_requested_by_an_api_is_limited_to_one_hour(served, server, headers):
    server.answer = lambda count, path: (429, headers, {"message": "slower"})
    larder = served({"reset": {"header": "X-Reset"}})
    assert larder.fails("thing/get", id=1).data["status"] == 429
    assert 3590 <= larder.fails("thing/get", id=2).data["retryAfter"] <= 3600 and len(server.asked) == 1
