"""Lists that a test changes at random, and the local copies of these lists."""

import http.client
import json
import signal
import subprocess
import urllib.parse
from contextlib import closing, contextmanager

from harness import PATIENCE, binary, environment, run
from scripted import serving

CHARACTERS = "abc XYZ09é日本🦉\"'\\/<>&%{}\n\t"
ROUNDS = [0, 1, 4, 6, 10, 25, 54, 100]  # the numbers of changes between syncs


def line(item, fields):
    """Returns the given fields of an item as one line of JSON."""
    return json.dumps({name: item[name] for name in fields}, ensure_ascii=False)


def counts(result):
    """Returns the main members of the result of a sync."""
    names = ("mode", "requests", "added", "changed", "removed", "items", "deletions", "complete")
    return tuple(result[name] for name in names)


class Changing:
    """A list that is changed at random: new items, new versions, deletions, and new items with the ids of deleted
    ones.

    `lines` has the current items by id, as the server returned them. `versions` has the lines of all versions so far.
    `touched` has the ids of all changes since `forget`, and `lasting` has the ids of the items that have existed since
    then. `last` is the id of the last change.
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

    def change_some(self, count):
        """Calls `forget`, and makes a number of changes. Returns the added, the changed and the removed ids, and the
        items."""
        before = set(self.lines)
        self.forget()
        for _ in range(count):
            self.change()
        now = self.listed()
        return now.keys() - before, self.touched & now.keys() & before, before - now.keys(), now

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


def killed(process):
    """Kills a process. Returns whether it was still running."""
    process.kill()
    return process.wait(PATIENCE) == -signal.SIGKILL
