"""Small servers on loopback that imitate 41 APIs according to their documentation, and the expected results of their
catalogs.

`APIs/` contains the APIs; this file contains the code that they share. Each API holds a few items, returns pages of two
items whatever size is requested, and refuses requests without the right credentials.
"""

import base64
import dataclasses
import hashlib
import json
import pathlib
import re
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "Fixtures" / "catalogs"
COMPACT = ROOT / "Fixtures" / "apis"
SIZE = 2  # items on a page


def secret(name: str) -> str:
    """Returns the value that an environment variable has in the tests."""
    return f"secret-of-{name.lower()}"


class Refusal(Exception):
    """An error response."""

    def __init__(self, status: int, body: Any, headers: Optional[Dict[str, str]] = None):
        super().__init__(status)
        self.status, self.body, self.headers = status, body, headers or {}


class Request:
    def __init__(self, handler: BaseHTTPRequestHandler):
        parts = urllib.parse.urlsplit(handler.path)
        self.method, self.path, self.raw_query = handler.command, parts.path, parts.query
        self.query = urllib.parse.parse_qs(parts.query, keep_blank_values=True)
        self.headers = handler.headers
        length = int(handler.headers.get("Content-Length") or 0)
        data = handler.rfile.read(length)
        self.text = f"{self.method} {urllib.parse.unquote_plus(handler.path)} {data.decode()}"
        self.edits: Dict[Any, Dict[str, Any]] = {}
        self.deletions: Dict[Any, Dict[str, Any]] = {}
        self.are_expired = False
        is_form = "urlencoded" in (handler.headers.get("Content-Type") or "")
        self.form = dict(urllib.parse.parse_qsl(data.decode())) if is_form else {}
        self.body = json.loads(data) if data and not is_form else {}

    def one(self, name: str, otherwise: Optional[str] = None) -> Optional[str]:
        values = self.query.get(name, [otherwise])
        assert len(values) == 1, f"{name} occurs {len(values)} times in {self.raw_query}"
        return values[0]

    def all(self, name: str) -> List[str]:
        return self.query.get(name, [])

    def match(self, pattern: str) -> Optional[Tuple[str, ...]]:
        """Returns the segments of the path that match `*`, if the path matches the pattern; otherwise None."""
        found = re.fullmatch(re.escape(pattern).replace(r"\*", "([^/]+)"), self.path)
        return tuple(urllib.parse.unquote(part) for part in found.groups()) if found else None

    def variables(self) -> Dict[str, Any]:
        return self.body.get("variables") or {}

    def current(self, items: List[Any], id: Callable[[Any], Any]) -> List[Any]:
        """Returns the items with the changes of a test, without the items that the test has deleted."""
        found = [merged(item, self.edits.get(id(item), {})) for item in items]
        return [item for item in found if id(item) not in self.deletions]

    def bearer(self, name: str, body: Any, status: int = 401) -> None:
        need(self.headers.get("Authorization") == f"Bearer {secret(name)}", status, body)

    def token(self, path: str, name: str, **form: str) -> Optional[Dict[str, Any]]:
        """Returns the reply of a token endpoint, or None for another request, which must have that token.

        :param form: the fields sent in addition to the client's credentials, which are in the body if `where` is
        "body".
        """
        refused = {"error": "invalid_client", "error_description": "The client is not known."}
        client, password = f"{name}_CLIENT", f"{name}_SECRET"
        if self.path != path:
            need(self.headers.get("Authorization") == f"Bearer token-of-{name}", 401, {"message": "Unauthorized"})
            return None
        if form.pop("where", None) == "body":
            need(self.form.pop("client_id") == secret(client), 401, refused)
            need(self.form.pop("client_secret") == secret(password), 401, refused)
        else:
            self.basic(client, password, refused)
        assert self.method == "POST" and self.form == form, self.form
        return {"access_token": f"token-of-{name}", "token_type": "bearer", "expires_in": 3600}

    def basic(self, user: str, password: str, body: Any) -> None:
        pair = base64.b64encode(f"{secret(user)}:{secret(password)}".encode()).decode()
        need(self.headers.get("Authorization") == f"Basic {pair}", 401, body)


def need(fine: Any, status: int, body: Any, headers: Optional[Dict[str, str]] = None) -> None:
    if not fine:
        raise Refusal(status, body, headers)


