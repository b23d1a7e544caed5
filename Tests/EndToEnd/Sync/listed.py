"""A server with one list of things, whose pages, faults and changes a test controls."""

import json
import threading
from urllib.parse import urlencode

from harness import PATIENCE
from revisions import Changes
from scripted import serving

PAGE = 5
PAGINATION = {
    "page": {"style": "page", "param": "page", "more": "more"},
    "cursor": {"style": "cursor", "param": "after", "next": "next"},
    "link": {"style": "nextURL", "next": "next"},
}


class Things:
    """The things of the server, by id. `style` is `page` or `link` (pages shift when things change), or `cursor`.

    The pages of a cursor are sorted by the member `sort`, in descending order if the name follows a minus sign. With
    `changes`, each thing has a revision `rev`, and the catalog declares `sync`. With `counts`, each page has the number
    of things.

    `requests` lists the received requests. `before(n, action)` runs an action before the request number n, counted from
    now. An action may return an answer. `after(n, action)` runs an action between the server's answer and its arrival.
    """

    def __init__(self, style, has_get=True, changes=None, sort="id", counts=False):
        self.style, self.has_get, self.things, self.order, self.changes = style, has_get, {}, [], changes
        self.sort, self.counts = sort, counts
        self.gone, self.number = {}, 0
        self.requests, self.actions, self.late, self.lock = [], {}, {}, threading.RLock()
        self.record = None

    def put(self, id, **values):
        with self.lock:
            if id not in self.things:
                self.order.append(id)
            self.things[id] = {"id": id, "state": "open", **self.things.get(id, {}), **values, **self.revision()}
            self.gone.pop(id, None)
            self.note()

    def delete(self, id):
        with self.lock:
            self.order.remove(id)
            del self.things[id]
            self.gone[id] = {"id": id, "deleted": True, **self.revision()}
            self.note()

    def revision(self):
        """Returns the revision of the next change, as a member."""
        if not self.changes and not self.sort.endswith("rev"):
            return {}
        self.number += 1
        return {"rev": self.changes.revision(self.number) if self.changes else self.number}

    def note(self):
        """Notes the current things in `record`, if there is one."""
        if self.record:
            self.record.note(self.things)

    def before(self, number, action):
        self.actions[len(self.requests) + number] = action

    def after(self, number, action):
        self.late[len(self.requests) + number] = action

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
        self.late.clear()

    def answer(self, request):
        with self.lock:
            self.requests.append(request.target)
            number = len(self.requests)
            action, late = self.actions.pop(number, None), self.late.pop(number, None)
        answer = (action() if action else None) or self.found(request)
        return (late() if late else None) or answer

    def found(self, request):
        """Returns the answer to a request without faults."""
        with self.lock:
            if request.path != "/things":
                thing = self.things.get(request.path.rsplit("/", 1)[1])
                return (200, {}, thing) if thing else (404, {}, {"message": "no such thing"})
            found = self.listed(request.query)
            headers = self.changes.date(self.number) if self.changes else {}
            page = self.page(found, request.query)
            if self.record:
                self.record.served.update(one["id"] for one in page["items"])
            return 200, headers, page | ({"count": len(found)} if self.counts else {})

    def listed(self, query):
        """Returns the things of a list, or their changes, in the order of its pages."""
        found = [self.things[id] for id in self.order]
        if "state" in query:
            found = [thing for thing in found if thing["state"] == query["state"]]
        if "since" in query:
            found = self.changed(found, query["since"])
        name = query.get("sort", "id" if self.style == "cursor" else None)
        return sorted(found, key=lambda one: place(one, name), reverse=name.startswith("-")) if name else found

    def changed(self, found, since):
        """Returns the things, and the deleted ones, that changed since a revision."""
        since = since if self.changes.dates else int(since)
        every = found + (list(self.gone.values()) if self.changes.tombstones else [])
        return [one for one in every if one["rev"] > since or self.changes.inclusive and one["rev"] == since]

    def page(self, found, query):
        if self.style == "cursor":
            name = query.get("sort", "id")
            after = json.loads(query["after"]) if "after" in query else None
            left = [one for one in found if after is None or follows(place(one, name), after, name)]
            last = json.dumps(place(left[PAGE - 1], name)) if len(left) > PAGE else None
            return {"items": left[:PAGE], "next": last}
        start = (int(query.get("page", 1)) - 1) * PAGE
        more = start + PAGE < len(found)
        link = f"{self.url}/things?" + urlencode({**query, "page": start // PAGE + 2}) if more else None
        return {"items": found[start : start + PAGE], "more": more, "next": link}

    def catalog(self, home):
        pagination = PAGINATION[self.style] | ({"count": "count"} if self.counts else {})
        rest = {"list": {
            "path": "/things", "items": "items", "pagination": pagination, "filters": {"state": "state"},
        }}
        if self.sort != "id":
            rest["list"]["query"] = {"sort": self.sort}
        if self.changes:
            rest["sync"] = self.changes.declared()
        if self.has_get:
            rest["get"] = {"path": "/things/{id}"}
        api = {"baseURL": self.url, "retries": 0}
        thing = {"api": "a", "id": "string", "rest": rest}
        text = json.dumps({"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}})
        (home / "things.json").write_text(text)
        return home / "things.json"


def place(thing, name):
    """Returns the place of an item in a list that is sorted by the member `name`."""
    return [thing.get(name.lstrip("-"), 0), thing["id"]]


def follows(place, other, name):
    return place < other if name.startswith("-") else place > other


def copy_of(larder):
    """Returns the cached things by id."""
    found = larder.call("thing/search", limit=1000)["items"]
    return {thing["id"]: thing for thing in found}


def counts(result):
    """Returns the main members of the result of a sync."""
    return tuple(result[name] for name in ("mode", "added", "changed", "removed", "items", "complete", "deletions"))


__all__ = ["Changes", "Things", "copy_of", "counts", "serving"]
