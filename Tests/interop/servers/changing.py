"""Lists of third-party servers that a test changes at random, and the local copies of these lists."""

import base64
import http.client
import json
import signal
import sqlite3
import subprocess
import urllib.parse
from contextlib import closing, contextmanager

from harness import PATIENCE, binary, environment, run
from scripted import serving

CHARACTERS = "abc XYZ09é日本🦉\"'\\/<>&%{}\n\t"
ROUNDS = [0, 1, 4, 6, 10, 25, 54, 100]  # the numbers of changes between syncs
SILENCE = 11_000  # milliseconds: after ten seconds without activity, another run may take over a copy


def line(item, fields):
    """Returns the given fields of an item as one line of JSON."""
    return json.dumps({name: item[name] for name in fields}, ensure_ascii=False)


def counts(result):
    """Returns the main members of the result of a sync."""
    names = ("mode", "requests", "added", "changed", "removed", "items", "deletions", "complete")
    return tuple(result[name] for name in names)


class Server:
    """The HTTP API of a server, on one connection, and the log of the requests that the server has received. Used as a
    context manager, it closes the connection."""

    def __init__(self, url, log, **headers):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=PATIENCE)
        self.url, self.log, self.headers = url, log, headers

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def text(self, method, target, value=None):
        """Sends a request, and returns the text of the answer."""
        body = None if value is None else json.dumps(value)
        headers = {**self.headers, **({} if body is None else {"Content-Type": "application/json"})}
        self.connection.request(method, target, body, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        assert answer.status < 300, f"{method} {target}: {answer.status} {text[:500]}"
        return text

    def call(self, method, target, value=None):
        """Sends a request, and returns the JSON of the answer; None if it has no body."""
        text = self.text(method, target, value)
        return json.loads(text) if text else None

    def name(self, number):
        """Returns the id of an item of the test."""
        return f"n{number:03}"

    def received(self, part):
        """Returns the targets of the GET requests that contain a part."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        targets = [words.split('"GET ', 1)[1].split(" HTTP/")[0] for words in text.splitlines() if '"GET ' in words]
        return [target for target in targets if part in target]


class Kinto(Server):
    """A new collection of Kinto."""

    resource, id, fields = "record", "id", ("id", "title", "number", "last_modified")
    per_page = 5

    def create(self, name):
        self.path = f"/v1/buckets/library/collections/{name}"
        self.call("PUT", self.path, {"data": {}})
        self.scope = [f"collection={name}"]
        return self

    def put(self, id, values, exists):
        return self.call("PUT", f"{self.path}/records/{id}", {"data": values})["data"]

    def delete(self, id):
        self.call("DELETE", f"{self.path}/records/{id}")

    def items(self):
        found, rule = [], ""
        while page := self.call("GET", f"{self.path}/records?_sort=id&_limit=20{rule}")["data"]:
            found, rule = found + page, f"&gt_id={page[-1]['id']}"
        return found


class Django(Server):
    """The notes of Django REST framework."""

    id, fields, scope, per_page = "key", ("key", "title", "number", "updated"), [], 5

    def create(self, resource):
        self.resource = resource
        for note in self.items():
            self.delete(note["key"])
        return self

    def put(self, id, values, exists):
        method, target = ("PUT", f"/notes/{id}/") if exists else ("POST", "/notes/")
        return self.call(method, target, {"key": id, **values})

    def delete(self, id):
        self.call("DELETE", f"/notes/{id}/")

    def items(self):
        found, number, more = [], 1, True
        while more:
            page = self.call("GET", f"/notes/?page={number}")
            found, number, more = found + page["results"], number + 1, page["next"]
        return found


class Datasette(Server):
    """The notes of datasette. A deleted note is a row with a 1 in `deleted`."""

    resource, id, fields, scope = "note", "id", ("id", "title", "number", "revision"), []
    per_page = 5

    def create(self):
        if notes := self.items():
            self._upsert({"id": note["id"], "deleted": 1} for note in notes)
        return self

    def _upsert(self, rows):
        return self.call("POST", "/library/notes/-/upsert", {"rows": [*rows], "return": True})["rows"]

    def put(self, id, values, exists):
        return self._upsert([{"id": id, "deleted": 0, **values}])[0]

    def delete(self, id):
        self._upsert([{"id": id, "deleted": 1}])

    def items(self):
        return self.call("GET", "/library/notes.json?deleted=0&_size=max")["rows"]


def base64_text(text):
    return base64.b64encode(text.encode()).decode()


class Etcd(Server):
    """The keys of etcd that begin with `notes/`. Ids are keys, in base64."""

    id, fields, scope, per_page = "key", ("key", "value", "mod_revision"), [], 5
    prefix = {"key": base64_text("notes/"), "range_end": base64_text("notes0")}

    def create(self, resource):
        self.resource = resource
        self.call("POST", "/v3/kv/deleterange", self.prefix)
        return self

    def name(self, number):
        return base64_text(f"notes/{super().name(number)}")

    def put(self, id, values, exists):
        value = base64_text(json.dumps(values))
        header = self.call("POST", "/v3/kv/put", {"key": id, "value": value})["header"]
        return {"key": id, "value": value, "mod_revision": header["revision"]}

    def delete(self, id):
        self.call("POST", "/v3/kv/deleterange", {"key": id})

    def items(self):
        return self.call("POST", "/v3/kv/range", self.prefix).get("kvs", [])

    def revision(self):
        return int(self.call("POST", "/v3/kv/range", {"key": self.prefix["key"]})["header"]["revision"])

    def compact(self, revision):
        """Removes the history before a revision."""
        self.call("POST", "/v3/kv/compaction", {"revision": revision})

    def calls(self):
        """Returns how often etcd has executed the methods that syncs use: `Range` and `Watch`."""
        name = 'grpc_server_started_total{grpc_method="%s",grpc_service="etcdserverpb.'
        lines = self.text("GET", "/metrics").splitlines()
        found = [[line for line in lines if line.startswith(name % method)] for method in ("Range", "Watch")]
        return tuple(int(line.split()[-1]) for [line] in found)


class Synapse(Server):
    """The account data of a new user of Synapse. Ids are types."""

    resource, id, fields, scope = "setting", "id", ("id", "title", "number"), []
    lists = 0

    def create(self, name):
        account = {"username": name, "password": "unused password", "auth": {"type": "m.login.dummy"}}
        # On a Unix socket, Synapse needs the address to register a user.
        self.headers = {"X-Forwarded-For": "127.0.0.1"}
        user = self.call("POST", "/_matrix/client/v3/register", account)
        self.path = f"user/{user['user_id']}/account_data"
        self.env = {"MATRIX_TOKEN": user["access_token"], "LARDER_VAR_MATRIX_USER": user["user_id"]}
        self.headers = {"Authorization": f"Bearer {user['access_token']}"}
        return self

    def put(self, id, values, exists):
        self.call("PUT", f"/_matrix/client/v3/{self.path}/{id}", values)
        return {"id": id, **values}

    def delete(self, id):
        self.call("DELETE", f"/_matrix/client/unstable/org.matrix.msc3391/{self.path}/{id}")

    def items(self):
        # Synapse sends the same answer to equal requests for two minutes.
        self.lists += 1
        events = self.call("GET", f"/_matrix/client/v3/sync?timeout={self.lists}")["account_data"]["events"]
        return [{"id": event["type"], **event["content"]} for event in events if event["type"] != "m.push_rules"]


class Rooms:
    """The rooms that a new user of Synapse has joined. Another user owns the rooms and changes their names."""

    resource, id, fields, scope = "room", "id", ("id", "name", "number"), []

    def __init__(self, member, owner):
        self.member, self.owner, self.url, self.env = member, owner, member.url, member.env

    def name(self, number):
        room = {"preset": "public_chat", "name": f"room {number}"}
        return self.owner.call("POST", "/_matrix/client/v3/createRoom", room)["room_id"]

    def put(self, id, values, exists):
        name = {"name": values["title"], "number": values["number"]}
        self.owner.call("PUT", f"/_matrix/client/v3/rooms/{id}/state/m.room.name", name)
        if not exists:
            self.member.call("POST", f"/_matrix/client/v3/rooms/{id}/join", {})
        return {"id": id, **name}

    def delete(self, id):
        self.member.call("POST", f"/_matrix/client/v3/rooms/{id}/leave", {})

    def items(self):
        base, found = "/_matrix/client/v3", []
        for id in self.member.call("GET", f"{base}/joined_rooms")["joined_rooms"]:
            found.append({"id": id, **self.member.call("GET", f"{base}/rooms/{id}/state/m.room.name")})
        return found


class Changing:
    """A list that is changed at random: new items, new versions, deletions, and new items with the ids of deleted
    ones.

    `lines` has the current items by id, as the server returned them. `versions` has the lines of all versions so far.
    `touched` has the ids of all changes since `forget`, and `lasting` those of the items that have existed since then.
    `last` is the id of the last change.
    """

    def __init__(self, server, dice, count, ids):
        self.server, self.dice = server, dice
        self.ids = [server.name(number) for number in range(ids)]
        self.lines, self.versions = {}, set()
        self.forget()
        for id in dice.sample(self.ids, count):
            self.put(id)

    def forget(self):
        self.touched, self.lasting = set(), set(self.lines)

    def change(self):
        """Changes one item. As many ids are in use as not, on average."""
        id = self.dice.choice(self.ids)
        if id in self.lines and self.dice.random() < 0.5:
            self.delete(id)
        else:
            self.put(id)

    def delete(self, id):
        self.server.delete(id)
        del self.lines[id]
        self.lasting.discard(id)
        self._touch(id)

    def put(self, id):
        title = "x" + "".join(self.dice.choices(CHARACTERS, k=self.dice.randint(0, 40))) + "x"
        values = {"title": title, "number": self.dice.randint(-(2**53), 2**53)}
        self.lines[id] = line(self.server.put(id, values, exists=id in self.lines), self.server.fields)
        self.versions.add(self.lines[id])
        self._touch(id)

    def _touch(self, id):
        self.touched.add(id)
        self.last = id

    def listed(self):
        """Returns the server's own list by id, and checks that it contains all changes of the test."""
        found = {item[self.server.id]: line(item, self.server.fields) for item in self.server.items()}
        assert found == self.lines
        return found


@contextmanager
def gate(url, before):
    """Yields the URL of a server that forwards requests. `before` is called with each request before that."""

    def answer(request):
        before(request)
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=PATIENCE)
        with closing(connection):
            connection.request(request.method, request.target, request.data or None, dict(request.headers))
            found = connection.getresponse()
            ours = ("connection", "content-length", "date", "server", "transfer-encoding")
            headers = {name: value for name, value in found.getheaders() if name.lower() not in ours}
            return found.status, headers, found.read()

    with serving(answer) as place:
        yield place


