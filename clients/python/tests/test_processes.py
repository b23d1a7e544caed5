"""Larder processes exit with their clients, and forked Python processes do not share one."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading

import pytest

import larder
from harness import binary, environment, eventually

SRC = os.path.dirname(os.path.dirname(larder.__file__))


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture
def program(home, places):
    """program(text): runs a Python program in which `places` is defined; returns the completed process."""

    def program(text, **options):
        source = f"import os, sys\nplaces = {places!r}\n{textwrap.dedent(text)}"
        env = environment(home, {"PYTHONPATH": SRC, "LARDER_BIN": binary()})
        command = [sys.executable, "-W", "error", "-c", source]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, **options)

    return program


@pytest.mark.parametrize(
    "text",
    [
        "import larder; one = larder.Larder(places); print(one.status()['pid'])",
        "import larder; one = larder.Larder(places); print(one.pid, flush=True); raise SystemExit(1)",
        "import larder; one = larder.Larder(places); print(one.pid, flush=True); os._exit(0)",
        "import larder; one = larder.Larder(places); print(one.pid, flush=True); os.kill(os.getpid(), 9)",
        "import asyncio, larder\n"
        "async def main():\n    one = larder.AsyncLarder(places); print((await one.status())['pid'])\n"
        "asyncio.run(main())",
    ],
    ids=["forgotten", "SystemExit", "_exit", "killed", "asyncio"],
)
def test_process_exits_after_a_script_that_does_not_close_the_client(program, text):
    done = program(text)
    assert done.stdout, done.stderr
    eventually(lambda: gone(int(done.stdout)), "the exit of the process")
    assert done.stderr == ""


def test_process_exits_when_its_script_is_killed_during_a_request(program, upstream):
    hold = upstream.hold("/api/character/1")
    done = program(
        f"""
        import larder, threading
        one = larder.Larder(["--drain", "10m", "--base-url", "rickandmorty={upstream.url}", *places], timeout=None)
        print(one.pid, flush=True)
        threading.Thread(target=lambda: one.character.get(1), daemon=True).start()
        while one._channel.leader is None: pass
        os.kill(os.getpid(), 9)
        """
    )
    eventually(lambda: gone(int(done.stdout)), "the exit of the process")
    hold.release()


def test_garbage_collected_client_ends_its_process(options):
    one = larder.Larder(**options())
    pid = one.pid
    del one
    gc.collect()
    assert gone(pid)


def test_fork_gives_parent_and_child_their_own_process(program):
    done = program(
        """
        import larder, warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # of later versions, about forks beside threads
        one = larder.Larder(places)
        one.recents.add("parent")
        child = os.fork()
        if child == 0:
            print(one.recents.list(), one.pid, flush=True)
            os._exit(one.close())
        assert os.waitpid(child, 0)[1] == 0
        print(one.recents.list(), one.pid, one.close())
        """
    )
    assert done.returncode == 0, done.stderr
    child, parent = (line.split() for line in done.stdout.splitlines())
    assert child[0] == parent[0] == "['parent']" and child[1] != parent[1] and parent[2] == "0"


def test_forked_child_does_not_keep_the_process_of_the_parent_alive(program):
    """The child must close its copies of the pipes. Otherwise the larder process would not notice that the parent has
    closed its own."""
    done = program(
        """
        import larder, signal
        one = larder.Larder(places)
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(writes)
            os.read(reads, 1)
            os._exit(0)
        os.close(reads)
        print(one.close(grace=30))
        os.close(writes)
        os.waitpid(child, 0)
        """
    )
    assert done.stdout == "0\n", done.stderr


def test_second_crash_before_a_reply_closes_the_client(home):
    """A process that crashes before its first reply is restarted only once."""
    starts = home / "starts"
    program = home / "crashing"
    program.write_text(f"#!/bin/sh\necho x >>'{starts}'\nread line\nread line\nkill -9 $$\n")
    program.chmod(0o755)
    with larder.Larder(binary=program) as client:
        for _ in range(3):
            with pytest.raises(larder.LarderClosed, match="code -9"):
                client.character.get(1)
    assert starts.read_text() == "x\nx\n"


@pytest.fixture
def interruptible():
    """Enables KeyboardInterrupt, because a background job of a shell inherits an ignored SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_keyboard_interrupt_ends_the_call_but_not_the_process(open_larder, upstream, interruptible):
    hold = upstream.hold("/api/character/1")
    client = open_larder()
    client.recents.list()
    def interrupt():
        hold.wait()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    pid = client.pid
    with pytest.raises(KeyboardInterrupt):
        client.character.get(1)
    thread.join()
    assert client.recents.list() == [] and client.pid == pid
    hold.release()
