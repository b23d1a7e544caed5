"""The items of the benchmark, the API that serves them, and the files that all programs read."""
import http.server
import json
import os
import sqlite3
import subprocess
import threading
import urllib.parse

from bench import Fault
from process import run

USERS = 1_000
PAGE = 1_000
STATES = ["open", "closed", "stalled", "rejected"]
BODY = ('The pantry "door" does not close after the third delivery of the day.\n'
        'Steps: open it, wait a minute, and then let it go. ')
FIELDS = {
    "ticket": {"id": "integer", "title": "string", "state": STATES, "votes": "integer", "owner": "string",
               "updated": "date", "body": "string", "labels": ["string"], "url": "string"},
    "user": {"id": "string", "name": "string", "team": "string"},
}


def ticket(number):
    """Returns an item with about 600 bytes, and with members that the catalog does not declare."""
    step = number * 7919
    return {
        "id": number, "title": f"Ticket {number} of shelf {step % 97}", "state": STATES[step % 7 % 4],
        "votes": step % 101, "owner": f"user-{step % USERS}",
        "updated": f"2026-{step % 12 + 1:02}-{step % 28 + 1:02}T{step % 24:02}:{step % 60:02}:00Z",
        "body": BODY * 3, "labels": ["door", f"shelf-{step % 97}", "delivery"],
        "url": f"https://tickets.example/api/ticket/{number}", "node": f"T_{step:012}", "locked": False,
    }


def user(number):
    return {"id": f"user-{number}", "name": f"User {number * 31 % USERS}", "team": f"team-{number % 9}", "admin": False}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        first = (int(urllib.parse.parse_qs(url.query).get("page", ["1"])[0]) - 1) * PAGE
        make, start, count = {"/ticket": (ticket, 1, self.server.tickets), "/user": (user, 0, USERS)}[url.path]
        items = [make(start + number) for number in range(first, min(first + PAGE, count))]
        body = json.dumps({"count": count, "results": items}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def catalog(url):
    return {
        "larder": 1, "apis": {"desk": {"baseURL": url, "timeout": "10s"}},
        "resources": {
            name: {
                "api": "desk", "id": fields["id"], "fields": fields,
                "rest": {
                    "get": {"path": f"/{name}/{{id}}"},
                    "list": {"path": f"/{name}", "items": "results",
                             "pagination": {"style": "page", "param": "page", "count": "count"}},
                },
            } for name, fields in FIELDS.items()
        },
    }


class Data:
    """The cache file of Larder, and files with the same values for the other programs."""

    def __init__(self, larder, folder, tickets):
        self.larder, self.folder, self.tickets = larder, folder, tickets
        self.plain, self.json = self.path("plain.sqlite"), self.path("json.sqlite")
        self.command = [larder, "--catalog", self.path("catalog.json"), "--cache-dir", folder, "--data-dir", folder,
                        "--disk", "8GiB", "--memory", "16MiB"]
        self.sync()
        self.export()

    def path(self, name):
        return os.path.join(self.folder, name)

    def sync(self):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            server.tickets = self.tickets
            threading.Thread(target=server.serve_forever, daemon=True).start()
            with open(self.path("catalog.json"), "w") as file:
                json.dump(catalog(f"http://127.0.0.1:{server.server_port}"), file)
            for name, count in ("ticket", self.tickets), ("user", USERS):
                result = json.loads(run(*self.command, "call", f"{name}/sync").output)
                if result["added"] != count or not result["complete"]:
                    raise Fault(f"expected {count} added items, but the sync returned {result}")
            server.shutdown()

    def export(self):
        """Writes plain tables with the columns of `larder cache export`, tables with the items as JSON, and files with
        an item on each line."""
        export = self.path("export.sqlite")
        subprocess.run([*self.command, "cache", "export", export], check=True, stderr=subprocess.DEVNULL)
        with sqlite3.connect(self.plain) as plain, sqlite3.connect(self.json) as table:
            plain.execute("ATTACH ? AS export", [export])
            for name in FIELDS:
                columns = [row[1:3] for row in plain.execute(f"PRAGMA export.table_info({name})")]
                declared = ", ".join(f'"{name}" {type}{" PRIMARY KEY" * (name == "_id")}' for name, type in columns)
                plain.execute(f"CREATE TABLE main.{name} ({declared}) STRICT")
                plain.execute(f"INSERT INTO main.{name} SELECT * FROM export.{name}")
                table.execute(f"CREATE TABLE {name} (id {dict(columns)['_id']} PRIMARY KEY, json TEXT) STRICT")
                table.executemany(f"INSERT INTO {name} VALUES (?, ?)",
                                  plain.execute(f"SELECT _id, _json FROM main.{name}"))
                with open(self.path(f"{name}.json"), "w") as lines:
                    lines.writelines(row[0] + "\n" for row in table.execute(f"SELECT json FROM {name}"))
