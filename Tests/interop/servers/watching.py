"""A gate to kmock that ends a watch, as a Kubernetes server does after `timeoutSeconds`."""

import http.client
import json
import queue
import socket
import threading
import urllib.parse
from contextlib import closing, contextmanager, suppress

from harness import PATIENCE
from scripted import serving


class Watch:
    """The lines of a watch. A thread reads them, because the watch of kmock does not end."""

    def __init__(self, answer):
        self.lines, self.arrived = [], queue.Queue()
        threading.Thread(target=self._read, args=[answer], daemon=True).start()

    def _read(self, answer):
        with suppress(OSError, http.client.HTTPException, ValueError, AttributeError):  # The connection was closed.
            while line := answer.readline():
                self.arrived.put(line)

    def next(self, seconds=PATIENCE):
        """Returns the next line as JSON."""
        self.lines.append(self.arrived.get(timeout=seconds))
        return json.loads(self.lines[-1])

    def listens(self):
        """Returns whether a change has arrived after the lines with the pods that existed at the start."""
        with suppress(queue.Empty):
            while self.next(0.05)["type"] == "ADDED":
                pass
            return True
        return False

    def read_until(self, version):
        while self.next()["object"]["metadata"]["resourceVersion"] != version:
            pass


class WatchGate:
    """A gate that makes `count` random changes during each watch. `changes` has the changes of the last watch, and
    `token` the `resourceVersion` that it was asked for."""

    def __init__(self, server, changing):
        self.server, self.changing = server, changing
        self.count, self.changes, self.token = 0, None, None

    def answer(self, request):
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.server.url).netloc, timeout=PATIENCE)
        with closing(connection):
            connection.request("GET", request.target, headers={"Accept": request.headers["Accept"]})
            answer = connection.getresponse()
            watches = "watch" in request.query
            body = self.watched(Watch(answer), request) if watches else answer.read()
            connection.sock.shutdown(socket.SHUT_RDWR)  # This ends the thread of a watch.
            return answer.status, {"Content-Type": "application/json"}, body

    def watched(self, watch, request):
        """Makes the changes. Returns the lines of the watch up to the last change."""
        self.token = request.query["resourceVersion"]
        before = set(self.changing.lines)
        self.changing.forget()
        # kmock does not report a change that happens before the watch listens.
        first = min(before)
        self.changing.put(first)
        while not watch.listens():
            self.changing.put(first)
        for _ in range(self.count):
            self.changing.change()
        self.changing.put(min(self.changing.lines))
        watch.read_until(str(self.server.version))
        now = self.changing.listed()
        self.changes = now.keys() - before, self.changing.touched & now.keys() & before, before - now.keys(), now
        return b"".join(watch.lines)


@contextmanager
def watched(server, changing):
    """Yields a gate to the server, with its `url`."""
    gate = WatchGate(server, changing)
    with serving(gate.answer) as gate.url:
        yield gate
