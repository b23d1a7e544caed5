"""Larder processes that simulate separate machines: each name has its own folders, and all share one Redis server."""

import contextlib
import json
import re
import threading
import time

from harness import Larder, RPCError, eventually
from scripted import serving

SECRET = "a secret of at least 16 bytes"
# The warning of a process about a late reply of the shared level. An unreachable server causes another warning.
LATE = re.compile(r"^larder: warning: shared: \S+ is not used: no [a-z ]+ within \d+ ms$", re.M)


class Machines:
    """`machines("one")` starts a process on the machine of that name. Processes of a machine share its folders."""

    def __init__(self, root, upstream, server):
        self.root, self.upstream, self.server, self.running = root, upstream, server, []

    def __call__(self, name, *args, mode="readwrite", url=None, secret=SECRET, env=None, waits=True, **options):
        """Starts a process.

        `url=False` starts it without a shared level. `waits` waits until the process is connected to the server.
        """
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
        """Whether the shared level has replied too late to at least one of these machines. Such a reply counts as a
        miss.

        Tests can expect exact request counts and cache contents only without late replies.
        """
        return any(LATE.search(larder.stderr()) for larder in self.running)

    def check(self, found, expected, late):
        """Fails unless `found` is the expected value. Values in `late` are accepted if the shared level has replied too
        late."""
        assert found == expected or found in late and self.late(), (found, expected)

    def has_missed(self, result):
        """Whether a result came from the API because the shared level replied too late."""
        return result["source"] == "remote" and self.late()

    def finds(self, result):
        """Whether a result came from the shared level, or from the API because the shared level replied too late."""
        return result["source"] == "shared" or self.has_missed(result)

    def close(self):
        for larder in self.running:
            larder.close()


def stats(larder):
    return larder.call("cache/stats")["shared"]


def degraded(larder):
    """Returns why the shared level is degraded; empty if it works."""
    return [part["reason"] for part in larder.call("server/status")["degraded"] if part["part"] == "shared"]


def connected(larder):
    """Waits until the process is connected to the shared level."""
    eventually(lambda: stats(larder)["state"] == "ok", "the connection to the shared level")
    return larder


def settled(larder):
    """Ends a process, so that all of its writes have reached the server."""
    assert larder.close() == 0


def next_millisecond():
    """Waits until the clock that orders removals and fetches shows the next millisecond."""
    begin = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 == begin:
        pass


def is_absent(larder, method="character/get", **params):
    """Whether the machine has no entry for the call."""
    try:
        larder.call(method, cachePolicy="localOnly", **params)
    except RPCError as error:
        assert error.kind == "notCached", error
        return True
    return False


def is_stale(larder, method="character/get", **params):
    return larder.call(method, cachePolicy="localOnly", **params)["stale"]


class API:
    """A scripted API: /things/ID returns a thing with the current `version`, /things a list.

    While the gate is closed, responses wait. Each response has the version that was current when its request arrived.
    """

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
        """Waits until `count` requests have arrived."""
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
    """Returns a catalog of that API."""
    thing = {"api": "a", "id": "string", "rest": {"get": {"path": "/things/{id}"}, "list": {"path": "/things"}}}
    if cache:
        thing["cache"] = cache
    api = {"baseURL": url, "timeout": "60s", "retries": 0, "maxConcurrent": 1000, **api}
    return {"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}}


class Things:
    """Machines with the catalog of `API`."""

    def __init__(self, machines, api, root):
        self.machines, self.api, self.root = machines, api, root

    def __call__(self, name, *args, cache=None, of_api=None, **options):
        path = self.root / f"{name}.json"
        path.write_text(json.dumps(catalog_of_things(self.api.url, cache, **(of_api or {}))))
        return self.machines(name, "--catalog", path, *args, **{"upstream": None, **options})

    @staticmethod
    def version(larder, id="x", **params):
        return larder.call("thing/get", id=id, **params)["item"]["version"]
