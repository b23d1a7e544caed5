"""A real redis-server of a test's own, and a client to look into it with other eyes than Larder's."""

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
    """Those below what the system gives to whoever asks for any port: nobody has that of a server which is to start
    again, and who connects to one that is gone does not come upon somebody else. Each pytest worker has ports of its
    own."""
    try:
        ends = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    except OSError:
        ends = ["49152"]  # elsewhere than on Linux
    return range(10_000 + WORKER % WORKERS, max(20_000, int(ends[0])), WORKERS)


class Fault(Exception):
    """A reply that is an error; `code` is its first word."""

    def __init__(self, text):
        super().__init__(text)
        self.code = text.split(" ")[0]


class Client:
    """One connection that speaks RESP2. Texts come as bytes, errors are raised unless they stand within an array."""

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
        """The replies to many commands; errors are among them."""
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
    """What clients ask of the server while it is there; what scripts do is not among it."""

    def __init__(self, server):
        self.server, self.client, self.lines = server, server.connect(), []
        assert self.client("MONITOR") == b"OK"

    def commands(self):
        """Each command until now, as one text of its words in capital letters where they are names of commands."""
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
        """Those that name a key of one of these kinds (`i` for items, and so on)."""
        return [line for line in self.commands() if any(f":{kind}:{{" in line for kind in kinds)]

    def close(self):
        self.client.close()


class RedisServer:
    """A server that keeps nothing on disk. It listens on 127.0.0.1, where it keeps its port over restarts, and on a
    Unix socket, by which the tests themselves talk to it."""

    def __init__(self, *options, tls=False, acl=None, config=None):
        # The names of sockets are short: those of the tests' own folders may be too long.
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

    # Its life

    def _start_somewhere(self):
        while True:
            port = random.SystemRandom().choice(ports())
            if self._start(port):
                return port

    def _start(self, port):
        """Returns whether it runs; it does not where somebody else has taken the port meanwhile."""
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
                # In cluster mode it takes a second port, which is 10,000 higher.
                assert "already in use" in said, f"redis-server does not start: {said}"
                return False
            with contextlib.suppress(OSError):
                self._client = self.connect()
                return True
            time.sleep(0.005)
        raise AssertionError(f"redis-server does not answer: {log.read_text()}")

    def kill(self):
        """At once, as a power cut does it; what it had is lost."""
        for client in self.clients:
            client.close()
        self.clients.clear()
        if self.process:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
            self.process = None

    def restart(self):
        """Empty, at the same place."""
        self.kill()
        assert self._start(self.port), "somebody else has taken the port of the server that was killed"

    def pause(self):
        """It accepts connections from now on (the system does), and never answers."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def close(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Ways to it

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
            # Who must log in does so then.
            assert fault.code == "NOAUTH", fault
        return client

    def __call__(self, *words):
        """The reply to a command."""
        return self._client(*words)

    def log_in(self, *login):
        """As whom the tests themselves talk to it from now on."""
        self.login = login
        self("AUTH", *login)

    @contextlib.contextmanager
    def monitor(self):
        monitor = Monitor(self)
        try:
            yield monitor
        finally:
            monitor.close()

    # What it has

    def keys(self, *kinds, namespace="default"):
        """The names of its keys, or of those of these kinds: `i` items, `p` pages, `l` leases, `g` generations,
        `b` buckets."""
        found, place = set(), b"0"
        while True:
            place, some = self("SCAN", place, "COUNT", 1000)
            found.update(key.decode() for key in some)
            if place == b"0":
                break
        heads = tuple(f"larder:1:{namespace}:{kind}:{{" for kind in kinds)
        return sorted(key for key in found if not kinds or key.startswith(heads))

    def values(self, *kinds):
        """The values of items and pages by their names."""
        names = self.keys(*(kinds or ("i", "p")))
        return {name: value for name in names if (value := self("GET", name)) is not None}

    def put(self, name, value):
        """Replaces a value, and keeps how long it lives."""
        self("SET", name, value, "KEEPTTL")

    def without_end(self):
        """The keys that would stay for ever."""
        return [key for key in self.keys() if self("PTTL", key) == -1]

    def info(self, name):
        for line in self("INFO", "everything").decode().splitlines():
            if line.startswith(name + ":"):
                return line.partition(":")[2]
        raise KeyError(name)
