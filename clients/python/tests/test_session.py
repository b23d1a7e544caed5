"""One process and its replies: matching, progress, malformed output and the exit. `cat` replaces larder."""

import io
import itertools
import json
import os
import pathlib
import signal
import subprocess
import types
from collections import deque

import pytest

import larder
from larder import process as processes
from larder.process import Process, Settings, deadline_after, has_passed, poll_seconds
from larder.session import CLOSED, DroppedObserver, ProcessEnded, Session, Waiter, request_limit, drain


class Recorder(Waiter):
    """A waiter that records its replies and events."""

    def __init__(self, size=0):
        self.size, self.finished, self.events = size, [], []

    def finish(self, result, error):
        self.finished.append((result, error))

    def notify(self, event):
        self.events.append(event)


@pytest.fixture
def session():
    """session(first=..., command=...): a session whose process is killed at the end of the test."""
    opened = []

    def session(first=True, command="cat", args=()):
        opened.append(Session(Settings(args, command, None, subprocess.DEVNULL), first))
        return opened[-1]

    yield session
    for one in opened:
        one.process.kill()
        one.process.wait(10)
        one.process.close_input()
        one.process.close_output()


def accept(session, *messages):
    session.accept([json.dumps(message).encode() for message in messages])


class TestReplies:
    def test_reply_reaches_only_the_request_with_its_id(self, session):
        one, first, second = session(), Recorder(), Recorder()
        one.pending.update({1: first, 2: second})
        accept(one, {"id": 2, "result": {"a": 1}}, {"id": 3, "result": 4}, {"id": "1", "result": 5})
        assert (first.finished, second.finished) == ([], [({"a": 1}, None)]) and [*one.pending] == [1]
        accept(one, {"id": 1, "error": {"code": -31003, "message": "no"}})
        [(result, error)] = first.finished
        assert result is None and type(error) is larder.NotFound and one.pending == {}

    def test_error_without_an_id_is_assigned_to_the_largest_request(self, session):
        one, waiters = session(), [Recorder(5), Recorder(9), Recorder(7)]
        accept(one, {"id": None, "error": {"code": -32700, "message": "no"}})
        one.pending.update(enumerate(waiters, 1))
        accept(one, {"id": None, "error": {"code": -32700, "message": "no"}})
        assert [len(waiter.finished) for waiter in waiters] == [0, 1, 0]
        assert one.process.code is None and Waiter.size == 0

    def test_handshake_reply_sets_the_resources_of_the_session(self, session):
        one = session()
        assert one.resources == []
        for greeting in ({"capabilities": {"resources": "text"}}, {"capabilities": []}, {}, None, [], "text"):
            one.resources = ["before"]
            accept(one, {"id": 0, "result": greeting})
            assert one.resources == []
        accept(one, {"id": 7, "result": {"capabilities": {"resources": ["other"]}}})
        assert one.resources == []
        accept(one, {"id": 0, "result": {"capabilities": {"resources": ["a", 1, "b"]}}})
        assert one.resources == ["a", "b"]

    def test_handshake_sends_the_parent_process_id(self):
        assert json.loads(Session.handshake()) == {
            "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"processId": os.getpid()}
        }  # fmt: skip

    def test_notifications_reach_only_their_observer(self, session):
        one, progress, changes = session(), Recorder(), Recorder()
        one.listeners.update({"p": progress, "c": changes})
        accept(
            one,
            {"method": "$/progress", "params": {"token": "p", "observer": "c", "value": {"kind": "begin"}}},
            {"method": "$/progress", "params": {"token": "p"}},
            {"method": "x/changed", "params": {"observer": "c", "token": "p", "gone": True}},
            {"method": "x/changed", "params": {"observer": "other"}},
            {"method": "x/changed", "params": {"observer": ["c"]}},
            {"method": "x/changed"},
        )
        assert progress.events == [{"kind": "begin"}, {}]
        assert changes.events == [{"observer": "c", "token": "p", "gone": True}]
        assert one.process.code is None

    @pytest.mark.parametrize("line", ["nonsense", "[]", '{"id": 1, "error": {}}', '{"method": "x", "params": [1]}'])
    def test_malformed_output_kills_the_process(self, session, line):
        one, waiter = session(), Recorder()
        one.pending[1] = waiter
        one.accept([b"", line.encode()])
        assert one.process.wait(10) == -9 and not one.is_restartable
        one.end()
        if waiter.finished:
            [(_, error)] = waiter.finished
            assert type(error) is ProcessEnded
            assert str(error).startswith("the larder process exited with code -9: it wrote an invalid message (")


