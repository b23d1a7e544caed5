"""Signals at any moment. A termination signal ends the process without losing a reply, and a harmless one has no
effect.

A signal that kills the process leaves files that the next process can use.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess

import pytest

from harness import PATIENCE, binary, environment, request

ENDING = [signal.SIGTERM, signal.SIGINT]
# Signals that must not end the process: from the terminal, its children, a debugger, or a client that has disconnected.
PASSING = [signal.SIGPIPE, signal.SIGUSR1, signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH, signal.SIGCONT]
# SIGHUP reloads the catalog.
PASSING.append(signal.SIGHUP)
KILLING = [signal.SIGKILL, signal.SIGUSR2, signal.SIGALRM, signal.SIGQUIT, signal.SIGABRT, signal.SIGSEGV]


def name(value):
    return value.name if isinstance(value, signal.Signals) else None


def send(larder, number, times=1):
    for _ in range(times):
        larder.process.send_signal(number)


def no_core():
    """Prevents a core dump of the killed process."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Moment:
    """The state of the session when the signal arrives. Each function returns the ids that must be answered."""

    def nothing_was_asked(larder, upstream):
        # After this reply, the process has installed its signal handlers.
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
def test_termination_signal_loses_no_reply(larder, upstream, moment, number):
    larder.after = lambda: None
    asked = moment(larder, upstream)
    send(larder, number)
    larder.after()
    assert larder.process.wait(PATIENCE) == 0, larder.stderr()
    for id in asked:
        replies = larder.batch() if isinstance(id, list) else [larder.wait(id)]
        assert all("result" in reply for reply in replies), replies
    # A cut message causes an error or nothing, and only that may be left.
    assert all(json.loads(line)["error"]["code"] == -32700 for line in larder.left), larder.left


@pytest.mark.parametrize("number", PASSING, ids=name)
@pytest.mark.parametrize("moment", Moment.all(), ids=lambda moment: moment.__name__)
def test_harmless_signal_has_no_effect(larder, upstream, moment, number):
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
def test_killed_process_leaves_a_usable_cache_file(start, home, upstream, moment, number):
    larder = start(prepare=no_core, env={"SWIFT_BACKTRACE": "enable=no"})  # A backtrace would take long.
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
def test_stopped_and_continued_process_answers_everything(larder, upstream, moment):
    larder.after = lambda: None
    asked = moment(larder, upstream)
    for _ in range(10):
        send(larder, signal.SIGSTOP)
        send(larder, signal.SIGCONT)
    send(larder, signal.SIGSTOP)
    # Input and answers of the API that arrive while the process is stopped wait in the pipe and the socket.
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
def test_termination_signal_to_a_stopped_process_loses_no_reply(larder, upstream, number):
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
def test_signals_work_even_if_the_parent_ignored_or_blocked_them(start, number, how):
    """A process exits and wakes up even if it has inherited ignored or blocked signals from its parent."""

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
def test_termination_signal_during_the_start_ends_the_process(home, number):
    """A termination signal kills a process that has not installed its handlers yet. Later, the process exits with
    success."""
    moments = random.Random(20260731)
    for turn in range(20):
        command = [binary(), "--cache-dir", str(home / str(turn)), "--data-dir", str(home / "data"), "--offline"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(home)
        ) as process:
            process.stdin.write(request("server/status").encode() * 10)
            process.stdin.flush()
            # Read a part of the replies first. The rest of the start continues meanwhile.
            seen = os.read(process.stdout.fileno(), moments.choice([1, 100, 5000])) if turn % 2 else b""
            process.send_signal(number)
            rest, errors = process.communicate(timeout=PATIENCE)
            assert process.returncode in (0, -number), errors
            if process.returncode == 0:
                replies = [json.loads(line) for line in (seen + rest).splitlines()]
                assert all("result" in reply for reply in replies)


def test_flood_of_harmless_signals_has_no_effect(larder, upstream):
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
