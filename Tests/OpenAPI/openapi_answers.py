"""A stand-in server for an API: it answers from the document's schemas and examples."""

import copy
import json
import re
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from document import shape
from expected import Truth
from made import made, put, varied
from paging import fill, page_of, style_of

COUNT = 5


def taken(value, path):
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


class Kind:
    """The items of one expected resource."""

    def __init__(self, document, unit, entry):
        self.document, self.unit, self.entry = document, unit, entry
        base = made(document, unit.schema, depth=1)
        self.base = base if isinstance(base, dict) else {}
        self.truth = unit.truth
        self.items = [varied(self.base, index, self.truth) for index in range(1, COUNT + 1)]
        if self.truth and self.truth.is_tail and unit.get:
            self._address()
        self.envelope = made(document, unit.listing.answer) if unit.listing else None
        if unit.listing:
            shown = self.envelope if isinstance(self.envelope, dict) else {}
            self.style = style_of(unit.listing, self._without_items(shown), entry)

    def _address(self):
        """Ends the URL of each item as the path of its `get` does: with a number if the path takes one."""
        get, own = self.unit.get, self.document.flat(self.unit.get.answer)["properties"].get("id")
        kinds = {get.kinds.get(get.last), own and self.document.flat(own).get("type")}
        end = "/" if get.path.endswith("/") else ""
        for index, item in enumerate(self.items, 1):
            stem = str(taken(item, self.truth.path)).rsplit("/", 1)[0]
            tail = 1000 + index if kinds & {"integer", "number"} else f"{index}x"
            put(item, self.truth.path, f"{stem}/{tail}{end}")

    def _without_items(self, envelope):
        bare = copy.deepcopy(envelope)
        put(bare, self.unit.items, None)
        return bare

    @property
    def ids(self):
        return [self.truth.of(item) if self.truth else None for item in self.items]

    def page(self, query, url):
        page = page_of(self.style, query, COUNT, self.ids, url)
        if page is None:
            return 400, {"message": f"'{self.style.param}' is not valid"}, {}
        items, headers = self.items[page.start:page.end], {}
        if self.style.kind == "link" and not page.is_last:
            headers["Link"] = f'<{page.next_url}>; rel="next"'
        if not self.unit.items:
            return 200, items, headers
        answer = copy.deepcopy(self.envelope)
        fill(answer, page, self.unit.items)
        put(answer, self.unit.items, items)
        return 200, answer, headers

    def one(self, text):
        index = next((number for number, value in enumerate(self.ids) if str(value) == text), None)
        if index is None and not any(value is not None for value in self.ids):
            index = next((number for number, item in enumerate(self.items) if text in _texts(item)), None)
        if index is None:
            return 404, {"message": f"no item '{text}'"}, {}
        answer = made(self.document, self.unit.get.answer)
        if not self.unit.listing:
            return 200, varied(answer, index + 1, self.truth), {}
        inner = self._inside(answer)
        is_list = isinstance(inner, list)
        item = varied(inner[0] if is_list else inner, index + 1, self.truth)
        if self.truth and not self.truth.is_tail:
            put(item, self.truth.path, taken(self.items[index], self.truth.path))
        elif self.truth and self.unit.listing and self.truth.path[0] in item:
            put(item, self.truth.path, taken(self.items[index], self.truth.path))
        elif self.truth and self.unit.listing and isinstance(item.get("id"), int):
            item["id"] = int(text) if text.isdigit() else item["id"]
        if inner is answer:
            return 200, item, {}
        for name, member in answer.items():
            if member is inner:
                answer[name] = [item] if is_list else item
        return 200, answer, {}

    def _inside(self, answer):
        """Returns the item in the answer of a `get`: the answer itself, or the member that contains most of the item's
        members."""
        def shared(value):
            value = value[0] if isinstance(value, list) and value else value
            return len(set(value) & set(self.base)) if isinstance(value, dict) else 0
        members = list(answer.values()) if isinstance(answer, dict) else []
        return max([answer, *members], key=shared)


def _texts(value):
    if isinstance(value, dict):
        return {text for member in value.values() for text in _texts(member)}
    return {str(value), str(value).rsplit("/", 1)[-1]}


class StandIn:
    def __init__(self, document, units, entry):
        self.kinds = [Kind(document, unit, entry) for unit in units]
        self.prefixes = document.prefixes()
        self.routes, self.failures = [], []
        for kind in self.kinds:
            for operation, is_list in ((kind.unit.listing, True), (kind.unit.get, False)):
                if operation:
                    pattern = re.sub(r"\\\{[^{}]*?\\\}", "([^/]+)", re.escape(shape_with_names(operation.path)))
                    self.routes.append((operation.path.count("{"), re.compile(pattern), kind, is_list))
        self.routes.sort(key=lambda route: route[0])

    def answer(self, target, host):
        parts = urllib.parse.urlsplit(target)
        if parts.path == "/token":
            return 200, {"access_token": "token-of-the-stand-in", "token_type": "bearer", "expires_in": 3600}, {}
        pairs = urllib.parse.parse_qsl(parts.query, keep_blank_values=True)
        query = {}
        for key, value in pairs:
            query[key] = value
        anywhere = [parts.path[:at] for at, letter in enumerate(parts.path) if letter == "/"]
        for prefix in self.prefixes + anywhere:
            if not parts.path.startswith(prefix):
                continue
            for _, pattern, kind, is_list in self.routes:
                found = pattern.fullmatch(parts.path[len(prefix):].rstrip("/"))
                if found and is_list:
                    return kind.page(query, f"http://{host}{target}")
                if found:
                    last = found.groups()[-1] if found.groups() else ""
                    return kind.one(urllib.parse.unquote(last))
        return 404, {"message": "no such path"}, {}


def shape_with_names(path):
    return path.split("#")[0].split("?")[0].rstrip("/")


class Server:
    def __init__(self, stand_in):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = 65536

            def do_GET(self):
                try:
                    status, body, headers = stand_in.answer(self.path, self.headers.get("Host"))
                except Exception as error:
                    stand_in.failures.append(f"{self.path}: {error!r}")
                    status, body, headers = 500, {"message": "the stand-in failed"}, {}
                data = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.do_GET()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


__all__ = ["COUNT", "Kind", "Server", "StandIn", "Truth", "shape"]
