"""A server with one list of things, whose pages, faults and changes a test controls."""

import json
import threading

from harness import PATIENCE
from scripted import serving

PAGE = 5
PAGINATION = {
    "page": {"style": "page", "param": "page", "more": "more"},
    "cursor": {"style": "cursor", "param": "after", "next": "next"},
    "link": {"style": "nextURL", "next": "next"},
}


class Things:
    """The things of the server, by id. `style` is `page` or `link` (pages shift when things change), or `cursor` (by
    id).

    `requests` lists the received requests. `before(n, action)` runs an action before the request number n, counted from
    now. An action may return an answer.
    """

    def __init__(self, style, has_get=True):
        self.style, self.has_get, self.things, self.order = style, has_get, {}, []
        self.requests, self.actions, self.lock = [], {}, threading.RLock()

    def put(self, id, **values):
        with self.lock:
            if id not in self.things:
                self.order.append(id)
            self.things[id] = {"id": id, "state": "open", **self.things.get(id, {}), **values}

    def delete(self, id):
        with self.lock:
            self.order.remove(id)
            del self.things[id]

    def before(self, number, action):
        self.actions[len(self.requests) + number] = action

    def hold(self, number, seen=None):
        """Holds the request number n, counted from now. Returns the event of its arrival and a gate that releases it.
        Also sets `seen` at its arrival."""
        arrived, gate = threading.Event(), threading.Event()

        def action():
            arrived.set()
            if seen:
                seen.set()
            gate.wait(PATIENCE)

        self.before(number, action)
        return arrived, gate

    def forget_actions(self):
        self.actions.clear()

    def answer(self, request):
        with self.lock:
            self.requests.append(request.target)
            action = self.actions.pop(len(self.requests), None)
        answer = action() if action else None
        if answer:
            return answer
        with self.lock:
            if request.path != "/things":
                thing = self.things.get(request.path.rsplit("/", 1)[1])
                return (200, {}, thing) if thing else (404, {}, {"message": "no such thing"})
            wanted = [self.things[id] for id in self.order if self.things[id]["state"] == request.query.get("state")]
            found = wanted if "state" in request.query else [self.things[id] for id in self.order]
            return 200, {}, self.page(found, request.query)

    def page(self, found, query):
        if self.style == "cursor":
            left = [thing for thing in sorted(found, key=lambda one: one["id"]) if thing["id"] > query.get("after", "")]
            last = left[PAGE - 1]["id"] if len(left) > PAGE else None
            return {"items": left[:PAGE], "next": last}
        start = (int(query.get("page", 1)) - 1) * PAGE
        more = start + PAGE < len(found)
        link = f"{self.url}/things?page={start // PAGE + 2}" if more else None
        return {"items": found[start : start + PAGE], "more": more, "next": link}

    def catalog(self, home):
        rest = {"list": {
            "path": "/things", "items": "items", "pagination": PAGINATION[self.style], "filters": {"state": "state"},
        }}
        if self.has_get:
            rest["get"] = {"path": "/things/{id}"}
        api = {"baseURL": self.url, "retries": 0}
        thing = {"api": "a", "id": "string", "rest": rest}
        text = json.dumps({"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}})
        (home / "things.json").write_text(text)
        return home / "things.json"


def copy_of(larder):
    """Returns the cached things by id."""
    found = larder.call("thing/search", limit=1000)["items"]
    return {thing["id"]: thing for thing in found}


__all__ = ["Things", "copy_of", "serving"]