class Copy:
    """The local copy of a list in a cache folder, used through commands."""

    def __init__(self, home, server, options, env):
        self.home, self.server, self.env = home, server, env
        self.folder = home / "copy"
        self.options = [*map(str, options), "--data-dir", str(home / "data")]

    def _command(self, name, *args):
        places = [*self.options, "--cache-dir", str(self.folder)]
        return [name, self.server.resource, *self.server.scope, *args, *places]

    def run(self, *args):
        """Runs a command until it exits."""
        return run(self.home, *self._command(*args), env=self.env)

    def sync(self, *args):
        """Runs `larder sync`, and returns its result."""
        done = self.run("sync", *args)
        assert done.code == 0, done
        [result] = done.messages
        return result

    def lines(self):
        """Returns the items of the copy by id, read without requests."""
        fields = ["--fields", ",".join(self.server.fields)]
        done = self.run("search", "--all", "--json", "--offline", *fields)
        assert done.code == 0, done
        return {item[self.server.id]: line(item, self.server.fields) for item in done.messages}

    def start_sync(self, *args):
        """Starts `larder sync`, and returns the process."""
        command = [binary(), *self._command("sync", *args)]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            command, stdin=quiet, stdout=quiet, stderr=quiet, env=environment(self.home, self.env)
        )

    def release(self):
        """Makes the last activity of a killed run so old that the next run need not wait for it."""
        path = self.folder / "cache.sqlite"
        if not path.exists():
            return
        with closing(sqlite3.connect(path, timeout=PATIENCE)) as file, file:
            if file.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'syncs'").fetchone()[0]:
                file.execute("UPDATE syncs SET beat_at = beat_at - ?", (SILENCE,))


def killed(process):
    """Kills a process. Returns whether it was still running."""
    process.kill()
    return process.wait(PATIENCE) == -signal.SIGKILL
