"""The client with a misbehaving process: scripts replace larder."""

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


def test_flood_of_log_lines_does_not_block_calls(stand_in):
    log = io.StringIO()
    client = stand_in(
        "for line in sys.stdin:\n    sys.stderr.write('x' * 99 + '\\n'); sys.stderr.write(('y' * 999 + '\\n') * 2000)\n"
        "    sys.stderr.flush(); reply(line)\n",
        stderr=log,
    )
    assert client.call("a") == {} and client.call("b") == {}
    client.close()
    assert len(log.getvalue()) == 2 * (100 + 2000 * 1000)


def test_unwritable_log_does_not_block_calls(stand_in):
    log = io.StringIO()
    log.close()
    client = stand_in("for line in sys.stdin:\n    sys.stderr.write('x' * 200_000 + '\\n'); reply(line)\n", stderr=log)
    assert client.call("a") == {}


@pytest.mark.parametrize(
    "start, pages", [(None, ["first", "a", "b", "c"]), ("a", ["a", "b", "c"]), ("b", ["b", "c", "a"])]
)
def test_pagination_ends_at_a_repeated_cursor(stand_in, start, pages):
    client = stand_in(
        "after = {'first': 'a', 'a': 'b', 'b': 'c', 'c': 'a'}\n"
        "for line in sys.stdin:\n"
        "    current = json.loads(line).get('params', {}).get('page', 'first')\n"
        "    page = {'current': current, 'pages': None, 'count': None, 'next': after[current], 'previous': None}\n"
        "    reply(line, items=[], page=page, source='remote', fetchedAt='2026-01-31T09:05:00Z', stale=False)\n"
    )
    assert [page.page.current for page in client.things.pages(start)] == pages


def test_integer_with_thousands_of_digits_becomes_a_decimal(stand_in):
    """Python parses integers of at most 4300 digits. The client must accept longer integers."""
    client = stand_in(
        "for line in sys.stdin:\n"
        "    sys.stdout.write('{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"n\":-%s,\"small\":7}}\\n'"
        " % (json.loads(line)['id'], '9' * 5000)); sys.stdout.flush()\n"
    )
    for _ in range(2):
        result = client.call("a")
        assert result["n"] == Decimal("-" + "9" * 5000) and result["small"] == 7
        assert type(result["small"]) is int


def test_exit_during_a_call_raises_larder_closed(stand_in):
    client = stand_in("sys.stdin.readline(); sys.stderr.write('first\\nlast line\\n'); sys.exit(3)\n")
    with pytest.raises(LarderClosed) as caught:
        client.call("a")
    assert caught.value.exit_code == 3 and caught.value.stderr == "first\nlast line"
    with pytest.raises(LarderClosed, match="code 3"):
        client.call("b")


def test_invalid_output_closes_the_client(stand_in, home):
    client = stand_in(
        "open(__file__ + '.starts', 'a').write('x')\n"
        "sys.stdin.readline(); print('hello', flush=True); sys.stdin.read()\n"
    )
    for _ in range(2):
        with pytest.raises(LarderClosed, match="wrote an invalid message"):
            client.call("a")
    assert (home / "stand-in.starts").read_text() == "x", "a new process would write the same"


def test_unexpected_replies_are_ignored(stand_in):
    client = stand_in(
        "for line in sys.stdin:\n"
        "    print('{\"jsonrpc\":\"2.0\",\"method\":\"x/changed\",\"params\":{}}')\n"
        "    print('{\"jsonrpc\":\"2.0\",\"id\":777,\"result\":1}'); reply(line, fine=True)\n"
    )
    assert client.call("a") == {"fine": True}


def test_replies_in_any_order_reach_their_callers(stand_in):
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


def test_process_that_does_not_exit_is_killed(stand_in):
    client = stand_in("reply(sys.stdin.readline())\nimport signal\nwhile True: signal.pause()\n")
    client.call("a")
    assert client.close(grace=0.1) == -9
    assert client.close() == -9


def test_unknown_error_kind_raises_larder_error(stand_in):
    from larder import LarderError

    client = stand_in(
        "id = json.loads(sys.stdin.readline())['id']\n"
        "error = {'code': -31999, 'message': 'odd', 'data': {'kind': 'odd'}}\n"
        "print(json.dumps({'jsonrpc': '2.0', 'id': id, 'error': error}), flush=True)\n"
    )
    with pytest.raises(LarderError) as caught:
        client.call("a")
    assert type(caught.value) is LarderError and caught.value.kind == "odd" and caught.value.code == -31999


def test_error_without_an_id_is_assigned_to_the_largest_request(stand_in):
    """The server does not read the id of a request that is too long, so its error reply has none."""
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


def test_timed_out_request_is_cancelled(stand_in):
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


def test_long_request_is_written_while_output_is_read(stand_in):
    """Both pipes are full, and a single thread must read one and write to the other."""
    client = stand_in(
        "print(('{\"jsonrpc\":\"2.0\",\"method\":\"x/changed\",\"params\":{\"text\":\"' + 'y' * 400_000 + '\"}}'))\n"
        "sys.stdout.flush()\n"
        "for line in sys.stdin: reply(line, length=len(json.loads(line)['params']['text']))\n"
    )
    assert client.call("a", text="x" * 900_000) == {"length": 900_000}


# A preamble for scripts: `first` is true in the first process only.
FIRST = """
import os, pathlib, signal
mark = pathlib.Path(__file__ + ".started")
first = not mark.exists()
mark.touch()
"""


def test_process_is_replaced_after_a_partly_written_request(stand_in, home):
    client = stand_in(f"{FIRST}while first: signal.pause()\nfor line in sys.stdin: reply(line, pid=os.getpid())\n")
    eventually((home / "stand-in.started").exists, "the first process")
    with pytest.raises(NoReply):
        client.request("a", {"text": "x" * 900_000}, timeout=0.1)
    # The request is only partly written, so the process cannot accept another request.
    assert client.call("b")["pid"] == client.pid


def test_request_that_waits_for_a_blocked_write_has_its_own_timeout(stand_in):
    """The second request times out, although the request that blocks it has no timeout."""
    client = stand_in("import signal\nwhile True: signal.pause()\n")
    caught = {}

    def ask(method, timeout):
        try:
            client.request(method, {"text": "x" * 900_000}, timeout=timeout)
        except LarderError as error:
            caught[method] = type(error)

    long = threading.Thread(target=ask, args=("a", math.inf))
    long.start()
    eventually(lambda: client._channel.leader, "the long request is being written")
    short = threading.Thread(target=ask, args=("b", 0.1))
    short.start()
    try:
        assert eventually(lambda: caught, "the short timeout") == {"b": NoReply}
    finally:
        assert client.close(grace=0.1) == -9
        long.join()
        short.join()
    assert caught == {"a": LarderClosed, "b": NoReply}


def test_long_request_is_repeated_after_a_crash(stand_in):
    """If a process crashes while it reads a long request, the whole request is sent again to the next process."""
    client = stand_in(
        f"{FIRST}if first: sys.stdin.buffer.read(300_000); os.kill(os.getpid(), signal.SIGKILL)\n"
        "for line in sys.stdin: reply(line, length=len(json.loads(line)['params']['text']))\n"
    )
    assert client.call("a", text="x" * 900_000) == {"length": 900_000}