class TestExit:
    def test_process_exit_fails_each_request_and_observer_once(self, session):
        one, waiters = session(), [Recorder(), Recorder(), Recorder()]
        one.pending[1], one.listeners["a"] = waiters[:2]
        one.process.close_input()
        one.end()
        assert one.ended == "the larder process exited with code 0"
        assert (one.pending, one.listeners) == ({}, {})
        one.pending[2] = waiters[2]
        one.end()
        for waiter in waiters:
            [(result, error)] = waiter.finished
            assert result is None and type(error) is ProcessEnded and str(error) == one.ended
        assert not one.process.abandon.alive

    def test_error_after_the_exit_has_the_first_abort_reason(self, session):
        one = session()
        one.abort("first reason")
        one.abort("second reason")
        one.exit_timeout = 10.0
        one.end()
        assert one.ended == "the larder process exited with code -9: first reason"

    def test_session_kills_a_process_that_does_not_exit(self, session):
        one = session()
        one.exit_timeout = 0.0
        one.end()
        assert one.ended == "the larder process exited with code -9"

    def test_calls_after_the_exit_raise_larder_closed_with_the_reason(self, session):
        one = session()
        assert (str(one.closed()), one.closed().exit_code) == (CLOSED, None)
        one.abort("first reason")
        one.exit_timeout = 10.0
        one.end()
        error = one.closed()
        assert type(error) is larder.LarderClosed
        assert (str(error), error.exit_code) == ("the larder process exited with code -9: first reason", -9)
        one.closing = True
        assert str(one.closed()) == CLOSED

    @pytest.mark.parametrize(
        "first, answered, closing, killed, expected",
        [
            (True, False, False, True, True), (False, False, False, True, False), (True, False, False, False, False),
            (False, True, False, False, True), (False, True, False, True, True), (True, True, True, True, False),
        ],
    )  # fmt: skip
    def test_crashed_process_is_restartable_after_a_reply_or_at_its_first_crash(
        self, session, first, answered, closing, killed, expected
    ):
        one = session(first)
        if answered:
            one.pending[1] = Recorder()
            accept(one, {"id": 1, "result": {}})
        one.closing = closing
        if killed:
            one.process.kill()
        one.process.close_input()
        assert one.process.wait(10) == (-9 if killed else 0)
        assert one.is_restartable is expected

    def test_handshake_reply_alone_does_not_make_a_process_restartable(self, session):
        one = session()
        assert not one.is_restartable
        accept(one, {"id": 0, "result": {}})
        assert not one.is_restartable, "the handshake reply does not count"


class TestDroppedObservers:
    def test_only_dropped_observers_of_the_session_are_unobserved(self, session):
        one, other, ids = session(), session(), itertools.count(7)
        marks = [DroppedObserver(name) for name in ("thing", "other", "third", "fourth")]
        for mark, owner, name in zip(marks, (one, other, one, None), "abcd"):
            mark.session, mark.name = owner, name
        one.listeners.update({"a": Recorder(), "b": Recorder()})
        assert [json.loads(line) for line in one.unobserve(marks, ids).splitlines()] == [
            {"jsonrpc": "2.0", "id": 7, "method": "thing/unobserve", "params": {"observer": "a"}}
        ]
        assert [*one.listeners] == ["b"] and next(ids) == 8

    def test_function_drain_removes_and_returns_all_dropped_observers(self):
        marks = [DroppedObserver("a"), DroppedObserver("b")]
        left = deque(marks)
        assert drain(left) == marks and not left and drain(left) == []
        assert (marks[0].session, marks[0].name, marks[0].method) == (None, "", "a/unobserve")


@pytest.mark.parametrize(
    "method, params, expected",
    [
        ("initialize", None, True), ("initialized", None, False), ("recents/add", {}, True), ("x/add", {}, False),
        ("rpc.discover", None, True), ("x/search", {}, True), ("x.y/search", {}, True), ("x/searches", {}, False),
        ("search", {}, False), ("x/get", None, False), ("x/get", {"cachePolicy": "localOnly"}, True),
        ("x/get", {"cachePolicy": "none"}, False),
    ],
)  # fmt: skip
def test_handshake_reply_sets_the_local_methods_of_the_session(session, method, params, expected):
    one = session()
    by_policy = (params or {}).get("cachePolicy") == "localOnly"
    assert one.is_local(method, params) is by_policy
    local = ["*/search", "initialize", "recents/add", "rpc.discover", 1]
    accept(one, {"id": 0, "result": {"capabilities": {"localMethods": local}}})
    assert one.is_local(method, params) is expected


