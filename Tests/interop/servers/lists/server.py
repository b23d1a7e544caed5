"""The HTTP API of a server whose lists change."""

import http.client
import json
import urllib.parse

from harness import PATIENCE


class Server:
    """The HTTP API of a server, on one connection, and the log of the requests that the server has received. Used as a
    context manager, it closes the connection."""

    def __init__(self, url, log, **headers):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=PATIENCE)
        self.url, self.log, self.headers = url, log, headers

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def text(self, method, target, value=None):
        """Sends a request, and returns the text of the answer."""
        body = None if value is None else json.dumps(value)
        headers = {**self.headers, **({} if body is None else {"Content-Type": "application/json"})}
        self.connection.request(method, target, body, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        assert answer.status < 300, f"{method} {target}: {answer.status} {text[:500]}"
        return text

    def call(self, method, target, value=None):
        """Sends a request, and returns the JSON of the answer; None if it has no body."""
        text = self.text(method, target, value)
        return json.loads(text) if text else None

    def name(self, number):
        """Returns the id of an item of the test."""
        return f"n{number:03}"

    def received(self, part):
        """Returns the targets of the GET requests that contain a part."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        targets = [words.split('"GET ', 1)[1].split(" HTTP/")[0] for words in text.splitlines() if '"GET ' in words]
        return [target for target in targets if part in target]
