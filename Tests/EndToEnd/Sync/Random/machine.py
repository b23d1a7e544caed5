"""The processes of a model, and the state of their copies."""

import contextlib
import signal
import sqlite3
import threading

from harness import PATIENCE, Larder


class Machine:
    """A larder process that is started again after a kill."""

    def __init__(self, home, things):
        self.home, self.things, self.larder = home, things, None
        self.lock = threading.Lock()
        self.start()

    def start(self):
        if self.larder:
            self.larder.close()
        self.larder = Larder(self.home, "--catalog", str(self.things.catalog(self.home)))

    def call(self, method, **params):
        """Returns the reply, which may be an error. Events of several requests may call at the same time."""
        with self.lock:
            id = self.larder.send(method, params)
        return self.larder.wait(id)

    def sync(self, copy=None, **params):
        """Returns the result of a sync; an empty one after an error."""
        filter = {"filter": {"state": copy}} if copy else {}
        return self.call("thing/sync", **filter, **params).get("result") or {}

    def killed_sync(self, number, copy=None):
        """Kills the process while it waits for the answer to a request. Returns nothing, or the result if the run needs
        fewer requests."""
        found, seen = [], threading.Event()
        arrived, gate = self.things.hold(number, seen)

        def wait():
            with contextlib.suppress(AssertionError):  # The process was killed.
                found.append(self.sync(copy))
            seen.set()

        waiter = threading.Thread(target=wait)
        waiter.start()
        assert seen.wait(PATIENCE)
        is_killed = arrived.is_set()
        if is_killed:
            self.larder.process.send_signal(signal.SIGKILL)
            self.larder.process.wait(PATIENCE)
        gate.set()
        waiter.join(PATIENCE)
        if is_killed:
            self.start()
            return {}
        return found[0]

    def cached(self):
        """Returns the cached items by id, of any copy or of none."""
        found = self.call("thing/search", limit=1000)["result"]["items"]
        return {thing["id"]: thing for thing in found}

    def members(self, copy=None):
        """Returns the ids of the items in a copy."""
        self.call("cache/stats")  # It waits until all entries are written.
        file = self.home / "cache" / "cache.sqlite"
        if not file.exists():
            return set()
        with contextlib.closing(sqlite3.connect(file)) as file:
            if not file.execute("SELECT 1 FROM sqlite_schema WHERE name = 'members'").fetchone():
                return set()
            rows = file.execute(
                "SELECT items.id FROM members JOIN syncs ON syncs.key = sync JOIN items ON items.key = item"
                " WHERE list = ?", ['{"state":"%s"}' % copy if copy else "{}"])
            return {id for (id,) in rows}

    def pages(self, copy=None):
        """Returns the items of a list in the order of its stored pages."""
        params = {"filter": {"state": copy}} if copy else {}
        found = []
        while True:
            page = self.call("thing/list", cachePolicy="localOnly", **params)["result"]
            found += page["items"]
            if page["page"]["next"] is None:
                return found
            params["page"] = page["page"]["next"]
