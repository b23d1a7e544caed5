"""A server that answers with exactly the given bytes, whether they are valid HTTP or not."""

import contextlib
import json
import socket
import threading


def answer(*headers, body=b"", status="200 OK"):
    """Returns a response with the given header lines and body."""
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode("latin-1") + body


def answer_of(value, *headers):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return answer(f"Content-Length: {len(body)}", *headers, body=body)


class Answering:
    """A server whose `say` is the answer to each request; `requests` lists the received requests.

    `say` is bytes, a list of bytes to be sent one after the other, or a function of the request that returns either.
    """

    def __init__(self, tls=None):
        self.say = answer_of({})
        self.requests = []
        self.tls = tls
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"

    def __enter__(self):
        self.acceptor = threading.Thread(target=self._accept, daemon=True)
        self.acceptor.start()
        return self

    def __exit__(self, *_):
        # `close` alone does not wake a thread that waits in `accept`. That thread could later accept a connection to
        # another server, because the system gives the file descriptor to the next socket.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.acceptor.join()
        self.listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
            request = self._read(connection)
            if not request:
                return
            self.requests.append(request)
            say = self.say(request) if callable(self.say) else self.say
            for part in [say] if isinstance(say, bytes) else say:
                connection.sendall(part)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass
        except OSError:
            pass  # The client refuses the answer, or has read enough of it.
        finally:
            connection.close()

    @staticmethod
    def _read(connection):
        data = b""
        while b"\r\n\r\n" not in data:
            part = connection.recv(65536)
            if not part:
                return data
            data += part
        head, _, body = data.partition(b"\r\n\r\n")
        length = next(
            (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0
        )
        while len(body) < length:
            body += connection.recv(65536)
        return head + b"\r\n\r\n" + body
