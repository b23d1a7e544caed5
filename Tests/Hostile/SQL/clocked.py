"""A larder process whose replies have the time of their arrival."""

import json
import os
import pathlib
import time

from harness import PATIENCE, Larder, _key


class Clocked(Larder):
    """A process with one statement and one cached read in flight."""

    def __init__(self, *args, **options):
        self.arrived = {}
        super().__init__(*args, **options)
        self._thread = None

    def _read(self):
        parts = []
        while chunk := os.read(self.process.stdout.fileno(), 1 << 20):
            now = time.monotonic()
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                line = b"".join([*parts, end])
                parts = []
                with self._changed:
                    self.arrived[_key(line)] = now, line
                    self._changed.notify_all()
            parts.append(rest)
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def reply(self, *ids, patience=PATIENCE):
        """Returns the time of arrival and the reply to a request that has one of these ids.

        `patience` is the number of seconds until a missing reply is a failure.
        """
        keys = [json.dumps(id) for id in ids]

        def found():
            return next((key for key in keys if key in self.arrived), None)

        with self._changed:
            self._changed.wait_for(lambda: found() or self._ended, patience)
            if not found():
                raise AssertionError(f"no reply to {ids}; code {self.process.poll()}; stderr: {self.stderr()[-1500:]}")
            when, line = self.arrived.pop(found())
        return when, json.loads(line)

    def wait(self, id):
        return self.reply(id)[1]

    def computed(self):
        """Returns the seconds for which the thread of the queries has computed. If the system does not report them,
        returns the current time."""
        try:
            if self._thread is None:
                tasks = pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()
                self._thread = next(task for task in tasks if (task / "comm").read_text() == "larder-query\n")
            return int((self._thread / "schedstat").read_text().split()[0]) / 1e9
        except (OSError, StopIteration):
            return time.monotonic()

    def query(self, data, more, timeout, patience=PATIENCE):
        """Runs a statement, given as the JSON of its text, and reads a cached item meanwhile.

        Returns the reply, the times of the statement and of the read in seconds, and whether the read was first.
        """
        rest = "".join(f',"{name}":{json.dumps(value)}' for name, value in {**more, "timeout": timeout}.items())
        self.next_id += 1
        id = self.next_id
        start = f'{{"jsonrpc":"2.0","id":{id},"method":"cache/query","params":{{"sql":'
        sent = time.monotonic()
        self.write(start.encode() + data + f"{rest}}}}}\n".encode())
        read, read_at = self.get()
        # A reply to invalid JSON has no id.
        when, reply = self.reply(id, None, patience=patience)
        return reply, when - sent, read, read_at < when

    def get(self):
        """Reads a cached item. Returns the seconds until the reply, and the time of its arrival."""
        sent = time.monotonic()
        when, reply = self.reply(self.send("character/get", {"id": self.next_id % 20 + 1, "cachePolicy": "localOnly"}))
        assert reply["result"]["source"] in ("memory", "persistence"), reply
        return when - sent, when
