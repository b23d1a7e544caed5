"""A small scripted API and its catalog, for the difficult cases of the protocol. The API has scopes, ids with any
characters, pages longer than an answer, and cursors that look like Larder's.
"""

import json
from typing import Any

from standins import Refusal, Request, need

NOTES = 25
ROWS = 300
LONG_ROW = 7  # longer than one answer may be
FILES = ["docs/a b.md", "ä/1", "100%", "x?y#z", "plain"]
SIZE = {"notes": 10, "rows": 150, "files": 2}


def note(owner: str, repo: str, id: int) -> Any:
    return {"id": id, "title": f"note {id} of {owner}/{repo}", "state": "closed" if id % 2 else "open", "owner": owner}


def row(id: int) -> Any:
    return {"id": id, "name": f"row {id}", "text": ("ü\"\n" if id % 3 else "x") * (90_000 if id == LONG_ROW else 500)}


def file(id: str) -> Any:
    return {"id": id, "size": len(id)}


def page(kind: str, items: list, request: Request) -> Any:
    # The cursor begins like Larder's own cursors.
    start = int(request.one("after", "larder:0").split(":")[1])
    end = start + SIZE[kind]
    return {"items": items[start:end], "next": f"larder:{end}" if end < len(items) else None, "total": len(items)}


def answer(request: Request) -> Any:
    if found := request.match("/repos/*/*/notes"):
        need(request.one("state"), 422, {"message": "state is required"})
        notes = [note(*found, id) for id in range(1, NOTES + 1)]
        return page("notes", [one for one in notes if request.one("state") in (one["state"], "all")], request)
    if found := request.match("/repos/*/*/notes/*"):
        need(found[2].isdigit() and 1 <= int(found[2]) <= NOTES, 404, {"message": "No such note"})
        return note(found[0], found[1], int(found[2]))
    if request.path == "/rows":
        return page("rows", [row(id) for id in range(1, ROWS + 1)], request)
    if found := request.match("/rows/*"):
        return row(int(found[0]))
    if request.path == "/files":
        return page("files", [file(id) for id in FILES], request)
    if found := request.match("/files/*"):
        need(found[0] in FILES, 404, {"message": "No such file"})
        return file(found[0])
    if request.path == "/busy/1":
        raise Refusal(429, {"message": "Slow down"}, {"Retry-After": "4000"})
    raise Refusal(404, {"message": "Nothing here"})


PAGES = {"style": "cursor", "param": "after", "next": "next", "count": "total"}


def listed(path: str, **more: Any) -> Any:
    return {"path": path, "items": "items", "pagination": PAGES, **more}


RESOURCES = {
    "note": {
        "scope": {"owner": "string", "repo": {"type": "string", "default": "larder"}},
        "id": "integer",
        "fields": {"id": "integer", "title": "string", "state": ["open", "closed"], "owner": "string"},
        "rest": {
            "get": {"path": "/repos/{owner}/{repo}/notes/{id}"},
            "list": listed(
                "/repos/{owner}/{repo}/notes",
                filters={"state": {"type": ["open", "closed", "all"], "required": True}},
            ),
        },
        "cache": {"freshFor": "5m"},
    },
    "row": {
        "id": "integer",
        "fields": {"id": "integer", "name": "string", "text": "string"},
        "rest": {"get": {"path": "/rows/{id}"}, "list": listed("/rows")},
        "cache": {"freshFor": "30d"},
    },
    "file": {
        "id": "string",
        "fields": {"id": "string", "size": "integer"},
        "rest": {"get": {"path": "/files/{id}"}, "list": listed("/files")},
    },
    "busy": {"id": "integer", "fields": {"id": "integer"}, "rest": {"get": {"path": "/busy/{id}"}}},
}


def catalog(url: str, resources: Any = None, **api: Any) -> str:
    resources = {name: {"api": "things", **one} for name, one in (resources or RESOURCES).items()}
    return json.dumps({"larder": 1, "apis": {"things": {"baseURL": url, "retries": 0, **api}}, "resources": resources})
