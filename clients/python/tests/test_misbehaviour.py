"""What the client does when its process misbehaves as the real one never should: a script stands in for it."""

import io
import math
import subprocess
import threading
from decimal import Decimal

import pytest

from harness import eventually
from larder import InvalidMessage, Larder, LarderClosed, LarderError, NoReply

@pytest.fixture
def stand_in(script):
    opened = []

    def stand_in(text, **options):
        one = Larder(binary=script(text), **{"stderr": subprocess.DEVNULL, **options})
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


def test_output_that_is_no_message(stand_in, home):
    client = stand_in(
        "open(__file__ + '.starts', 'a').write('x')\n"
        "sys.stdin.readline(); print('hello', flush=True); sys.stdin.read()\n"
    )
    for _ in range(2):
        with pytest.raises(LarderClosed, match="no reply"):
            client.call("a")
    assert (home / "stand-in.starts").read_text() == "x", "the next one would write the same"


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


def test_a_long_request_to_a_process_that_wants_to_be_read_first(stand_in):
    """Both pipes are full, and one thread alone has to serve them."""
    client = stand_in(
        "print(('{\"jsonrpc\":\"2.0\",\"method\":\"x/changed\",\"params\":{\"text\":\"' + 'y' * 400_000 + '\"}}'))\n"
        "sys.stdout.flush()\n"
        "for line in sys.stdin: reply(line, length=len(json.loads(line)['params']['text']))\n"
    )
    assert client.call("a", text="x" * 900_000) == {"length": 900_000}


# What stands before the script of a stand-in, so that it does so in its first process alone.
FIRST = """
import os, pathlib, signal
mark = pathlib.Path(__file__ + ".started")
first = not mark.exists()
mark.touch()
"""


def test_a_request_that_is_not_taken_in_time(stand_in, home):
    client = stand_in(f"{FIRST}while first: signal.pause()\nfor line in sys.stdin: reply(line, pid=os.getpid())\n")
    eventually((home / "stand-in.started").exists, "the first process")
    with pytest.raises(NoReply):
        client.request("a", {"text": "x" * 900_000}, timeout=0.1)
    # Half of it is written, and nothing can follow that in this process.
    assert client.call("b")["pid"] == client.pid


def test_a_request_that_waits_for_another_one_that_is_not_taken(stand_in):
    """The time of one is not over only when that of the other is."""
    client = stand_in("import signal\nwhile True: signal.pause()\n")
    caught = {}

    def ask(method, timeout):
        try:
            client.request(method, {"text": "x" * 900_000}, timeout=timeout)
        except LarderError as error:
            caught[method] = type(error)

    long = threading.Thread(target=ask, args=("a", math.inf))
    long.start()
    eventually(lambda: client._channel.leader, "that it is being written")
    short = threading.Thread(target=ask, args=("b", 0.1))
    short.start()
    try:
        assert eventually(lambda: caught, "the end of its time") == {"b": NoReply}
    finally:
        assert client.close(grace=0.1) == -9
        long.join()
        short.join()
    assert caught == {"a": LarderClosed, "b": NoReply}


def test_a_crash_in_the_middle_of_a_long_request(stand_in):
    """It is asked once more, whole, of the next process."""
    client = stand_in(
        f"{FIRST}if first: sys.stdin.buffer.read(300_000); os.kill(os.getpid(), signal.SIGKILL)\n"
        "for line in sys.stdin: reply(line, length=len(json.loads(line)['params']['text']))\n"
    )
    assert client.call("a", text="x" * 900_000) == {"length": 900_000}
