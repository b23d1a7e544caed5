"""Signals at any moment. One that asks to end is obeyed and no answer is lost, one that does not is passed over,
and one that kills leaves files that the next process can use."""

import json
import os
import random
import signal
import sqlite3
import subprocess

import pytest

from harness import PATIENCE, binary, environment, request

ENDING = [signal.SIGTERM, signal.SIGINT]
# What a process gets in passing: from its terminal, its children, its debugger, a client that has left.
PASSING = [signal.SIGPIPE, signal.SIGUSR1, signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH, signal.SIGCONT]
# What asks for the catalog to be loaded anew.
PASSING.append(signal.SIGHUP)
KILLING = [signal.SIGKILL, signal.SIGUSR2, signal.SIGALRM, signal.SIGQUIT, signal.SIGABRT, signal.SIGSEGV]


def name(value):
    return value.name if isinstance(value, signal.Signals) else None


def send(larder, number, times=1):
    for _ in range(times):
        larder.process.send_signal(number)


def no_core():
    """A process that is to be killed leaves no image of itself behind."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Moment:
    """When a signal comes: what was written before, and the ids that must be answered."""

    def nothing_was_asked(larder, upstream):
        # It has begun to read, so that it has said what it does with signals.
        larder.alive()
        return []

    def all_is_answered(larder, upstream):
        larder.call("character/get", id=1)
        return []

    def a_message_is_half_there(larder, upstream):
        larder.call("character/get", id=1)
        larder.write(request("character/get", {"id": 2}, "half")[:30])
        return []

    def requests_wait_on_the_api(larder, upstream):
        hold = upstream.hold("/api/character")
        asked = [larder.send("character/get", {"id": n}) for n in range(1, 6)]
        hold.wait(5)
        larder.after = hold.release
        return asked

    def a_batch_waits_on_the_api(larder, upstream):
        hold = upstream.hold("/api/character")
        larder.write(json.dumps([json.loads(request("character/get", {"id": n}, n)) for n in (1, 2, 3)]) + "\n")
        hold.wait(3)
        larder.after = hold.release
        return [[1, 2, 3]]

    def a_list_is_fetched_ahead(larder, upstream):
        hold = upstream.hold("/api/character?page=2")
        asked = larder.send("character/prefetch", {"maxPages": 3})
        hold.wait()
        larder.after = hold.release
        return [asked]

    def much_is_written(larder, upstream):
        asked = [larder.send("recents/add", {"text": str(n)}) for n in range(50)]
        larder.wait(asked[-1])
        return asked[:-1]

    def all():
        return [value for key, value in vars(Moment).items() if not key.startswith("_") and key != "all"]


@pytest.mark.parametrize("number", ENDING, ids=name)
@pytest.mark.parametrize("moment", Moment.all(), ids=lambda moment: moment.__name__)
def test_one_that_asks_to_end(larder, upstream, moment, number):
    larder.after = lambda: None
    asked = moment(larder, upstream)
    send(larder, number)
    larder.after()
    assert larder.process.wait(PATIENCE) == 0, larder.stderr()
    for id in asked:
        replies = larder.batch() if isinstance(id, list) else [larder.wait(id)]
        assert all("result" in reply for reply in replies), replies
    # A message that was cut off is told of or passed over, and is all that may be left.
    assert all(json.loads(line)["error"]["code"] == -32700 for line in larder.left), larder.left


@pytest.mark.parametrize("number", PASSING, ids=name)
@pytest.mark.parametrize("moment", Moment.all(), ids=lambda moment: moment.__name__)
def test_one_that_passes(larder, upstream, moment, number):
    larder.after = lambda: None
    asked = moment(larder, upstream)
    if moment is Moment.a_message_is_half_there:
        send(larder, number, times=20)
        larder.write(request("character/get", {"id": 2}, "half")[30:])
        asked = ["half"]
    send(larder, number, times=20)
    larder.after()
    for id in asked:
        replies = larder.batch() if isinstance(id, list) else [larder.wait(id)]
        assert all("result" in reply for reply in replies), replies
    larder.alive()
    larder.end_input()
    assert larder.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("number", KILLING, ids=name)
@pytest.mark.parametrize("moment", Moment.all(), ids=lambda moment: moment.__name__)
def test_one_that_kills(start, home, upstream, moment, number):
    larder = start(prepare=no_core, env={"SWIFT_BACKTRACE": "enable=no"})  # To look at the dead one takes long.
    assert larder.call("recents/add", text="kept") == {"recents": ["kept"]}
    larder.after = lambda: None
    moment(larder, upstream)
    send(larder, number)
    assert larder.process.wait(PATIENCE) == -number
    larder.after()
    upstream.reset()
    again = start()
    assert again.call("character/get", id=1)["item"]["id"] == 1
    assert "kept" in again.call("recents/list")["recents"] or moment is Moment.much_is_written
    assert again.call("server/status")["degraded"] == []
    again.close()
    for file in (home / "cache" / "cache.sqlite", home / "data" / "recents.sqlite"):
        with sqlite3.connect(file) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()


@pytest.mark.parametrize("moment", Moment.all(), ids=lambda moment: moment.__name__)
def test_a_process_that_is_stopped_and_goes_on(larder, upstream, moment):
    larder.after = lambda: None
    asked = moment(larder, upstream)
    for _ in range(10):
        send(larder, signal.SIGSTOP)
        send(larder, signal.SIGCONT)
    send(larder, signal.SIGSTOP)
    # What comes while it stands waits in the pipe, and so does the API's answer.
    if moment is Moment.a_message_is_half_there:
        larder.write(request("character/get", {"id": 2}, "half")[30:])
        asked = ["half"]
    later = larder.send("character/get", {"id": 7})
    larder.after()
    send(larder, signal.SIGCONT)
    for id in [*asked, later]:
        replies = larder.batch() if isinstance(id, list) else [larder.wait(id)]
        assert all("result" in reply for reply in replies), replies
    larder.alive()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=name)
def test_one_that_comes_while_it_stands(larder, upstream, number):
    hold = upstream.hold("/api/character/1")
    asked = larder.send("character/get", {"id": 1})
    hold.wait()
    send(larder, signal.SIGSTOP)
    send(larder, number)
    hold.release()
    send(larder, signal.SIGCONT)
    assert larder.wait(asked)["result"]["item"]["id"] == 1
    assert larder.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1], ids=name)
@pytest.mark.parametrize("how", ["ignored", "blocked"])
def test_what_a_parent_has_ignored_or_blocked(start, number, how):
    """A parent leaves its own ways with signals to its children: the process must still end, and still be woken."""

    def prepare():
        if how == "ignored":
            signal.signal(number, signal.SIG_IGN)
        else:
            signal.pthread_sigmask(signal.SIG_BLOCK, [number])

    larder = start(prepare=prepare)
    assert larder.call("character/get", id=1)["item"]["id"] == 1
    send(larder, signal.SIGTERM)
    assert larder.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("number", ENDING, ids=name)
def test_one_that_comes_at_any_moment_of_the_start(home, number):
    """Before it has said what it does with signals, it dies of them; afterwards it ends well. Never anything else."""
    moments = random.Random(20260731)
    for turn in range(20):
        command = [binary(), "--cache-dir", str(home / str(turn)), "--data-dir", str(home / "data"), "--offline"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(home)
        ) as process:
            process.stdin.write(request("server/status").encode() * 10)
            process.stdin.flush()
            # So much of the replies is read first: the rest of the start runs on by itself.
            seen = os.read(process.stdout.fileno(), moments.choice([1, 100, 5000])) if turn % 2 else b""
            process.send_signal(number)
            rest, errors = process.communicate(timeout=PATIENCE)
            assert process.returncode in (0, -number), errors
            if process.returncode == 0:
                replies = [json.loads(line) for line in (seen + rest).splitlines()]
                assert all("result" in reply for reply in replies)


def test_a_storm_of_signals_that_pass(larder, upstream):
    larder.alive()
    hold = upstream.hold("/api/character")
    asked = [larder.send("character/get", {"id": n}) for n in range(1, 21)]
    for turn in range(2000):
        send(larder, PASSING[turn % len(PASSING)])
        if turn == 1000:
            hold.release()
    for id in asked:
        assert "result" in larder.wait(id)
    larder.alive()
    send(larder, signal.SIGTERM)
    assert larder.process.wait(PATIENCE) == 0
