"""Larder processes as machines of their own: each name has its own folders, and all share one server."""

import contextlib
import json
import re
import threading
import time

from harness import Larder, RPCError, eventually
from scripted import serving

SECRET = "a secret of at least 16 bytes"
# What a process logs when the level has answered later than it waits; that a server is gone has other words.
LATE = re.compile(r"^larder: warning: shared: \S+ is not used: no [a-z ]+ within \d+ ms$", re.M)


class Machines:
    """machines("one"): a process on the machine of that name, whose folders it shares with those before it."""

    def __init__(self, root, upstream, server):
        self.root, self.upstream, self.server, self.running = root, upstream, server, []

    def __call__(self, name, *args, mode="readwrite", url=None, secret=SECRET, env=None, waits=True, **options):
        """`url=False` starts one without a shared level. `waits`: until the server is reached."""
        home = self.root / name
        home.mkdir(exist_ok=True)
        words, variables = list(map(str, args)), dict(env or {})
        if url is not False:
            words += ["--shared", url or self.server.url(), "--shared-mode", mode]
            variables = {"LARDER_SHARED_SECRET": secret, **variables}
        larder = Larder(home, *words, env=variables, **{"upstream": self.upstream, **options})
        self.running.append(larder)
        return connected(larder) if waits and url is not False and "--offline" not in words else larder

    def late(self):
        """Whether the level has answered one of these machines too late, on a computer that had other things to do.
        That is a miss to it, as it should be; how often the API is asked and what is found in the level is certain
        only without it."""
        return any(LATE.search(larder.stderr()) for larder in self.running)

    def check(self, found, expected, late):
        """Fails unless it is what is expected, or one of `late` where the level was late."""
        assert found == expected or found in late and self.late(), (found, expected)

    def has_missed(self, result):
        """Whether this came from the API because the level was late."""
        return result["source"] == "remote" and self.late()

    def finds(self, result):
        """Whether this came from the level, or would have if it had not been late."""
        return result["source"] == "shared" or self.has_missed(result)

    def close(self):
        for larder in self.running:
            larder.close()


def stats(larder):
    return larder.call("cache/stats")["shared"]


def degraded(larder):
    """Why the shared level is not used as it should be; empty where all is well."""
    return [part["reason"] for part in larder.call("server/status")["degraded"] if part["part"] == "shared"]


def connected(larder):
    """Waits until the shared level is there for this process."""
    eventually(lambda: stats(larder)["state"] == "ok", "the connection to the shared level")
    return larder


def settled(larder):
    """Ends a process: what it had to write is written."""
    assert larder.close() == 0


def next_millisecond():
    """Waits until the clock by which removals and fetches are compared has gone on."""
    begin = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 == begin:
        pass


def is_absent(larder, method="character/get", **params):
    """Whether nothing is kept of it on that machine."""
    try:
        larder.call(method, cachePolicy="localOnly", **params)
    except RPCError as error:
        assert error.kind == "notCached", error
        return True
    return False


def is_stale(larder, method="character/get", **params):
    return larder.call(method, cachePolicy="localOnly", **params)["stale"]


class API:
    """/things/ID has a thing with the `version` that it has when the request comes, /things a list. While the gate is
    shut, answers wait; what they say is settled already."""

    def __init__(self):
        self.version, self.asked, self.headers, self.padding = 1, [], [], ""
        self.lock, self.gate, self.arrived = threading.Lock(), threading.Event(), threading.Condition()
        self.gate.set()

    def answer(self, request):
        with self.arrived:
            version = self.version
            self.asked.append(request.target)
            self.headers.append(dict(request.headers))
            self.arrived.notify_all()
        self.gate.wait(60)
        if request.path.endswith("/things"):
            return 200, {}, [self.thing(number, version) for number in range(1, 11)]
        return 200, {}, self.thing(request.path.rsplit("/", 1)[1], version)

    def thing(self, id, version):
        return {"id": str(id), "version": version, **({"padding": self.padding} if self.padding else {})}

    def wait(self, count):
        """Until so many requests have come."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.asked) >= count, 30), f"only {len(self.asked)} requests came"

    @contextlib.contextmanager
    def serving(self):
        with serving(self.answer, keeps_alive=True) as self.url:
            try:
                yield self
            finally:
                self.gate.set()


def catalog_of_things(url, cache=None, **api):
    """A catalog of that API."""
    thing = {"api": "a", "id": "string", "rest": {"get": {"path": "/things/{id}"}, "list": {"path": "/things"}}}
    if cache:
        thing["cache"] = cache
    api = {"baseURL": url, "timeout": "60s", "retries": 0, "maxConcurrent": 1000, **api}
    return {"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}}


class Things:
    """Machines whose catalog is that of `API`."""

    def __init__(self, machines, api, root):
        self.machines, self.api, self.root = machines, api, root

    def __call__(self, name, *args, cache=None, of_api=None, **options):
        path = self.root / f"{name}.json"
        path.write_text(json.dumps(catalog_of_things(self.api.url, cache, **(of_api or {}))))
        return self.machines(name, "--catalog", path, *args, **{"upstream": None, **options})

    @staticmethod
    def version(larder, id="x", **params):
        return larder.call("thing/get", id=id, **params)["item"]["version"]
