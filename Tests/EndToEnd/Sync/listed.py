"""A server with one list of things, whose pages, faults and changes a test controls."""

import json
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from urllib.parse import urlencode

from harness import PATIENCE
from scripted import serving

PAGE = 5
PAGINATION = {
    "page": {"style": "page", "param": "page", "more": "more"},
    "cursor": {"style": "cursor", "param": "after", "next": "next"},
    "link": {"style": "nextURL", "next": "next"},
}


@dataclass
class Changes:
    """The way in which the server lists what changed since a revision. The catalog declares the same."""

    tombstones: bool = True
    inclusive: bool = False
    ascending: bool = True
    dates: bool = False
    """Whether revisions are dates, two minutes apart."""
    sync: dict | None = None
    """More keys of the catalog's `sync`."""

    def revision(self, number):
        if not self.dates:
            return number
        return (self.first + timedelta(minutes=2 * number)).strftime("%Y-%m-%dT%H:%M:%SZ")

    first = datetime.now(timezone.utc) - timedelta(days=1)

    def date(self, number):
        """Returns the header Date of an answer. The clock of a server with dates stands a minute after the last
        revision."""
        return {"Date": format_datetime(self.first + timedelta(minutes=2 * number + 1), True)} if self.dates else {}

    def declared(self):
        sync = {"style": "since", "param": "since", "from": "rev", "type": "date" if self.dates else "integer"}
        if self.ascending:
            sync |= {"ascending": True, "query": {"sort": "rev"}}
        if self.tombstones:
            sync["deleted"] = {"when": "deleted"}
        return sync | (self.sync or {})


class Things:
    """The things of the server, by id. `style` is `page` or `link` (pages shift when things change), or `cursor` (by
    id, or by revision if sorted so). With `changes`, each thing has a revision, and the catalog declares `sync`.

    `requests` lists the received requests. `before(n, action)` runs an action before the request number n, counted from
    now. An action may return an answer.
    """

    def __init__(self, style, has_get=True, changes=None):
        self.style, self.has_get, self.things, self.order, self.changes = style, has_get, {}, [], changes
        self.gone, self.number = {}, 0
        self.requests, self.actions, self.lock = [], {}, threading.RLock()

    def put(self, id, **values):
        with self.lock:
            if id not in self.things:
                self.order.append(id)
            self.things[id] = {"id": id, "state": "open", **self.things.get(id, {}), **values, **self.revision()}
            self.gone.pop(id, None)

    def delete(self, id):
        with self.lock:
            self.order.remove(id)
            del self.things[id]
            self.gone[id] = {"id": id, "deleted": True, **self.revision()}

    def revision(self):
        """Returns the revision of the next change, as a member."""
        if not self.changes:
            return {}
        self.number += 1
        return {"rev": self.changes.revision(self.number)}

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
            found = [self.things[id] for id in self.order]
            if "state" in request.query:
                found = [thing for thing in found if thing["state"] == request.query["state"]]
            if "since" in request.query:
                found = self.changed(found, request.query["since"])
            if request.query.get("sort") == "rev":
                found.sort(key=lambda one: one["rev"])
            headers = self.changes.date(self.number) if self.changes else {}
            return 200, headers, self.page(found, request.query)

    def changed(self, found, since):
        """Returns the things, and the deleted ones, that changed since a revision."""
        since = since if self.changes.dates else int(since)
        every = found + (list(self.gone.values()) if self.changes.tombstones else [])
        return [one for one in every if one["rev"] > since or self.changes.inclusive and one["rev"] == since]

    def page(self, found, query):
        if self.style == "cursor":
            name = "rev" if query.get("sort") == "rev" else "id"
            after = json.loads(query["after"]) if "after" in query else None
            left = [one for one in sorted(found, key=lambda one: one[name]) if after is None or one[name] > after]
            last = json.dumps(left[PAGE - 1][name]) if len(left) > PAGE else None
            return {"items": left[:PAGE], "next": last}
        start = (int(query.get("page", 1)) - 1) * PAGE
        more = start + PAGE < len(found)
        link = f"{self.url}/things?" + urlencode({**query, "page": start // PAGE + 2}) if more else None
        return {"items": found[start : start + PAGE], "more": more, "next": link}

    def catalog(self, home):
        rest = {"list": {
            "path": "/things", "items": "items", "pagination": PAGINATION[self.style], "filters": {"state": "state"},
        }}
        if self.changes:
            rest["sync"] = self.changes.declared()
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


def counts(result):
    """Returns the main members of the result of a sync."""
    return tuple(result[name] for name in ("mode", "added", "changed", "removed", "items", "complete", "deletions"))


__all__ = ["Changes", "Things", "copy_of", "counts", "serving"]
