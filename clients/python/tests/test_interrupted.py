"""Signal handlers during calls, dropped observers, forks and the exit of the interpreter."""

import gc
import os
import signal
import threading

import pytest

import larder
from harness import PATIENCE, eventually
from test_processes import program  # noqa: F401

FORKED = """
import larder, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of later versions, about forks beside threads
def in_child(do):
    child = os.fork()
    if child == 0:
        try:
            do()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
"""


@pytest.fixture
def handler():
    """handler(do): installs `do` as the handler of SIGALRM."""
    before = signal.getsignal(signal.SIGALRM)
    yield lambda do: signal.signal(signal.SIGALRM, lambda *_: do())
    signal.signal(signal.SIGALRM, before)


def interrupt_when(hold):
    def send():
        hold.wait()
        os.kill(os.getpid(), signal.SIGALRM)

    thread = threading.Thread(target=send)
    thread.start()
    return thread


@pytest.mark.parametrize("leads", [True, False], ids=["own thread leads", "another thread leads"])
def test_signal_handler_can_make_calls_while_its_thread_waits(client, upstream, handler, leads):
    client.location.get(1)
    hold = upstream.hold("/api/character/1")
    other = threading.Thread(target=lambda: client.character.get(1))
    if not leads:
        other.start()
        eventually(lambda: client._channel.leader, "the other thread leads")
    got = []

    def ask():
        got.append(client.location.get(1, timeout=PATIENCE).item["id"])
        hold.release()

    handler(ask)
    thread = interrupt_when(hold)
    assert client.character.get(1).item["id"] == 1 and got == [1]
    thread.join()
    if not leads:
        other.join()
    assert client.location.get(1).item["id"] == 1 and client._channel.leader is None


def test_signal_handler_can_close_the_client_while_its_thread_waits(client, upstream, handler):
    """The interrupted call cannot continue before the handler returns, so `close` does not wait for the call."""
    hold = upstream.hold("/api/character/1")
    codes = []
    handler(lambda: codes.append(client.close(grace=4 * PATIENCE)))
    thread = interrupt_when(hold)
    with pytest.raises(larder.LarderClosed, match="is closed"):
        client.character.get(1, timeout=2 * PATIENCE)
    assert codes == [0]
    hold.release()
    thread.join()


def test_calls_in_signal_handlers_never_hang(client, handler):
    """A call in a signal handler returns the item or raises an error. It never hangs."""
    client.character.get(1)
    outcomes, running, ended = [], [], []

    def again():
        if not ended:
            signal.setitimer(signal.ITIMER_REAL, 0.001)

    def ask():
        running.append(None)
        # The number of handlers is limited, because on a slow machine they may interrupt each other without end.
        if len(running) < 4:
            again()
        try:
            outcomes.append(client.character.get(1, timeout=PATIENCE).item["id"])
        except larder.NoReply:
            outcomes.append("no reply")
        except larder.LarderError as error:
            outcomes.append("interrupted" if "interrupted" in error.message else error.message)
        finally:
            running.pop()
            again()

    handler(ask)
    again()
    try:
        while outcomes.count(1) < 200:
            assert client.character.get(1).item["id"] == 1
    finally:
        ended.append(True)
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert set(outcomes) <= {1, "interrupted"}


def test_thread_that_holds_the_client_lock_can_close_but_not_call(client):
    client.character.get(1)
    with client._state:
        with pytest.raises(larder.LarderError, match="interrupted"):
            client.character.get(1)
    assert client.character.get(1).source == "memory"
    with client._state:
        assert client.close() == 0


def test_observer_and_pagination_continue_in_a_forked_child(program):  # noqa: F811
    done = program(
        FORKED
        + """
one = larder.Larder(["--offline", *places])
changes, dropped = one.character.observe(1), one.character.observe(2)
pages = one.character.pages(cache_policy="localOnly")
def child():
    try:
        changes.next(timeout=0.05)
    except larder.NoReply:
        print("observes again", flush=True)
    assert changes._watch.channel is one._channel and one.recents.list() == []
    try:
        next(pages)
    except larder.NotCached:
        print("paginates", flush=True)
    changes.close()
    dropped.close()
    one.close()
in_child(child)
try:
    changes.next(timeout=0.05)
except larder.NoReply:
    print("parent", one.close(), flush=True)
"""
    )
    assert done.stdout.splitlines() == ["observes again", "paginates", "parent 0"], done.stderr


