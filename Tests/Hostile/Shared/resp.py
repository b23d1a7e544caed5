"""A server on 127.0.0.1 that greets like Redis and then sends whatever a test defines."""

import contextlib
import socket
import threading


def bulk(text):
    data = text if isinstance(text, bytes) else text.encode()
    return b"$%d\r\n%s\r\n" % (len(data), data)


def hello(version="7.2.4"):
    pairs = {"server": "redis", "version": version, "mode": "standalone", "role": "master"}
    return b"%%%d\r\n" % len(pairs) + b"".join(bulk(name) + bulk(value) for name, value in pairs.items())


GREETING = {b"HELLO": hello(), b"SELECT": b"+OK\r\n", b"PING": b"+PONG\r\n"}


class Resp:
    """A fake Redis server for attacks.

    `attack(send, ended)` runs once for each connection, in its own thread, after the first command that follows the
    greeting. `send` sends bytes, and `ended` is an event. `greeting` replaces replies to the greeting. `reply` is sent
    to all later commands, instead of an attack.
    """

    def __init__(self, attack=None, greeting=None, reply=None):
        self.attack, self.reply, self.greeting = attack, reply, {**GREETING, **(greeting or {})}
        self.ended, self.sockets, self.attacked = threading.Event(), [], threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, user=None):
        return f"redis://{user + '@' if user else ''}127.0.0.1:{self.port}/0"

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection = self.listener.accept()[0]
                self.sockets.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        attacks = False
        with contextlib.suppress(OSError, ValueError), connection.makefile("rb") as file:
            while True:
                name = self._command(file)
                known = self.greeting.get(name)
                if known is not None:
                    connection.sendall(known)
                elif self.reply is not None:
                    connection.sendall(self.reply)
                elif not attacks:
                    attacks = True
                    threading.Thread(target=self._attack, args=(connection,), daemon=True).start()

    def _attack(self, connection):
        self.attacked.set()
        with contextlib.suppress(OSError):
            self.attack(connection.sendall, self.ended)

    @staticmethod
    def _command(file):
        """Reads a command and returns its name."""
        words = []
        for _ in range(int(file.readline()[1:])):
            size = int(file.readline()[1:])
            words.append(file.read(size + 2)[:-2])
        return words[0].upper()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended.set()
        for each in [self.listener, *self.sockets]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
