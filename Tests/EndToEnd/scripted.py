"""A server on 127.0.0.1 whose answers a test defines."""

import contextlib
import json
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Request:
    """A received request. `target` is the path and query as sent; `query` has the last value of each name."""

    def __init__(self, handler):
        self.method, self.target, self.headers = handler.command, handler.path, handler.headers
        url = urllib.parse.urlsplit(handler.path)
        self.path, self.query = url.path, dict(urllib.parse.parse_qsl(url.query))
        self.data = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))

    @property
    def json(self):
        """The JSON body; None if there is none."""
        return json.loads(self.data) if self.data else None


class Server(ThreadingHTTPServer):
    request_queue_size = 256  # the number of connections that may wait to be accepted


@contextlib.contextmanager
def serving(answer, keeps_alive=False):
    """Yields the URL of a server that sends the results of `answer(request)`.

    The result is a status, header fields, and a body: bytes, or a value to be encoded as JSON. Requests are answered
    concurrently.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1" if keeps_alive else "HTTP/1.0"
        disable_nagle_algorithm = True
        wbufsize = 65536  # Sends the head and the body in one segment.

        def do_GET(self):
            status, headers, value = answer(Request(self))
            body = value if isinstance(value, bytes) else json.dumps(value).encode()
            # `send_response` adds a date.
            (self.send_response_only if "Date" in headers else self.send_response)(status)
            for name, text in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, *_):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