def test_closing_an_observer_in_a_forked_child_starts_no_process(program):  # noqa: F811
    done = program(
        FORKED
        + """
one = larder.Larder(places)
changes = one.character.observe(1)
in_child(lambda: (changes.close(), print(one, flush=True)))
print(changes._closed, one.close())
"""
    )
    assert done.stdout.splitlines() == ["<larder, not started in this process>", "False 0"], done.stderr


def test_garbage_collected_observers_are_removed(client):
    def observers():
        return set(client._channel.listeners)

    for id in range(20):
        client.character.observe(id)
    kept = client.character.observe(1)
    gc.collect()
    client.status()
    assert observers() == {kept._name}
    client.character.get(1)
    assert kept.next(timeout=PATIENCE).item.item["id"] == 1


def test_garbage_collected_observers_are_unobserved_only_once(script):
    program = script(
        "seen = []\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['method'].endswith('/unobserve'): seen.append(message['params']['observer'])\n"
        "    reply(line, observer='x', seen=seen)\n"
    )
    with larder.Larder(binary=program) as client:
        changes = client.things.observe(1)
        name = changes._name
        assert client.call("a")["seen"] == []
        del changes
        gc.collect()
        assert client.call("a")["seen"] == [name] and client.call("a")["seen"] == [name]
        closed = client.things.observe(1)
        name = closed._name
        closed.close()
        del closed
        gc.collect()
        assert client.call("a")["seen"].count(name) == 1


@pytest.mark.parametrize(
    "text",
    [
        "one = larder.Larder(places)\n"
        "ask = lambda: one.recents.list()\n"
        "pid = lambda: one.pid\n",
        "import asyncio\n"
        "loop = asyncio.new_event_loop()\n"
        "one = larder.AsyncLarder(places)\n"
        "async def current(): return one.pid\n"
        "ask = lambda: loop.run_until_complete(one.recents.list())\n"
        "pid = lambda: loop.run_until_complete(current())\n",
    ],
    ids=["blocking", "asyncio"],
)
@pytest.mark.parametrize("answered", [False, True], ids=["before a reply", "after a reply"])
def test_terminal_interrupt_reaches_only_the_client(program, text, answered):  # noqa: F811
    """Ctrl-C reaches the whole process group. The larder process runs in its own group and must survive."""
    done = program(
        f"""
import larder, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
{text}
{"ask()" if answered else ""}
before = pid()
try:
    os.killpg(os.getpid(), signal.SIGINT)
    signal.pause()
except KeyboardInterrupt:
    pass
if {answered}:
    ask()
print(ask(), pid() == before and os.getpgid(before) != os.getpid())
""",
        start_new_session=True,
    )
    assert done.stdout == "[] True\n", done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "import threading\n"
        "one = larder.Larder(['--base-url', 'rickandmorty=' + url, *places], timeout=None)\n"
        "threading.Thread(target=lambda: one.character.get(1), daemon=True).start()\n"
        "while one._channel.leader is None: pass\n",
        "class Holder:\n    def __init__(self): self.one = larder.Larder(places)\n"
        "    def __del__(self): self.one.close()\n"
        "holder = Holder(); holder.one.status(); holder.self = holder\n",
    ],
    ids=["a daemon thread", "__del__"],
)
def test_interpreter_exit_raises_no_os_error(program, upstream, text):  # noqa: F811
    upstream.hold("/api/character/1")
    done = program(f"import larder\nurl = {upstream.url!r}\n{text}")
    assert done.returncode == 0 and "OSError" not in done.stderr and "Bad file" not in done.stderr
