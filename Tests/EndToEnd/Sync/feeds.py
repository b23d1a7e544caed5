"""Servers that report the changes of a list as a feed with tokens, in the forms of six APIs."""

import json
import threading
from urllib.parse import urlencode

PAGE = 4


class Feed:
    """Things by id, and a log of their changes. Each change has a number, from 1. Tokens before `oldest` are expired.

    A subclass has the form of one API: its catalog (`rest`) and its answers (`reply`). `requests` lists the received
    requests. `before(n, action)` runs an action before the request number n, counted from now. An action may return an
    answer.
    """

    has_get = True

    def __init__(self):
        self.things, self.log, self.oldest = {}, [], 0
        self.requests, self.actions, self.lock = [], {}, threading.RLock()

    def put(self, id, **values):
        with self.lock:
            self.things[id] = {"id": id, **self.things.get(id, {}), **values}
            self.log.append((id, self.things[id]))

    def delete(self, id):
        with self.lock:
            del self.things[id]
            self.log.append((id, None))

    def expire(self):
        """Makes all tokens so far invalid."""
        self.oldest = len(self.log) + 1
        self.put("after-expiry", name="new")

    def before(self, number, action):
        self.actions[len(self.requests) + number] = action

    def answer(self, request):
        with self.lock:
            self.requests.append(request.target)
            action = self.actions.pop(len(self.requests), None)
            answer = action() if action else None
            if answer:
                return answer
            if request.path.startswith("/things/") and request.path[8:] not in ("delta", "_changes"):
                thing = self.things.get(request.path.rpartition("/")[2])
                return (200, {}, thing) if thing else (404, {}, {"message": "no such thing"})
            return self.reply(request)

    def changes(self, since, limit=PAGE):
        """Returns the last change of each thing after a change, oldest first, as (number, id, thing or None).

        Returns at most `limit` changes, and the number since which the next page starts; None after the last page.
        """
        last = {id: (number, id, thing) for number, (id, thing) in enumerate(self.log, 1) if number > since}
        found = sorted(last.values(), key=lambda change: change[0])
        return found[:limit], found[limit - 1][0] if len(found) > limit else None

    def listed(self, after):
        """Returns a page of the things after an id, and the last id of the page; None after the last page."""
        found = [self.things[id] for id in sorted(self.things) if id > after]
        return found[:PAGE], found[PAGE - 1]["id"] if len(found) > PAGE else None

    def catalog(self, home):
        rest = self.rest()
        if self.has_get:
            rest["get"] = {"path": "/things/{id}"}
        thing = {"api": "a", "id": "string", "rest": rest}
        api = {"baseURL": self.url, "retries": 0}
        path = home / "feed.json"
        path.write_text(json.dumps({"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}}))
        return path


class Calendar(Feed):
    """Google Calendar: the last page of the list and of the changes has the token. Status 410 for an expired token."""

    def rest(self):
        pages = {"style": "cursor", "param": "pageToken", "next": "nextPageToken"}
        return {
            "list": {"path": "/things", "items": "items", "pagination": pages},
            "sync": {"style": "token", "param": "syncToken", "next": "nextSyncToken",
                     "deleted": {"when": "status", "is": "cancelled"}},
        }  # fmt: skip

    def reply(self, request):
        query = request.query
        if "syncToken" in query:
            since = int(query["syncToken"][1:])
            if since < self.oldest:
                return 410, {}, {"error": {"message": "Sync token is no longer valid"}}
            changes, after = self.changes(int(query.get("pageToken", since)))
            items = [thing or {"id": id, "status": "cancelled"} for _, id, thing in changes]
            token = {"nextPageToken": str(after)} if after else {"nextSyncToken": f"s{len(self.log)}"}
        else:
            start, last = query.get("pageToken", f"{len(self.log)} ").split(" ")
            items, after = self.listed(last)
            # The token of a list marks its beginning.
            token = {"nextPageToken": f"{start} {after}"} if after else {"nextSyncToken": f"s{start}"}
        return 200, {}, {"items": items, **token}


class Delta(Feed):
    """Microsoft Graph: the tokens are URLs, and a request without a token starts the feed."""

    def rest(self):
        pages = {"style": "nextURL", "next": ["@odata.nextLink"]}
        return {
            "list": {"path": "/things", "items": "value", "pagination": pages},
            "sync": {"style": "token", "path": "/things/delta", "begin": "feed", "next": ["@odata.deltaLink"],
                     "deleted": {"when": ["@removed"]}},
        }  # fmt: skip

    def reply(self, request):
        query = request.query
        since = int(query.get("token", query.get("skip", 0)))
        if "token" in query and since < self.oldest:
            return 410, {}, {"error": {"code": "syncStateNotFound", "message": "resync"}}
        if request.path == "/things":
            items, after = self.listed(query.get("after", ""))
            link = f"{self.url}/things?" + urlencode({"after": after})
            return 200, {}, {"value": items, **({"@odata.nextLink": link} if after else {})}
        changes, after = self.changes(since)
        items = [thing or {"id": id, "@removed": {"reason": "deleted"}} for _, id, thing in changes]
        link = f"{self.url}{request.path}?"
        delta = {"@odata.deltaLink": f"{link}token={len(self.log)}"}
        more = {"@odata.nextLink": f"{link}skip={after}"} if after else delta
        return 200, {}, {"value": items, **more}


class Couch(Feed):
    """CouchDB: the elements of the feed contain the items."""

    def rest(self):
        return {
            "list": {"path": "/things", "items": "rows.*.doc"},
            "sync": {"style": "token", "path": "/things/_changes", "items": "results", "param": "since",
                     "begin": "feed", "next": "last_seq", "item": "doc", "id": "id",
                     "query": {"include_docs": "true"}, "deleted": {"when": "deleted"}},
        }  # fmt: skip

    def reply(self, request):
        if request.path == "/things":
            return 200, {}, {"rows": [{"doc": self.things[id]} for id in sorted(self.things)]}
        since = int(request.query.get("since", 0))
        if since < self.oldest and since:
            return 404, {}, {"error": "not_found"}
        results = []
        for number, id, thing in self.changes(since, 1000)[0]:
            gone = {"deleted": True, "doc": {"id": id, "_deleted": True}}
            results.append({"seq": number, "id": id, **({"doc": thing} if thing else gone)})
        return 200, {}, {"results": results, "last_seq": len(self.log)}


class Kubernetes(Feed):
    """Kubernetes: a watch that ends by itself sends lines of JSON. The token is in the last line."""

    def rest(self):
        pages = {"style": "cursor", "param": "continue", "next": "metadata.continue"}
        return {
            "list": {"path": "/things", "items": "items", "pagination": pages},
            "sync": {
                "style": "token", "param": "resourceVersion", "initial": "metadata.resourceVersion", "as": "ndjson",
                "items": "", "query": {"watch": "true"}, "pagination": "none", "item": "object",
                "next": {"last": "object.resourceVersion"}, "deleted": {"when": "type", "is": "DELETED"},
                "skip": {"when": "type", "is": "BOOKMARK"},
                "errors": [{"when": "0.type", "is": "ERROR", "message": "0.object.message", "sync": "expired"}],
            },
        }  # fmt: skip

    def reply(self, request):
        if "watch" not in request.query:
            items, after = self.listed(request.query.get("continue", ""))
            version = {"resourceVersion": str(len(self.log))}
            more = {"continue": after} if after else {}
            return 200, {}, {"items": items, "metadata": {**version, **more}}
        since = int(request.query["resourceVersion"])
        if since < self.oldest:
            lines = [{"type": "ERROR", "object": {"code": 410, "message": "too old resource version"}}]
        else:
            lines = []
            for number, (id, thing) in list(enumerate(self.log, 1))[since:]:
                version = {"resourceVersion": str(number)}
                kind = "MODIFIED" if thing else "DELETED"
                lines.append({"type": kind, "object": {"id": id, **(thing or {}), **version}})
            if len(self.log) % 2:
                lines.append({"type": "BOOKMARK", "object": {"resourceVersion": str(len(self.log))}})
        return 200, {}, "".join(json.dumps(line) + "\n" for line in lines).encode()


class Stripe(Feed):
    """Stripe: events name the changed items, the newest first. A separate request returns the first token."""

    def rest(self):
        pages = {"style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more"}
        newer = {"style": "cursor", "param": "ending_before", "next": {"first": "id"}, "more": "has_more"}
        return {
            "list": {"path": "/things", "items": "data", "pagination": pages},
            "sync": {
                "style": "token", "path": "/events", "param": "ending_before", "of": "ids", "id": "data.object.id",
                "initial": {"path": "/events", "query": {"limit": 1}, "from": "data.0.id"}, "next": {"first": "id"},
                "pagination": newer,
            },
        }  # fmt: skip

    def reply(self, request):
        query = request.query
        if request.path == "/things":
            items, after = self.listed(query.get("starting_after", ""))
            return 200, {}, {"data": items, "has_more": after is not None}
        before = int(query.get("ending_before", "evt_0")[4:])
        events = [{"id": f"evt_{number}", "data": {"object": {"id": id}}} for number, (id, _) in enumerate(self.log, 1)]
        if query.get("limit") == "1":
            return 200, {}, {"data": events[-1:], "has_more": True}
        if before < self.oldest:
            return 404, {}, {"error": {"message": "No such event"}}
        # The page has the events that follow the given one, the newest first.
        newer = events[before:]
        return 200, {}, {"data": newer[:PAGE][::-1], "has_more": len(newer) > PAGE}


class Contentful(Feed):
    """Contentful: the feed has its own path and query for the beginning. Its tokens are URLs."""

    has_get = False

    def rest(self):
        pages = {"style": "nextURL", "next": "nextPageUrl"}
        return {
            "list": {"path": "/things", "items": "items", "pagination": pages},
            "sync": {"style": "token", "path": "/sync", "query": {"initial": "true"}, "begin": "feed",
                     "next": "nextSyncUrl", "deleted": {"when": "type", "is": "DeletedEntry"}},
        }  # fmt: skip

    def reply(self, request):
        query = request.query
        since = int(query.get("sync_token", query.get("page_token", 0)))
        if "sync_token" in query and since < self.oldest:
            return 400, {}, {"message": "The sync token is invalid"}
        changes, after = self.changes(since)
        items = [thing or {"id": id, "type": "DeletedEntry"} for _, id, thing in changes]
        link = f"{self.url}/sync?"
        sync = {"nextSyncUrl": f"{link}sync_token={len(self.log)}"}
        more = {"nextPageUrl": f"{link}page_token={after}"} if after else sync
        return 200, {}, {"items": items, **more}


FEEDS = [Calendar, Delta, Couch, Kubernetes, Stripe, Contentful]
