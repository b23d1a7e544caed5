"""Every cache policy with every state of the two levels and every answer of the remote, over both transports.

A client can tell the two levels apart only if one is empty: memory without a file (`--no-persistence`), or the file in
a new process. The repository's unit tests cover levels with different contents. All cells of a test run at the same
time, each with its own id.
"""

import dataclasses
import itertools
import json
import re

import pytest

NONE, FRESH, STALE, INVALIDATED = "none", "fresh", "stale", "invalidated"
POLICIES = ["localFirst", "remoteFirst", "none", "localOnly"]
# The states of memory and file, grouped by the process that can have them.
STATES = {
    "memory": [(NONE, NONE), (FRESH, NONE), (STALE, NONE), (INVALIDATED, NONE)],
    "both": [(FRESH, FRESH), (STALE, STALE), (INVALIDATED, INVALIDATED)],
    "file": [(NONE, FRESH), (NONE, STALE), (NONE, INVALIDATED)],
}

ERRORS = json.dumps({"errors": [{"message": "no", "path": ["thing", 0]}], "data": None})
OUTCOMES = {
    "200": {},
    "304": {"status": 304},
    "404": {"status": 404},
    "401": {"status": 401},
    "429": {"status": 429, "headers": {"Retry-After": "7"}},
    "500": {"status": 500},
    "503": {"status": 503},
    "reset": {"drop": True},
    "truncated": {"truncate": 10},
    "HTML": {"status": 200, "body": "<html>Hello</html>", "headers": {"Content-Type": "text/html"}},
    "GraphQL errors": {"status": 200, "body": ERRORS},
    "timeout": {"hold": "for ever"},
}
# The kind of error, its code, and whether a cached entry is used instead.
FAILURES = {
    "304": ("serverError", -31004, False),
    "404": ("notFound", -31003, False),
    "401": ("unauthorized", -31006, False),
    "429": ("rateLimited", -31007, True),
    "500": ("serverError", -31004, True),
    "503": ("serverError", -31004, True),
    "reset": ("network", -31008, True),
    "truncated": ("network", -31008, True),
    "HTML": ("decodingFailed", -31005, True),
    "timeout": ("timeout", -31009, True),
}

CATALOG = """{
  "larder": 1,
  "apis": {"rickandmorty": {
    "baseURL": "https://rickandmortyapi.com", "timeout": "%s", "retries": 0, "maxConcurrent": 1000}},
  "resources": {"thing": {
    "api": "rickandmorty", "id": "integer", "fields": {"id": "integer", "name": "string", "species": "string"},
    %s,
    "cache": {"freshFor": "1h", "keepFor": "30d"}}}
}"""
TRANSPORTS = {
    "rest": """"rest": {
      "get": {"path": "/api/character/{id}"},
      "list": {"path": "/api/character", "items": "results", "filters": {"name": "name"},
               "pagination": {"style": "page", "param": "page", "pages": "info.pages", "count": "info.count"}}}""",
    "graphql": """"graphql": {
      "path": "/graphql",
      "get": {"query": "query ($id: ID!) { character(id: $id) { id name species } }", "item": "character"},
      "list": {
        "query": "query ($page: Int, $name: String) { characters(page: $page, filter: {name: $name}) \
{ info { count pages } results { id name species } } }",
        "items": "characters.results", "filters": {"name": "name"},
        "pagination": {"style": "page", "param": "page", "pages": "characters.info.pages"}}}""",
}


@dataclasses.dataclass(frozen=True)
class Cell:
    """One combination of a cache policy, the state of memory and the state of the cache file."""

    id: int
    policy: str
    memory: str
    file: str


@dataclasses.dataclass
class Expected:
    """The expected result of a cell, derived from the documents and not from the code."""

    value: object = None  # "old": the cached version; "new": the version of the remote; None: an error
    source: object = None
    stale: bool = False
    fallback: object = None
    error: object = None
    requests: int = 0
    after: object = None  # the version cached afterwards
    confirmed: bool = False  # whether the remote confirmed the cached version (304)


def failure(transport, outcome):
    if outcome == "GraphQL errors":
        # Over REST, this body is valid JSON of the wrong shape.
        return ("invalidResponse", -31002, True) if transport == "graphql" else ("decodingFailed", -31005, True)
    return FAILURES[outcome]


def expect(cell, transport, outcome):
    is_kept = (cell.memory, cell.file) != (NONE, NONE)
    nearest = "memory" if cell.memory != NONE else "persistence"
    is_fresh = FRESH in (cell.memory, cell.file)
    kept = "old" if is_kept else None
    if cell.policy == "localOnly":
        if not is_kept:
            return Expected(error=("notCached", -31010))
        return Expected("old", nearest, stale=not is_fresh, after="old")
    if cell.policy == "localFirst" and is_fresh:
        return Expected("old", nearest, after="old")
    if outcome == "200":
        return Expected("new", "remote", requests=1, after=kept if cell.policy == "none" else "new")
    if outcome == "304" and transport == "rest" and is_kept and cell.policy != "none":
        return Expected("old", "remote", requests=1, after="old", confirmed=True)
    kind, code, may_stand_in = failure(transport, outcome)
    if cell.policy == "none":
        return Expected(error=(kind, code), requests=1, after=kept)
    if may_stand_in and is_kept:
        return Expected("old", nearest, stale=True, fallback=(kind, code), requests=1, after="old")
    return Expected(error=(kind, code), requests=1, after=None if kind == "notFound" else kept)