@pytest.mark.parametrize(
    "args, asked, limit",
    [
        ([], None, 1000), ([], 1, 1), ([], 5000, 5000), (["--max-in-flight", "200"], None, 176),
        (["--max-in-flight=184"], None, 161), (["--max-in-flight", "0"], None, 1), (["--max-in-flight=7"], None, 7),
        (["--max-in-flight", "9", "--max-in-flight=800"], None, 776),
    ],
)  # fmt: skip
def test_default_request_limit_follows_the_option_max_in_flight(args, asked, limit):
    assert request_limit(args, asked) == limit


def test_dir_of_a_client_lists_only_resources_with_valid_python_names(script):
    program = script(
        "reply(handshake, capabilities={'resources': ['thing', 'odd-thing', 'class']})\n"
        "for line in sys.stdin: reply(line)\n"
    )
    with larder.Larder(binary=program) as client:
        client.call("a")
        assert {"thing", "class", "close"} <= set(dir(client)) and "odd-thing" not in dir(client)
        assert dir(client) == sorted(dir(client))


class TestProcess:
    @pytest.fixture
    def start(self):
        """start(script, log, ...): a process of a shell script that replaces larder."""
        started = []

        def start(script, log=subprocess.DEVNULL, **options):
            started.append(Process(Settings(["-c", script], "/bin/sh", options.get("env"), log)))
            return started[-1]

        yield start
        for one in started:
            one.kill()
            one.wait(10)
            one.close_input()
            one.close_output()

    def test_process_settings_copy_their_arguments(self):
        settings = Settings([pathlib.Path("/a"), "b"], None, {}, None)
        assert (settings.args, settings.env, settings.binary, settings.log) == (["/a", "b"], None, None, None)
        env = {"A": "1"}
        assert Settings([], None, env, None).env == env and Settings([], None, env, None).env is not env
        for wrong in ("--offline", b"--offline", pathlib.Path("a")):
            with pytest.raises(TypeError, match="args must be a list"):
                Settings(wrong, None, None, None)

    def test_process_has_non_blocking_pipes_and_its_own_session(self, start):
        one = start("read line; exit 3")
        assert one.code is None and not os.get_blocking(one.input) and not os.get_blocking(one.output)
        assert os.getsid(one.pid) == one.pid, "signals of this terminal do not reach the process"
        one.close_input()
        one.close_input()
        assert one.wait(10) == 3 == one.code

    def test_env_argument_is_added_to_the_environment(self, start, monkeypatch):
        monkeypatch.setenv("FIRST", "1")
        log = io.StringIO()
        for env in (None, {"SECOND": "2"}):
            assert start('echo "$FIRST$SECOND" >&2', log, env=env).wait(10) == 0
        assert log.getvalue() == "1\n12\n"

    def test_process_that_does_not_exit_in_time_is_killed_by_wait(self, start):
        assert start("read line").wait(0.01) == -signal.SIGKILL
        assert start("exit 2").wait(10) == 2
        assert start("read line").wait(-1) == -signal.SIGKILL

    def test_process_keeps_the_last_log_lines(self, start, monkeypatch):
        log = io.StringIO()
        monkeypatch.setattr(processes.sys, "stderr", log)
        one = start("for n in $(seq 25); do echo line $n >&2; done; printf 'rest \\377' >&2", None)
        one.wait(10)
        assert one.last_log_lines == "\n".join([*(f"line {number}" for number in range(7, 26)), "rest \ufffd"])
        assert log.getvalue() == "".join(f"line {number}\n" for number in range(1, 26)) + "rest \ufffd\n"

    def test_log_line_received_in_pieces_is_forwarded_whole(self, start):
        class Log(io.StringIO):
            flushed = 0

            def flush(self):
                self.flushed += 1

        log = Log()
        one = start("printf 'fir' >&2; read line; printf 'st\\nsec' >&2; read line; printf 'ond' >&2", log)
        for _ in range(2):
            os.write(one.input, b"\n")
        assert one.wait(10) == 0
        assert log.getvalue() == "first\nsecond\n" and log.flushed == 2

    def test_log_lines_are_dropped_if_there_is_no_stderr(self, start, monkeypatch):
        monkeypatch.setattr(processes.sys, "stderr", None)
        one = start("echo here >&2", None)
        assert one.wait(10) == 0 and one.last_log_lines == "here"

    def test_abandoned_process_is_killed_only_if_it_does_not_exit(self, start):
        quick = start("read line; exit 5")
        quick.abandon()
        assert quick.code == 5
        stubborn = start("kill -STOP $$")
        stubborn.abandon()
        assert stubborn.code == -signal.SIGKILL

    def test_forked_child_does_not_end_the_process_of_its_parent(self, start):
        one = start("read line; exit 5")
        processes._end_quickly(one._child, os.getpid() + 1)
        assert one.code is None
        one.close_input()
        assert one.wait(10) == 5
        processes._end_quickly(one._child, os.getpid())

    def test_process_detached_in_a_forked_child_keeps_running(self, start):
        one = start("kill -STOP $$")
        one.detach_after_fork()
        assert one.code == 0 and not one.abandon.alive and one._child.stdin.closed and one._child.stdout.closed
        os.kill(one.pid, signal.SIGKILL)
        assert os.waitpid(one.pid, 0)[1] == signal.SIGKILL