def find(items: List[Any], wanted: Callable[[Any], bool], status: int, body: Any) -> Any:
    """Returns the wanted item, or raises the API's error for a missing item."""
    found = next((item for item in items if wanted(item)), None)
    need(found is not None, status, body)
    return found


def cut(items: List[Any], start: int) -> Tuple[List[Any], Optional[int]]:
    """Returns a page of the items and the start of the next one; None after the last page."""
    end = start + SIZE
    return items[start:end], end if end < len(items) else None


def merged(item: Any, edit: Any) -> Any:
    """Returns an item in which the members of an edit replace the old members. Nested objects are merged."""
    if not isinstance(item, dict) or not isinstance(edit, dict):
        return edit
    return {**item, **{name: merged(item.get(name), value) for name, value in edit.items()}}


def changes(items: List[Any], time: Callable[[Any], Any], since: Any, exclusive: bool = False) -> List[Any]:
    """Returns the items that have changed since a time, the oldest change first. Without a time, returns all items."""
    found = [item for item in items if since is None or time(item) > since or (time(item) == since and not exclusive)]
    return sorted(found, key=time)


def query_text(text: str, name: str) -> Optional[str]:
    """Returns the value after `name:` in a search expression."""
    found = re.search(rf'{name}:("[^"]*"|\S+)', text or "")
    return found and found.group(1).strip('"')


@dataclasses.dataclass
class Get:
    resource: str
    params: Dict[str, Any]
    item: Dict[str, Any]  # some of its fields
    method: str = "get"


@dataclasses.dataclass
class Walk:
    resource: str
    params: Dict[str, Any]
    field: str  # the field that identifies the items
    values: List[Any]  # in the order of the API
    complete: Optional[bool] = True  # the result of a prefetch; None if the API gives no indication


@dataclasses.dataclass
class Error:
    method: str
    params: Dict[str, Any]
    kind: str
    words: Optional[str]  # the error message of the API; None if it sends none


@dataclasses.dataclass
class Sync:
    """A list whose catalog declares `sync`. A test changes the item that was changed last before."""

    resource: str
    params: Dict[str, Any]
    ids: List[Any]  # the ids of all items, sorted
    changed: Any  # the id of the item that changes
    edit: Dict[str, Any]  # its new members, as the API sends them
    item: Dict[str, Any]  # some of its new fields
    marks: Tuple[str, str]  # the parts of the requests for changes before and after the edit, decoded
    deleted: Optional[Any] = None  # the id of the item that is deleted, if the API reports deletions
    tombstone: Dict[str, Any] = dataclasses.field(default_factory=dict)  # the element that reports it
    time: str = "updated_at"  # the member of an element with the time of its last change
    requests: int = 1  # for the changes, and for items that the API only names
    feed: str = ""  # a part of the requests for changes, if there are also requests for items
    mode: str = "since"  # or "token"
    is_new: bool = False  # whether the changed item does not exist before
    expires: bool = True  # whether the API refuses old tokens


@dataclasses.dataclass
class StandIn:
    name: str
    answer: Callable[[Request], Any]
    gets: List[Get]
    walks: List[Walk]
    errors: List[Error]
    syncs: List[Sync] = dataclasses.field(default_factory=list)
    validators: bool = False  # whether lists have an `ETag`

    @property
    def catalog(self) -> pathlib.Path:
        shipped = SHIPPED / f"{self.name}.jsonc"
        return shipped if shipped.exists() else COMPACT / f"{self.name}.jsonc"

    @property
    def text(self) -> str:
        return self.catalog.read_text(encoding="utf-8")

    @property
    def secrets(self) -> Dict[str, str]:
        return {name: secret(name) for name in re.findall(r"\$\{env:(\w+)\}", self.text)}

    @property
    def commands(self) -> List[str]:
        """The names of the programs that print tokens."""
        return re.findall(r'"command": \["([\w-]+)"', self.text)

    def options(self, port: int) -> List[str]:
        """Returns the options that redirect the catalog's APIs to the given port. The path of each URL stays."""
        options = []
        for name, declared in re.findall(r'"([\w-]+)": \{\s*"baseURL": "([^"]+)"', self.text):
            url = re.sub(r"\$\{var:\w+:-([^}]*)\}", r"\1", declared)
            options += ["--base-url", f"{name}=http://127.0.0.1:{port}{urllib.parse.urlsplit(url).path}"]
        for name in re.findall(r"\$\{var:(\w+_LOGIN):", self.text):
            options += ["--var", f"{name}=http://127.0.0.1:{port}"]
        return options


