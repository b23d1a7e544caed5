"""What the client does when its process misbehaves as the real one never should: a script stands in for it."""

import io
import subprocess
import sys
import threading
from decimal import Decimal

import pytest

from larder import InvalidMessage, Larder, LarderClosed, NoReply

ECHO = """
import json, sys
def reply(line, **more):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": more}) + "\\n")
    sys.stdout.flush()
"""


@pytest.fixture
def stand_in(home):
    opened = []

    def stand_in(script, **options):
        path = home / "stand-in"
        path.write_text(f"#!{sys.executable}\n{ECHO}\n{script}")
        path.chmod(0o755)
        one = Larder(binary=path, **{"stderr": subprocess.DEVNULL, **options})
        opened.append(one)
        return one

    yield stand_in
    for one in opened:
        one.close(grace=0)


def test_a_flood_of_log_lines_blocks_nobody(stand_in):
    log = io.StringIO()
    client = stand_in(
        "for line in sys.stdin:\n    sys.stderr.write('x' * 99 + '\\n'); sys.stderr.write(('y' * 999 + '\\n') * 2000)\n"
        "    sys.stderr.flush(); reply(line)\n",
        stderr=log,
    )
    assert client.call("a") == {} and client.call("b") == {}
    client.close()
    assert len(log.getvalue()) == 2 * (100 + 2000 * 1000)


def test_a_log_that_cannot_be_written_blocks_nobody(stand_in):
    log = io.StringIO()
    log.close()
    client = stand_in("for line in sys.stdin:\n    sys.stderr.write('x' * 200_000 + '\\n'); reply(line)\n", stderr=log)
    assert client.call("a") == {}


@pytest.mark.parametrize(
    "start, pages", [(None, ["first", "a", "b", "c"]), ("a", ["a", "b", "c"]), ("b", ["b", "c", "a"])]
)
def test_a_walk_over_pages_that_go_round_in_a_circle_ends(stand_in, start, pages):
    client = stand_in(
        "after = {'first': 'a', 'a': 'b', 'b': 'c', 'c': 'a'}\n"
        "for line in sys.stdin:\n"
        "    current = json.loads(line).get('params', {}).get('page', 'first')\n"
        "    page = {'current': current, 'pages': None, 'count': None, 'next': after[current], 'previous': None}\n"
        "    reply(line, items=[], page=page, source='remote', fetchedAt='2026-01-31T09:05:00Z', stale=False)\n"
    )
    assert [page.page.current for page in client.things.pages(start)] == pages


def test_a_number_of_thousands_of_digits(stand_in):
    """Python reads at most 4300 digits as an integer; the reader of the replies must not end by that."""
    client = stand_in(
        "for line in sys.stdin:\n"
        "    sys.stdout.write('{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"n\":-%s,\"small\":7}}\\n'"
        " % (json.loads(line)['id'], '9' * 5000)); sys.stdout.flush()\n"
    )
    for _ in range(2):
        result = client.call("a")
        assert result["n"] == Decimal("-" + "9" * 5000) and result["small"] == 7
        assert type(result["small"]) is int


def test_a_crash_in_the_middle(stand_in):
    client = stand_in("sys.stdin.readline(); sys.stderr.write('first\\nlast words\\n'); sys.exit(3)\n")
    with pytest.raises(LarderClosed) as caught:
        client.call("a")
    assert caught.value.exit_code == 3 and caught.value.stderr == "first\nlast words"
    with pytest.raises(LarderClosed, match="code 3"):
        client.call("b")


def test_output_that_is_no_message(stand_in):
    client = stand_in("sys.stdin.readline(); print('hello', flush=True); sys.stdin.read()\n")
    with pytest.raises(LarderClosed, match="no reply"):
        client.call("a")


def test_replies_that_nobody_waits_for(stand_in):
    client = stand_in(
        "for line in sys.stdin:\n"
        "    print('{\"jsonrpc\":\"2.0\",\"method\":\"x/changed\",\"params\":{}}')\n"
        "    print('{\"jsonrpc\":\"2.0\",\"id\":777,\"result\":1}'); reply(line, fine=True)\n"
    )
    assert client.call("a") == {"fine": True}


def test_replies_in_another_order(stand_in):
    client = stand_in(
        "lines = [sys.stdin.readline() for _ in range(10)]\n"
        "for line in reversed(lines): reply(line, method=json.loads(line)['method'])\n"
    )
    results = {}
    threads = [
        threading.Thread(target=lambda n=n: results.update({n: client.call(f"m{n}")["method"]})) for n in range(10)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {n: f"m{n}" for n in range(10)}


def test_one_that_does_not_end_is_killed(stand_in):
    client = stand_in("reply(sys.stdin.readline())\nimport signal\nwhile True: signal.pause()\n")
    client.call("a")
    assert client.close(grace=0.1) == -9
    assert client.close() == -9


def test_an_error_of_a_newer_server(stand_in):
    from larder import LarderError

    client = stand_in(
        "id = json.loads(sys.stdin.readline())['id']\n"
        "error = {'code': -31999, 'message': 'odd', 'data': {'kind': 'odd'}}\n"
        "print(json.dumps({'jsonrpc': '2.0', 'id': id, 'error': error}), flush=True)\n"
    )
    with pytest.raises(LarderError) as caught:
        client.call("a")
    assert type(caught.value) is LarderError and caught.value.kind == "odd" and caught.value.code == -31999


def test_an_error_without_an_id_is_the_longest_request_s(stand_in):
    """A message that is too long to be read has an id that the server cannot see."""
    client = stand_in(
        "lines = [sys.stdin.readline(), sys.stdin.readline()]\n"
        "print(json.dumps({'jsonrpc': '2.0', 'id': None, 'error': {'code': -32600, 'message': 'too long'}}))\n"
        "reply(min(lines, key=len))\n"
        "sys.stdin.read()\n"
    )
    caught = []

    def ask():
        try:
            client.request("a", {"text": "x" * 1000})
        except InvalidMessage as error:
            caught.append(error.message)

    thread = threading.Thread(target=ask)
    thread.start()
    assert client.call("b") == {}
    thread.join()
    assert caught == ["too long"]


def test_what_nobody_waits_for_any_more_is_cancelled(stand_in):
    client = stand_in(
        "seen = []\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    seen.append([message['method'], message.get('params', {}).get('id')])\n"
        "    if message['method'] == 'b': reply(line, seen=seen)\n"
    )
    with pytest.raises(NoReply):
        client.request("a", timeout=0.05)
    assert client.call("b")["seen"] == [["a", None], ["$/cancelRequest", 1], ["b", None]]