class TestProgram:
    def test_program_is_found_by_argument_variable_wheel_or_path(self, home, monkeypatch):
        for name in ("named", "variable", "path", "bundled"):
            (home / name).mkdir()
            (home / name / "larder").write_text("#!/bin/sh\n")
            (home / name / "larder").chmod(0o755)
        places = {name: str(home / name / "larder") for name in ("named", "variable", "path", "bundled")}
        monkeypatch.setenv("LARDER_BIN", places["variable"])
        monkeypatch.setenv("PATH", str(home / "path"))
        monkeypatch.setattr(processes, "_bundled", lambda: places["bundled"])
        assert processes.find_binary(home / "named" / "larder") == places["named"]
        assert processes.find_binary(None) == places["variable"]
        monkeypatch.delenv("LARDER_BIN")
        assert processes.find_binary(None) == places["bundled"]
        monkeypatch.setattr(processes, "_bundled", lambda: None)
        assert processes.find_binary(None) == places["path"]
        with pytest.raises(larder.BinaryNotFound, match="none' is not an executable program"):
            processes.find_binary(home / "none")
        monkeypatch.setenv("PATH", str(home))
        with pytest.raises(larder.BinaryNotFound, match="larder is not on PATH"):
            processes.find_binary("")

    @pytest.mark.parametrize("packages", ["lib/python3/site-packages", "."], ids=["environment", "target"])
    def test_program_of_the_wheel_is_found(self, home, monkeypatch, packages):
        module = home / packages / "larder" / "process.py"
        module.parent.mkdir(parents=True)
        monkeypatch.setattr(processes, "__file__", str(module))
        assert processes._bundled() is None
        (home / "bin").mkdir()
        (home / "bin" / "larder").write_text("#!/bin/sh\n")
        assert processes._bundled() is None, "the file is not executable"
        (home / "bin" / "larder").chmod(0o755)
        assert os.path.samefile(processes._bundled(), home / "bin" / "larder")

    def test_binary_not_found_has_the_error_message_of_the_system(self, home):
        program = home / "program"
        program.write_bytes(b"\x7fELF")
        program.chmod(0o755)
        with pytest.raises(larder.BinaryNotFound, match=f"^cannot start '{program}': Exec format error; name another"):
            Process(Settings([], program, None, None))


class TestDeadlines:
    @pytest.fixture(autouse=True)
    def now(self, monkeypatch):
        monkeypatch.setattr(processes, "time", types.SimpleNamespace(monotonic=lambda: 100.0))

    def test_deadline_is_the_current_time_plus_the_timeout(self):
        assert (deadline_after(None), deadline_after(float("inf")), deadline_after(1e6 + 1)) == (None, None, None)
        assert (deadline_after(5), deadline_after(0), deadline_after(1e6)) == (105, 100, 1e6 + 100)

    def test_deadline_has_passed_at_its_exact_time(self):
        assert [has_passed(deadline) for deadline in (None, 100.5, 100.0, 99.5)] == [False, False, True, True]

    def test_poll_interval_is_at_most_one_second_and_ends_at_the_deadline(self):
        assert [poll_seconds(deadline) for deadline in (None, 200.0, 100.25, 100.0, 50.0)] == [1.0, 1.0, 0.25, 0.0, 0.0]