STAND_INS: Dict[str, StandIn] = {}


def stand_in(
    name: str, gets: List[Get], walks: List[Walk], errors: List[Error], syncs: Sequence[Sync] = (), validators=False
) -> Callable:
    """Declares the decorated function as an API. The function takes a request and returns a body, or a body and header
    fields."""

    def declare(answer: Callable[[Request], Any]) -> Callable[[Request], Any]:
        STAND_INS[name] = StandIn(name, answer, gets, walks, errors, list(syncs), validators)
        return answer

    return declare


class Server:
    """A running simulated API. `asked` lists the requests, and `wrong` the failures of the simulation itself.

    `exchanges` lists each decoded request with the text and the status of its answer. `edits` and `deletions` change
    the items by their ids: to the new members of an item, or to the element that reports the deletion. If
    `are_expired` is true, all tokens for changes are too old.
    """

    def __init__(self, answer: Callable[[Request], Any], validators: bool = False):
        self.asked: List[str] = []
        self.wrong: List[str] = []
        self.exchanges: List[Tuple[str, str, int]] = []
        self.edits: Dict[Any, Dict[str, Any]] = {}
        self.deletions: Dict[Any, Dict[str, Any]] = {}
        self.are_expired = False
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = 65536  # Sends the head and the body in one segment.

            def do_GET(self) -> None:
                headers: Dict[str, str] = {}
                text = ""
                try:
                    request = Request(self)
                    request.edits, request.deletions, text = outer.edits, outer.deletions, request.text
                    request.are_expired = outer.are_expired
                    outer.asked.append(f"{self.command} {self.path}")
                    found = answer(request)
                    body, headers = found if isinstance(found, tuple) else (found, {})
                    status = 200
                except Refusal as refusal:
                    status, body, headers = refusal.status, refusal.body, refusal.headers
                except Exception as error:  # A wrong request causes an exception in the simulated API.
                    outer.wrong.append(f"{self.command} {self.path}: {error!r}")
                    status, body = 500, {}
                data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                if validators and status == 200:
                    headers = {**headers, "ETag": f'"{hashlib.sha256(data).hexdigest()[:16]}"'}
                    if self.headers.get("If-None-Match") == headers["ETag"]:
                        status, data = 304, b""
                outer.exchanges.append((text, data.decode(), status))
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: Any) -> None:
        self.server.shutdown()
        self.server.server_close()


class Schema:
    """A GraphQL API over plain values. Missing fields are null."""

    def __init__(self, text: str):
        import graphql

        self.library, self.schema = graphql, graphql.build_schema(text)

    def answer(self, request: Request, root: Dict[str, Any]) -> Any:
        """Returns the result of the operation. Functions in the root receive the arguments; a `Failure` becomes an API
        error."""
        document = self.library.parse(request.body["query"])
        faults = self.library.validate(self.schema, document)
        need(not faults, 400, {"errors": [fault.formatted for fault in faults]})
        result = self.library.execute_sync(
            self.schema,
            document,
            root,
            variable_values=request.body.get("variables"),
            operation_name=request.body["operationName"],
        )
        formatted = result.formatted
        for fault, shown in zip(result.errors or [], formatted.get("errors", [])):
            shown.update(getattr(fault.original_error, "members", {}))
        return formatted


class Failure(Exception):
    """An error of a GraphQL API, with its members in addition to `message`."""

    def __init__(self, message: str, **members: Any):
        super().__init__(message)
        self.members = members


def connection(items: List[Any], after: Optional[str], **more: Any) -> Dict[str, Any]:
    """Returns a page in the format of Relay."""
    page, end = cut(items, int(base64.b64decode(after).decode().split(":")[1]) if after else 0)
    cursor = base64.b64encode(f"cursor:{end or len(items)}".encode()).decode()
    return {"nodes": page, "pageInfo": {"hasNextPage": end is not None, "endCursor": cursor}, **more}
