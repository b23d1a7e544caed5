#!/usr/bin/env python3
"""A local copy of the Rick and Morty API for tests, with a part of its data: REST below /api, GraphQL at /graphql.

In a test:      with Upstream() as up: up.url, up.fault(...), up.hold(...), up.edit(...), up.requests(...)
As a program:   upstream.py [--port N] [--data FILE]   prints its URL, serves until stdin closes

The same controls over HTTP:
    GET  /_log                                  the requests since the last reset; "aborted": true marks a held
                                                one whose client has disconnected
    POST /_reset                                clears the log, the faults and the edits; releases held requests
    POST /_fault   {"match": "/api/character/1", "times": 1, "method", "status", "body", "headers", "delay", "drop",
                    "truncate", "hold": "name"}
    POST /_release {"hold": "name"}             releases the requests held under that name
    POST /_edit    {"resource", "id", "set": {...}} or {"resource", "id", "delete": true}
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import re
import select
import socket
import sys
import threading
import time
import urllib.parse
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Tuple

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent.parent / "Fixtures" / "upstream" / "data.json"
PUBLIC = "https://rickandmortyapi.com/api"
PAGE_SIZE = 20
FILTERS = {
    "character": ("name", "status", "species", "type", "gender"),
    "location": ("name", "type", "dimension"),
    "episode": ("name", "episode"),
}
# The relations: which fields of a resource refer to which other resource.
REFERENCES = {
    "character": {"origin": "location", "location": "location", "episode": "episode"},
    "location": {"residents": "character"},
    "episode": {"characters": "character"},
}

Item = Dict[str, Any]
Answer = Tuple[int, Any]


class Dataset:
    """The API's data and its queries, independent of HTTP."""

    def __init__(self, path: pathlib.Path = DATA):
        with open(path, encoding="utf-8") as file:
            self._original = file.read()
        self.reset()

    def reset(self) -> None:
        rows = json.loads(self._original)
        self.rows: Dict[str, Dict[int, Item]] = {kind: {x["id"]: x for x in rows[kind]} for kind in FILTERS}

    def edit(self, kind: str, id: int, set: Optional[Item] = None, delete: bool = False) -> None:
        if delete:
            self.rows[kind].pop(id, None)
        else:
            self.rows[kind].setdefault(id, {"id": id}).update(set or {})

    def page(self, kind: str, number: int, wanted: Dict[str, str]) -> Optional[Tuple[List[Item], int, int]]:
        """Returns the items of a page, and the numbers of all items and pages; None past the end or without matches."""
        found = [x for _, x in sorted(self.rows[kind].items()) if all(_matches(x, k, v) for k, v in wanted.items())]
        pages = -(-len(found) // PAGE_SIZE)
        if not 1 <= number <= pages:
            return None
        return found[(number - 1) * PAGE_SIZE : number * PAGE_SIZE], len(found), pages


def _matches(item: Item, key: str, text: str) -> bool:
    value, text = str(item.get(key, "")).lower(), text.strip().lower()
    # "female" contains "male", so a gender is compared from its start.
    return value.startswith(text) if key == "gender" else text in value


class RESTView:
    def __init__(self, data: Dataset):
        self.data = data

    def answer(self, path: str, query: Dict[str, str]) -> Answer:
        if path.rstrip("/") == "/api":
            return 200, {f"{kind}s": f"{PUBLIC}/{kind}" for kind in FILTERS}
        parts = path.split("/")
        if len(parts) not in (3, 4) or parts[:2] != ["", "api"] or parts[2] not in FILTERS:
            return 404, {"error": "There is nothing here."}
        ident = urllib.parse.unquote(parts[3]) if len(parts) == 4 else ""
        return self.single(parts[2], ident) if ident else self.list(parts[2], query)

    def single(self, kind: str, ident: str) -> Answer:
        rows = self.data.rows[kind]
        if re.fullmatch(r"[0-9]+", ident):
            item = rows.get(int(ident))
            return (200, item) if item else (404, {"error": f"{kind.capitalize()} not found"})
        if re.fullmatch(r"\[?[0-9]+(,[0-9]+)*,?\]?", ident):
            return 200, [rows[n] for n in map(int, re.findall("[0-9]+", ident)) if n in rows]
        return 500, {"error": "Hey! you must provide an id"}

    def list(self, kind: str, query: Dict[str, str]) -> Answer:
        asked = query.get("page", "1")
        number = max(1, int(asked)) if re.fullmatch(r"-?[0-9]+", asked) else 1
        wanted = {k: query[k] for k in FILTERS[kind] if query.get(k)}
        found = self.data.page(kind, number, wanted)
        if found is None:
            return 404, {"error": "There is nothing here"}
        results, count, pages = found

        def link(n: int) -> Optional[str]:
            return f"{PUBLIC}/{kind}?{urllib.parse.urlencode({'page': n, **wanted})}" if 1 <= n <= pages else None

        info = {"count": count, "pages": pages, "next": link(number + 1), "prev": link(number - 1)}
        return 200, {"info": info, "results": results}


class GraphQLView:
    def __init__(self, data: Dataset):
        self.data = data
        self.schema: Any = None
        self.documents: Dict[str, Tuple[Any, list]] = {}

    def answer(self, body: bytes) -> Answer:
        try:
            import graphql
        except ImportError:
            return 501, {"errors": [{"message": "the Python package graphql-core is not installed"}]}
        if self.schema is None:
            self.schema = graphql.build_schema((HERE / "schema.graphql").read_text(encoding="utf-8"))
        try:
            request = json.loads(body)
            document, faults = self.document(graphql, request["query"])
        except (ValueError, KeyError, TypeError, graphql.GraphQLError) as error:
            return 400, {"errors": [{"message": str(error), "extensions": {"code": "GRAPHQL_PARSE_FAILED"}}]}
        if faults:
            code = {"code": "GRAPHQL_VALIDATION_FAILED"}
            return 400, {"errors": [{**fault.formatted, "extensions": code} for fault in faults]}
        result = graphql.execute_sync(
            self.schema,
            document,
            self.root(),
            variable_values=request.get("variables"),
            operation_name=request.get("operationName"),
        )
        return 200, result.formatted

    def document(self, graphql: Any, text: str) -> Tuple[Any, list]:
        if text not in self.documents:
            document = graphql.parse(text)
            self.documents[text] = (document, graphql.validate(self.schema, document))
        return self.documents[text]

    def root(self) -> Dict[str, Any]:
        root: Dict[str, Any] = {}
        for kind in FILTERS:
            root[kind] = self.one(kind)
            root[f"{kind}s"] = self.many(kind)
            root[f"{kind}sByIds"] = self.by_ids(kind)
        return root

    def one(self, kind: str) -> Any:
        return lambda _info, id: self.node(kind, self.data.rows[kind].get(int(id)) if id.isdigit() else None)

    def by_ids(self, kind: str) -> Any:
        rows = self.data.rows[kind]
        return lambda _info, ids: [self.node(kind, rows[int(i)]) for i in ids if i.isdigit() and int(i) in rows]

    def many(self, kind: str) -> Any:
        def resolve(_info: Any, page: Optional[int] = 1, filter: Optional[Item] = None) -> Item:
            number = max(1, page or 1)
            found = self.data.page(kind, number, {k: v for k, v in (filter or {}).items() if v})
            if found is None:
                return {"info": {"count": None, "pages": None, "next": None, "prev": None}, "results": []}
            results, count, pages = found
            info = {
                "count": count,
                "pages": pages,
                "next": number + 1 if number < pages else None,
                "prev": number - 1 if number > 1 else None,
            }
            return {"info": info, "results": [self.node(kind, x) for x in results]}

        return resolve

    def node(self, kind: str, item: Optional[Item]) -> Optional[Item]:
        if item is None:
            return None
        node: Item = {**item, "id": str(item["id"])}
        for field, target in REFERENCES[kind].items():
            node[field] = self.reference(target, item.get(field))
        return node

    def reference(self, kind: str, value: Any) -> Any:
        """Resolves a relation only if a query asks for it, because the data has cycles."""
        if isinstance(value, list):
            return lambda _info: [self.target(kind, url, {}) for url in value]
        return lambda _info: self.target(kind, value["url"], {"name": value["name"]}) if value else None

    def target(self, kind: str, url: str, known: Item) -> Item:
        if not url:
            return {"id": None, **known}
        number = int(url.rsplit("/", 1)[1])
        found = self.node(kind, self.data.rows[kind].get(number))
        # A relation to an item outside the local data has an id, a name if the reference has one, and no relations.
        return found or {"id": str(number), **known, **{field: [] for field in REFERENCES[kind]}}


class Hold:
    """The requests that wait in the upstream until a test releases them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._arrived = 0
        self._open = False

    def wait(self, count: int = 1, timeout: float = 20) -> None:
        """Returns when `count` requests have arrived."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._arrived >= count, timeout):
                raise AssertionError(f"{self._arrived} of {count} requests reached the upstream")

    def release(self) -> None:
        with self._changed:
            self._open = True
            self._changed.notify_all()

    def pass_through(self, has_left: Callable[[], bool] = lambda: False) -> bool:
        """Waits for the release. Returns whether the client has disconnected instead."""
        deadline = time.monotonic() + 600
        with self._changed:
            self._arrived += 1
            self._changed.notify_all()
            while not self._changed.wait_for(lambda: self._open, 0.2):
                if has_left() or time.monotonic() > deadline:
                    return True
        return False


class Upstream:
    """The server and its controls. Every control may be called from any thread."""

    def __init__(self, port: int = 0, data: pathlib.Path = DATA):
        self.lock = threading.RLock()
        self.data = Dataset(data)
        self.rest, self.graphql = RESTView(self.data), GraphQLView(self.data)
        self.log: List[Item] = []
        self.faults: List[Item] = []
        self.holds: Dict[str, Hold] = {}
        self.validators: Tuple[str, ...] = ("ETag",)
        self.epoch = self.under_way = self.peak = 0
        self.server = _Server(("127.0.0.1", port), self)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> "Upstream":
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.reset()
        self.server.shutdown()
        self.server.server_close()

    def reset(self) -> None:
        with self.lock:
            self.data.reset()
            self.log.clear()
            self.faults.clear()
            for hold in self.holds.values():
                hold.release()
            self.holds.clear()
            self.validators = ("ETag",)
            # Requests that are still running belong to the previous test.
            self.epoch += 1
            self.under_way = self.peak = 0

    def validate(self, *names: str) -> None:
        """Chooses the validators in responses until the reset: ETag and Last-Modified. The default is ETag alone."""
        with self.lock:
            self.validators = names

    # `peak` is the largest number of concurrent requests.

    def begin(self) -> int:
        with self.lock:
            self.under_way += 1
            self.peak = max(self.peak, self.under_way)
            return self.epoch

    def end(self, epoch: int) -> None:
        with self.lock:
            if epoch == self.epoch:
                self.under_way -= 1

    def requests(self, prefix: str = "/") -> List[Item]:
        with self.lock:
            return [dict(entry) for entry in self.log if entry["path"].startswith(prefix)]

    def count(self, prefix: str = "/") -> int:
        return len(self.requests(prefix))

    def fault(self, match: str = "/", **kind: Any) -> None:
        """Queues a fault for requests whose path starts with `match`. The first match wins; `times` defaults to 1."""
        with self.lock:
            self.faults.append({"match": match, "times": 1, **kind})

    def fail(self, match: str = "/", **kind: Any) -> None:
        """Sets a fault that stays until the reset, so that retries fail as well."""
        self.fault(match, **{"times": 1_000_000, **kind})

    def heal(self) -> None:
        with self.lock:
            self.faults.clear()

    def hold(self, match: str = "/", times: int = 1_000_000) -> Hold:
        with self.lock:
            name = f"hold-{len(self.holds)}"
            self.fault(match, times=times, hold=name)
            return self.held(name)

    def held(self, name: str) -> Hold:
        with self.lock:
            return self.holds.setdefault(name, Hold())

    def edit(self, kind: str, id: int, **set: Any) -> None:
        with self.lock:
            self.data.edit(kind, id, set)

    def delete(self, kind: str, id: int) -> None:
        with self.lock:
            self.data.edit(kind, id, delete=True)

    def admin(self, path: str, body: Any) -> Answer:
        if path == "/_log":
            return 200, self.requests()
        if path == "/_reset":
            self.reset()
        elif path == "/_fault":
            self.fault(**body)
        elif path == "/_release":
            self.held(body["hold"]).release()
        elif path == "/_edit":
            with self.lock:
                self.data.edit(body["resource"], body["id"], body.get("set"), body.get("delete", False))
        else:
            return 404, {"error": "no such control"}
        return 200, {}

    def arrival(self, entry: Item) -> Optional[Item]:
        """Logs a request. Returns the fault that applies to it."""
        with self.lock:
            self.log.append(entry)
            for fault in self.faults:
                if entry["path"].startswith(fault["match"]) and fault.get("method", entry["method"]) == entry["method"]:
                    fault["times"] -= 1
                    if fault["times"] <= 0:
                        self.faults.remove(fault)
                    return fault
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, address: Tuple[str, int], upstream: Upstream):
        super().__init__(address, _Handler)
        self.upstream = upstream

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # The tests contain clients that disconnect during a response.


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536  # Sends the status, the headers and the body in one segment.
    epoch: Optional[int] = None
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def handle_any(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else b""
        parts = urllib.parse.urlsplit(self.path)
        upstream = self.server.upstream
        if self.has_left():
            # The request of a process that an earlier test killed. Under load, it is read only after the reset.
            return self.hang_up()
        if parts.path.startswith("/_"):
            status, out = upstream.admin(parts.path, json.loads(body or b"{}"))
            return self.reply(status, _encode(out), {})
        self.epoch = upstream.begin()
        try:
            self.answer(parts, body)
        finally:
            self.end()

    def end(self) -> None:
        """Marks the request as finished before the response is sent: the client may send its next request at once."""
        if self.epoch is not None:
            self.server.upstream.end(self.epoch)
            self.epoch = None

    def answer(self, parts: urllib.parse.SplitResult, body: bytes) -> None:
        upstream = self.server.upstream
        entry = {
            "method": self.command,
            "path": self.path,
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "body": body.decode("utf-8", "replace"),
        }
        fault = upstream.arrival(entry) or {}
        if "hold" in fault and upstream.held(fault["hold"]).pass_through(self.has_left):
            entry["aborted"] = True
            return self.hang_up()
        if fault.get("delay"):
            time.sleep(fault["delay"])
        if fault.get("drop"):
            return self.hang_up()
        if "status" in fault:
            text = fault.get("body", '{"error":"fault"}')
            payload = text if isinstance(text, bytes) else text.encode()
            return self.reply(fault["status"], payload, fault.get("headers", {}), fault.get("truncate"))
        self.serve(parts, body, fault)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = handle_any

    def serve(self, parts: urllib.parse.SplitResult, body: bytes, fault: Item) -> None:
        upstream = self.server.upstream
        with upstream.lock:
            if parts.path == "/graphql" and self.command == "POST":
                status, out = upstream.graphql.answer(body)
            elif self.command == "GET":
                status, out = upstream.rest.answer(parts.path, dict(urllib.parse.parse_qsl(parts.query)))
            else:
                status, out = 404, {"error": "There is nothing here."}
            payload = _encode(out)
        headers = dict(fault.get("headers", {}))
        if self.command == "GET" and status == 200:
            digest = hashlib.sha256(payload).hexdigest()
            known = {
                "ETag": ("If-None-Match", f'W/"{digest[:16]}"'),
                # A different date for each content. The date itself does not matter.
                "Last-Modified": ("If-Modified-Since", formatdate(int(digest[:7], 16), usegmt=True)),
            }
            known = {name: known[name] for name in upstream.validators}
            headers.update({name: value for name, (_, value) in known.items()})
            # If-None-Match takes precedence over If-Modified-Since. A response to be truncated needs a body.
            for field, value in known.values():
                if field in self.headers and "truncate" not in fault:
                    if self.headers[field] == value:
                        return self.reply(304, b"", headers)
                    break
        self.reply(status, payload, headers, fault.get("truncate"))

    def reply(self, status: int, payload: bytes, headers: Dict[str, str], truncate: Optional[int] = None) -> None:
        self.end()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json; charset=utf-8", **headers}.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        if status != 304:
            self.wfile.write(payload[:truncate])
        self.wfile.flush()
        if truncate is not None:
            self.hang_up()

    def has_left(self) -> bool:
        """Whether the client has closed its connection."""
        poll = select.poll()
        poll.register(self.connection, select.POLLIN)
        try:
            return bool(poll.poll(0)) and not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def hang_up(self) -> None:
        self.end()
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # The client has closed the connection first.


def _encode(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description="A loopback copy of the Rick and Morty API, for tests.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--data", type=pathlib.Path, default=DATA)
    options = parser.parse_args()
    with Upstream(options.port, options.data) as upstream:
        print(upstream.url, flush=True)
        try:
            while sys.stdin.buffer.read(1):
                pass
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
