"""A server with two lists, tickets and users, whose items a test sets."""

import json

from scripted import serving

FIELDS = {
    "ticket": {
        "id": "integer", "title": "string?", "votes": "integer?", "price": "number?", "urgent": "boolean?",
        "at": "date?", "labels": ["string"], "owner": "string?", "more": "any",
    },
    "user": {"id": "string", "name": "string?", "team": "string?"},
}
TICKETS = [
    {"id": 1, "title": "one", "votes": 3, "price": 1.5, "urgent": True, "at": "2026-01-31T09:05:00Z", "labels": ["a"],
     "owner": "ada", "more": {"a": [1, 2]}},
    {"id": 2, "title": "it's", "votes": None, "price": 2, "urgent": False, "at": "2026-01-31T09:05:00.5+01:00",
     "labels": [], "owner": "bob", "more": None},
    {"id": 30, "title": "drei \u00fc", "votes": 9007199254740993, "price": None, "urgent": None, "at": None,
     "labels": ["b", "c"], "owner": "ada", "more": "text"},
]
USERS = [{"id": "ada", "name": "Ada", "team": "x"}, {"id": "bob", "name": "Bob", "team": None}]
PAGES = {"style": "page", "param": "page", "more": "more"}


class Desk:
    """`items` are the items of each resource. `requests` lists the received requests."""

    def __init__(self):
        self.items = {"ticket": list(TICKETS), "user": list(USERS)}
        self.requests = []

    def answer(self, request):
        self.requests.append(request.target)
        name, _, id = request.path.strip("/").partition("/")
        found = self.items[name]
        if not id:
            return 200, {}, {"items": found, "more": False}
        one = [item for item in found if str(item["id"]) == id]
        return (200, {}, one[0]) if one else (404, {}, {})

    def catalog(self, home):
        resources = {
            name: {
                "api": "desk", "id": "integer" if name == "ticket" else "string", "fields": fields,
                "rest": {
                    "get": {"path": f"/{name}/{{id}}"},
                    "list": {"path": f"/{name}", "items": "items", "pagination": PAGES},
                },
            }
            for name, fields in FIELDS.items()
        }
        api = {"baseURL": self.url, "retries": 0}
        path = home / "desk.json"
        path.write_text(json.dumps({"larder": 1, "apis": {"desk": api}, "resources": resources}))
        return path


def rows(larder, sql, **params):
    """Returns the rows of a statement."""
    return larder.call("cache/query", sql=sql, **params)["rows"]


__all__ = ["Desk", "TICKETS", "USERS", "rows", "serving"]