class Table:
    """The cells of one test and the processes that serve them."""

    def __init__(self, start, upstream, home, transport, subject, outcome):
        self.start, self.upstream, self.home, self.subject = start, upstream, home, subject
        path = home / "things.jsonc"
        path.write_text(CATALOG % ("2s" if outcome == "timeout" else "20s", TRANSPORTS[transport]))
        self.catalog = path
        ids = itertools.count(5000)
        self.cells = {
            place: [Cell(next(ids), policy, *state) for policy in POLICIES for state in states]
            for place, states in STATES.items()
        }
        self.processes = {}
        self.kept = {}

    def process(self, place):
        options = ["--no-persistence"] if place == "memory" else []
        return self.start("--catalog", self.catalog, *options, cache_dir=self.home / place)

    def params(self, cell):
        if self.subject == "get":
            return {"id": cell.id}
        return {"filter": {"name": f"cell-{cell.id}"}}

    def method(self):
        return f"thing/{self.subject}"

    def write(self, version):
        """Sets the version that the remote returns from now on."""
        for cell in itertools.chain(*self.cells.values()):
            self.upstream.edit("character", cell.id, name=f"cell-{cell.id}", species=version)

    def fill(self):
        self.write("old")
        for place, cells in self.cells.items():
            process = self.processes[place] = self.process(place)
            held = [cell for cell in cells if (cell.memory, cell.file) != (NONE, NONE)]
            for cell in held:
                self.kept[cell] = process.call(self.method(), **self.params(cell))
            marked = [cell.id for cell in held if INVALIDATED in (cell.memory, cell.file)]
            assert process.call("cache/invalidate", resource="thing", ids=marked)["invalidated"] == len(marked)
            if place == "file":
                process.close()
                self.processes[place] = self.process(place)
        self.write("new")

    def ask(self):
        """Sends the calls of all cells at once. Returns the replies."""
        sent = {}
        for place, cells in self.cells.items():
            for cell in cells:
                age = {"maxAge": 0} if STALE in (cell.memory, cell.file) else {}
                params = {**self.params(cell), **age, "cachePolicy": cell.policy}
                sent[cell] = (self.processes[place], self.processes[place].send(self.method(), params))
        return {cell: process.wait(id) for cell, (process, id) in sent.items()}

    def left(self, process, cell):
        return process.wait(process.send(self.method(), {**self.params(cell), "cachePolicy": "localOnly"}))


def version(result):
    items = result["items"] if "items" in result else [result["item"]]
    assert len(items) == 1
    return items[0]["species"]


def check_reply(cell, reply, expected, kept, outcome):
    if expected.error:
        assert "error" in reply, (cell, reply)
        error = reply["error"]
        assert (error["data"]["kind"], error["code"]) == expected.error, (cell, error)
        if outcome in ("304", "500", "503") and error["data"]["kind"] == "serverError":
            assert error["data"]["status"] == int(outcome), (cell, error)
        return
    assert "result" in reply, (cell, reply)
    result = reply["result"]
    seen = (version(result), result["source"], result["stale"])
    assert seen == (expected.value, expected.source, expected.stale), (cell, seen)
    fallback = result.get("fallback")
    assert (fallback and (fallback["data"]["kind"], fallback["code"])) == expected.fallback, (cell, fallback)
    if fallback and outcome == "429":
        assert fallback["data"]["retryAfter"] == 7
    if expected.source == "remote":
        assert not kept or result["fetchedAt"] > kept["fetchedAt"], cell
    else:
        assert result["fetchedAt"] == kept["fetchedAt"], cell


def check_left(cell, reply, expected, kept):
    if expected.after is None:
        assert reply["error"]["data"]["kind"] == "notCached", (cell, reply)
        return
    assert "result" in reply, (cell, reply)
    assert version(reply["result"]) == expected.after, (cell, reply)
    is_newer = expected.after == "new" or expected.confirmed
    if kept:
        assert (reply["result"]["fetchedAt"] > kept["fetchedAt"]) == is_newer, (cell, reply)
    is_marked = INVALIDATED in (cell.memory, cell.file) and not is_newer
    assert reply["result"]["stale"] == is_marked, (cell, reply)


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("subject", ["get", "list"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_each_cache_policy_gives_the_expected_result(start, upstream, home, transport, subject, outcome):
    table = Table(start, upstream, home, transport, subject, outcome)
    table.fill()
    before = upstream.count()
    if outcome != "200":
        upstream.fail(**OUTCOMES[outcome])
    replies = table.ask()
    requests = upstream.requests()[before:]
    upstream.heal()
    expected = {cell: expect(cell, transport, outcome) for cell in replies}
    for cell, reply in replies.items():
        check_reply(cell, reply, expected[cell], table.kept.get(cell), outcome)
        mine = [r for r in requests if re.search(rf"\b{cell.id}\b", r["path"] + r["body"])]
        # libcurl retries a request itself if a reused connection closes without a response.
        most = 2 if outcome == "reset" else 1
        assert expected[cell].requests <= len(mine) <= expected[cell].requests * most, (cell, mine)
    for place, cells in table.cells.items():
        for cell in cells:
            reply = table.left(table.processes[place], cell)
            check_left(cell, reply, expected[cell], table.kept.get(cell))
        table.processes[place].close()
        later = table.process(place)
        for cell in cells:
            lost = Expected() if place == "memory" else expected[cell]
            check_left(cell, table.left(later, cell), lost, table.kept.get(cell))
        assert upstream.count() == before + len(requests), "no request in the background"
