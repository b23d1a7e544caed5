"""Fake servers and an interruptible proxy."""

import contextlib
import socket
import threading
import time


class Silent:
    """A server that accepts connections and reads, but never answers, or always answers `reply`."""

    def __init__(self, reply=b""):
        self.reply, self.connections = reply, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection = self.listener.accept()[0]
                self.connections.append(connection)
                threading.Thread(target=self._read, args=(connection,), daemon=True).start()

    def _read(self, connection):
        with contextlib.suppress(OSError):
            while connection.recv(65536):
                if self.reply:
                    connection.sendall(self.reply)

    def url(self):
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        hang_up(self.listener, *self.connections)


def hang_up(*sockets):
    """Closes sockets, including those that another thread is reading from."""
    for each in sockets:
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()


class Proxy:
    """A proxy to a server that the test can cut and repair. `rate` is the maximum number of bytes per second."""

    def __init__(self, server, rate=None):
        self.rate = rate
        self.target, self.lock, self.is_cut, self.sockets = server.port, threading.Lock(), False, []
        self.listener = socket.socket()
        if rate:
            # A small buffer: by default, the system would accept a megabyte at once.
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 10)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen()
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                self._join(self.listener.accept()[0])

    def _join(self, near):
        try:
            far = socket.create_connection(("127.0.0.1", self.target), 5)
        except OSError:
            return near.close()
        far.settimeout(None)
        with self.lock:
            if self.is_cut:
                return hang_up(near, far)
            self.sockets += [near, far]
        for pair in ((near, far), (far, near)):
            threading.Thread(target=self._pump, args=pair, daemon=True).start()

    def _pump(self, source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(4 << 10 if self.rate else 64 << 10):
                if self.rate:
                    time.sleep(len(data) / self.rate)
                sink.sendall(data)
        hang_up(source, sink)

    def cut(self):
        """Breaks all connections. New ones are closed at once."""
        with self.lock:
            self.is_cut = True
            sockets, self.sockets = self.sockets, []
        hang_up(*sockets)

    def mend(self):
        with self.lock:
            self.is_cut = False

    def url(self, user=None):
        return f"redis://{user + '@' if user else ''}127.0.0.1:{self.port}/0"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut()
        hang_up(self.listener)
