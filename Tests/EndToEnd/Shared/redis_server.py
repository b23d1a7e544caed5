"""A real redis-server for each test, and a client, independent of Larder's, to inspect it."""

import contextlib
import os
import pathlib
import random
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time

from harness import PATIENCE, ROOT, WORKER, WORKERS

TLS = ROOT / "Fixtures" / "tls"
PROGRAM = "redis-server"


def program():
    found = shutil.which(os.environ.get("LARDER_REDIS") or PROGRAM)
    assert found, f"{PROGRAM} is missing: scripts/bootstrap --tests installs it, or says how"
    return found


def ports():
    """Returns the ports for servers, below the range of automatically assigned ports.

    No other program takes the port of a server that restarts, and a client of a stopped server does not reach the
    server of another test. Each pytest worker has its own ports.
    """
    try:
        ends = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    except OSError:
        ends = ["49152"]  # no /proc on other systems than Linux
    return range(10_000 + WORKER % WORKERS, max(20_000, int(ends[0])), WORKERS)


class Fault(Exception):
    """An error reply; `code` is its first word."""

    def __init__(self, text):
        super().__init__(text)
        self.code = text.split(" ")[0]


class Client:
    """One RESP2 connection. Strings are bytes. Errors are raised, except for errors within an array."""

    def __init__(self, connection):
        self.connection = connection
        connection.settimeout(PATIENCE)
        self.file = connection.makefile("rb")

    def __call__(self, *words):
        self.send(*words)
        reply = self.read()
        if isinstance(reply, Fault):
            raise reply
        return reply

    def send(self, *words):
        parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        head = [b"*%d\r\n" % len(parts)]
        self.connection.sendall(b"".join(head + [b"$%d\r\n%s\r\n" % (len(part), part) for part in parts]))

    def pipeline(self, commands):
        """Sends many commands and returns their replies, including errors."""
        for command in commands:
            self.send(*command)
        return [self.read() for _ in commands]

    def read(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server has closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest
        if kind == b"-":
            return Fault(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        assert kind == b"*", line
        return None if rest == b"-1" else [self.read() for _ in range(int(rest))]

    def close(self):
        self.file.close()
        self.connection.close()


class Monitor:
    """The commands that clients send to the server while the monitor runs, without the commands of scripts."""

    def __init__(self, server):
        self.server, self.client, self.lines = server, server.connect(), []
        assert self.client("MONITOR") == b"OK"

    def commands(self):
        """Returns each command received so far, as one string."""
        mark = f"mark-{time.monotonic_ns()}"
        self.server("ECHO", mark)
        while True:
            line = self.client.read().decode("utf-8", "replace")
            place, _, words = line.partition("] ")
            if mark in words:
                return list(self.lines)
            if not place.endswith("lua"):
                self.lines.append(words)

    def about(self, *kinds):
        """Returns the commands with a key of one of the given kinds. `keys` lists the kinds."""
        return [line for line in self.commands() if any(f":{kind}:{{" in line for kind in kinds)]

    def close(self):
        self.client.close()


class RedisServer:
    """A server that stores nothing on disk.

    It listens on a port of 127.0.0.1, which it keeps when it restarts, and on a Unix socket for the tests' own
    connection.
    """

    def __init__(self, *options, tls=False, acl=None, config=None):
        # Socket paths must be short; the test's own folder may be too long.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="larder-redis-"))
        self.options, self.tls, self.process, self._client = list(options), tls, None, None
        self.path = self.folder / "socket"
        self.login, self.clients = None, []
        if acl is not None:
            (self.folder / "users.acl").write_text(acl)
            self.options += ["--aclfile", str(self.folder / "users.acl")]
        self.config = config
        try:
            self.port = self._start_somewhere()
        except BaseException:
            self.close()
            raise

    # Start and stop

    def _start_somewhere(self):
        while True:
            port = random.SystemRandom().choice(ports())
            if self._start(port):
                return port

    def _start(self, port):
        """Returns whether the server runs. It does not if another program has taken the port."""
        listen = ["--port", str(port)]
        if self.tls:
            listen = ["--port", "0", "--tls-port", str(port), "--tls-auth-clients", "no"]
            listen += ["--tls-cert-file", str(TLS / "server.pem"), "--tls-key-file", str(TLS / "server.key")]
            listen += ["--tls-ca-cert-file", str(TLS / "authority.pem")]
        self.path.unlink(missing_ok=True)
        log = self.folder / "log"
        log.write_text("")
        command = [program(), *([str(self.config)] if self.config else []), *listen, "--bind", "127.0.0.1"]
        command += ["--unixsocket", str(self.path), "--dir", str(self.folder), "--save", "", "--appendonly", "no"]
        command += ["--logfile", str(log), "--daemonize", "no", *self.options]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                self.process = None
                said = log.read_text()
                # In cluster mode, the server also takes the port 10,000 higher.
                assert "already in use" in said, f"redis-server does not start: {said}"
                return False
            with contextlib.suppress(OSError):
                self._client = self.connect()
                return True
            time.sleep(0.005)
        raise AssertionError(f"redis-server does not answer: {log.read_text()}")

    def kill(self):
        """Kills the server at once, like a power failure. Its data is lost."""
        for client in self.clients:
            client.close()
        self.clients.clear()
        if self.process:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
            self.process = None

    def restart(self):
        """Restarts the server without data, on the same port."""
        self.kill()
        assert self._start(self.port), "another program has taken the port of the killed server"

    def pause(self):
        """Stops the server process. The system still accepts connections, but nothing answers."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def close(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # URLs and connections

    def url(self, user=None, database=0):
        who = f"{user}@" if user else ""
        return f"{'rediss' if self.tls else 'redis'}://{who}127.0.0.1:{self.port}/{database}"

    def unix_url(self, database=0):
        return f"unix://{self.path}?db={database}"

    def connect(self, over_tls=False):
        if over_tls:
            context = ssl.create_default_context(cafile=str(TLS / "authority.pem"))
            plain = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
            self.clients.append(Client(context.wrap_socket(plain, server_hostname="127.0.0.1")))
            return self.clients[-1]
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(self.path))
        except OSError:
            connection.close()
            raise
        client = Client(connection)
        self.clients.append(client)
        try:
            client("AUTH", *self.login) if self.login else client("PING")
        except Fault as fault:
            # A server with a password is authenticated later, by `log_in`.
            assert fault.code == "NOAUTH", fault
        return client

    def __call__(self, *words):
        """Sends a command and returns its reply."""
        return self._client(*words)

    def log_in(self, *login):
        """Sets the user for the tests' own connections."""
        self.login = login
        self("AUTH", *login)

    @contextlib.contextmanager
    def monitor(self):
        monitor = Monitor(self)
        try:
            yield monitor
        finally:
            monitor.close()

    # Contents

    def keys(self, *kinds, namespace="default"):
        """Returns the names of all keys, or of the keys of the given kinds.

        `i` are items, `p` pages, `l` leases, `g` generations, `b` buckets.
        """
        found, place = set(), b"0"
        while True:
            place, some = self("SCAN", place, "COUNT", 1000)
            found.update(key.decode() for key in some)
            if place == b"0":
                break
        heads = tuple(f"larder:1:{namespace}:{kind}:{{" for kind in kinds)
        return sorted(key for key in found if not kinds or key.startswith(heads))

    def values(self, *kinds):
        """Returns the values of items and pages by name."""
        names = self.keys(*(kinds or ("i", "p")))
        return {name: value for name in names if (value := self("GET", name)) is not None}

    def put(self, name, value):
        """Replaces a value and keeps its time to live."""
        self("SET", name, value, "KEEPTTL")

    def keys_without_expiry(self):
        """Returns the keys that never expire."""
        return [key for key in self.keys() if self("PTTL", key) == -1]

    def info(self, name):
        for line in self("INFO", "everything").decode().splitlines():
            if line.startswith(name + ":"):
                return line.partition(":")[2]
        raise KeyError(name)
