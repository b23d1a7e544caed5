import pathlib
import sys

import pytest

_ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(_ROOT / "Tests" / "EndToEnd"), str(_ROOT / "clients" / "python" / "src")]

from fixtures import *  # noqa: E402,F401,F403
from harness import binary, environment  # noqa: E402
from larder import AsyncLarder, Larder  # noqa: E402


ECHO = """
import json, sys
handshake = sys.stdin.readline()
def reply(line, **more):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": more}) + "\\n")
    sys.stdout.flush()
"""


@pytest.fixture
def script(home):
    """script(text): a Python program that replaces larder, for behaviour that larder itself does not show."""

    def script(text):
        path = home / "stand-in"
        path.write_text(f"#!{sys.executable}\n{ECHO}\n{text}")
        path.chmod(0o755)
        return path

    return script


@pytest.fixture
def late_handshake(script):
    """A program that replies to the handshake only after a `greet` request, and to `get` only after `release`."""
    return script(
        "held, released = [], False\n"
        "for line in sys.stdin:\n"
        "    method = json.loads(line)['method']\n"
        "    if method == 'greet': reply(handshake, capabilities={'localMethods': ['*/local']})\n"
        "    if method == 'release': released = True\n"
        "    if method.endswith('/get'): held.append(line)\n"
        "    else: reply(line)\n"
        "    while released and held: reply(held.pop(), item={'id': 1}, source='memory',\n"
        "                                   fetchedAt='2026-01-31T09:05:00Z', stale=False)\n"
    )


@pytest.fixture
def options(home, upstream, places):
    """options(*args): constructor arguments for both clients. Larder then uses only the test's folder and upstream."""

    def options(*args, to=upstream.url):
        base = ["--base-url", f"rickandmorty={to}"]
        return {"args": [*map(str, args), *base, *places], "binary": binary(), "env": environment(home)}

    return options


@pytest.fixture
def open_larder(options, upstream):
    opened = []

    def open_larder(*args, upstream=upstream.url, **more):
        one = Larder(**{**options(*args, to=upstream), **more})
        opened.append(one)
        return one

    yield open_larder
    for one in opened:
        one.close()


@pytest.fixture
def client(open_larder):
    return open_larder()


@pytest.fixture
def open_async(options):
    """open_async(*args): an AsyncLarder that the test must close, for example with `async with`."""
    return lambda *args, **more: AsyncLarder(**{**options(*args), **more})
