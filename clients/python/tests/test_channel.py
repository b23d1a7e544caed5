"""Threads that share one process: leading, parking, writing and interruptions. `cat` stands in for larder."""

import itertools
import os
import select
import signal
import subprocess
import threading
import time
from collections import deque

import pytest

import larder
from harness import eventually
from larder import wire
from larder.caller import Caller
from larder.channel import Channel
from larder.process import Settings
from larder.session import Abandoned, ProcessEnded, Waiter


class Other(Waiter):
    """A waiter that is no thread's."""


@pytest.fixture
def make():
    """make(command): a channel to this program, which is killed at the end of the test."""
    made = []

    def make(*command):
        state = threading.RLock()
        program, *args = command or ("cat",)
        freed = threading.Condition(state)
        made.append(Channel(Settings(args, program, None, subprocess.DEVNULL), True, freed, state))
        return made[-1]

    yield make
    for one in made:
        one.process.kill()
        one.process.wait(10)
        one.process.close_input()
        one.process.close_output()


@pytest.fixture
def channel(make):
    """Each line that is written to it comes back."""
    return make()


def in_thread(do):
    """What `do` returns in another thread."""
    found = []
    thread = threading.Thread(target=lambda: found.append(do()))
    thread.start()
    thread.join()
    return found[0]


class TestCaller:
    def test_it_is_ready_once_there_is_something(self):
        state = threading.RLock()
        finished, told, idle = Caller(state), Caller(state), Caller(state)
        finished.finish({"a": 1}, None)
        told.tell({"b": 2})
        assert (finished.ready, told.ready, idle.ready) == (True, True, False)
        assert (finished.done, finished.result, finished.error) == (True, {"a": 1}, None)
        assert (told.done, [*told.events], [*idle.events]) == (False, [{"b": 2}], [])
        assert idle.thread == threading.get_ident()

    def test_the_newest_events_are_kept(self):
        caller = Caller(threading.RLock())
        for number in range(1002):
            caller.tell({"n": number})
        assert [event["n"] for event in caller.events] == [*range(2, 1002)]

    def test_a_parked_caller_is_woken_once(self):
        caller = Caller(threading.RLock())
        caller.ring()
        for wake in (lambda: caller.tell({}), lambda: caller.finish(None, None), caller.ring):
            caller.park()
            assert caller.parked and caller.bell.locked()
            wake()
            assert not caller.parked and not caller.bell.locked()
            caller.ring()

    def test_a_forked_process_disowns_it(self):
        caller, state = Caller(threading.RLock()), threading.RLock()
        caller.tell({})
        caller.disown(state)
        assert caller._state is state and not caller.events and caller.done
        assert type(caller.error) is ProcessEnded


class TestInterruptions:
    def test_whose_turn_it_is(self, channel):
        assert not channel.is_mine and not channel.is_torn
        channel.leader, channel._leading = object(), threading.get_ident()
        assert channel.is_mine and not in_thread(lambda: channel.is_mine)
        channel._taking = True
        assert not channel.is_mine and channel.is_torn
        assert not in_thread(lambda: channel.is_torn)
        with pytest.raises(larder.LarderError, match="interrupted"):
            channel.refuse_if_torn()
        in_thread(channel.refuse_if_torn)
        channel._taking = False
        channel.refuse_if_torn()
        with channel._state:
            assert channel.is_torn and not in_thread(lambda: channel.is_torn)
            with pytest.raises(larder.LarderError, match="interrupted"):
                channel.refuse_if_torn()

    def test_calls_of_this_thread_end(self, channel, monkeypatch):
        cancelled = []
        monkeypatch.setattr(channel, "cancel", cancelled.append)
        mine, other = Caller(channel._state), in_thread(lambda: Caller(channel._state))
        channel.pending.update({1: mine, 2: other, 3: Other()})
        channel.leave_calls_below()
        assert [*channel.pending] == [2, 3] and cancelled == [1] and not other.done
        assert mine.done and str(mine.error) == "this larder is closed"

    def test_a_forked_process_disowns_all(self, channel):
        pending, listening, state = Caller(channel._state), Caller(channel._state), threading.RLock()
        channel.pending.update({1: pending, 2: Other()})
        channel.listeners.update({"a": listening, "b": Other()})
        channel.leader, channel._taking, channel._half, channel.parked = pending, True, True, {pending: None}
        writing = channel.writing
        channel.disown(state)
        assert (channel.pending, channel.listeners, channel.parked) == ({}, {}, {})
        assert (channel.leader, channel._taking, channel._half) == (None, False, False)
        assert channel.closing and channel.ended == "the larder process is the parent's"
        assert pending.done and listening.done and pending._state is state and channel.writing is not writing
        with state:
            assert channel._locked()

    def test_a_signal_handler_does_not_write_into_a_long_request(self, script, home):
        """It is refused. The cancellation of its own request must not be written either."""
        os.mkfifo(home / "gate")
        program = script(
            f"open({str(home / 'gate')!r}).close()\n"
            "for line in sys.stdin:\n"
            "    message = json.loads(line)\n"
            "    reply(line, method=message['method'], length=len(message['params']['text']))\n"
        )
        caught = []

        def ask(*_):
            for _ in range(2):
                try:
                    client.call("b", text="")
                except larder.LarderError as error:
                    caught.append(error.message)
            os.close(os.open(home / "gate", os.O_WRONLY))

        def interrupt():
            eventually(lambda: client._channel._half and client._channel.leader, "the long request")
            os.kill(os.getpid(), signal.SIGALRM)

        before = signal.signal(signal.SIGALRM, ask)
        try:
            with larder.Larder(binary=program) as client:
                thread = threading.Thread(target=interrupt)
                thread.start()
                assert client.call("a", text="x" * 900_000) == {"method": "a", "length": 900_000}
                thread.join()
                assert client.call("c", text="") == {"method": "c", "length": 0}
        finally:
            signal.signal(signal.SIGALRM, before)
        assert len(caught) == 2 and all("interrupted half-way" in message for message in caught)


class TestReading:
    def test_a_caller_reads_its_own_reply(self, channel):
        caller = Caller(channel._state)
        channel.pending[1] = caller
        channel.write(b'{"id":1,"result":2}\n', None)
        assert channel.wait(caller, None) and caller.result == 2 and channel.leader is None
        assert channel.wait(caller, None), "at once"

    def test_the_time_is_over(self, channel):
        caller = Caller(channel._state)
        assert channel.wait(caller, time.monotonic() + 0.02) is False
        assert channel.leader is None and channel.parked == {}

    def test_the_time_of_a_parked_caller_is_over(self, channel):
        caller, leader = Caller(channel._state), object()
        channel.leader, channel._leading = leader, 0
        assert channel.wait(caller, time.monotonic() + 0.02) is False
        assert channel.leader is leader and channel.parked == {} and not caller.parked

    def test_a_reply_that_comes_just_before_the_lock(self, channel):
        class Late(Caller):
            asked = 0

            @property
            def ready(self):
                self.asked += 1
                return self.asked > 1

        assert channel.wait(Late(channel._state), time.monotonic()) is True and channel.leader is None

    def test_an_interrupted_leader_is_read_for(self, channel):
        """In a signal handler of the leading thread, which keeps the lead."""
        caller, below = Caller(channel._state), object()
        channel.leader, channel._leading = below, threading.get_ident()
        channel.pending[1] = caller
        channel.write(b'{"id":1,"result":2}\n', None)
        assert channel.wait(caller, None) and caller.result == 2 and channel.leader is below

    def test_the_lead_is_handed_to_a_parked_caller(self, channel):
        first, second, leader = Caller(channel._state), Caller(channel._state), object()
        channel.leader = leader
        for caller in (first, second):
            caller.park()
            channel.parked[caller] = None
        channel._hand_over(object())
        assert channel.leader is leader and first.parked and second.parked
        channel._hand_over(leader)
        assert channel.leader is None and first.parked and not second.parked
        assert [*channel.parked] == [first] and not second.bell.locked()

    def test_callers_that_no_longer_wait_are_passed_over(self, channel):
        first, gone = Caller(channel._state), Caller(channel._state)
        first.park()
        channel.parked.update({first: None, gone: None})
        channel._hand_over(object())
        assert not first.parked and channel.parked == {}

    def test_whether_a_caller_was_woken(self, channel):
        caller = Caller(channel._state)
        for wake, expected in ((caller.ring, True), (lambda: None, False)):
            caller.park()
            channel.parked[caller] = None
            wake()
            assert channel._leave(caller) is expected and not caller.parked and channel.parked == {}

    def test_what_another_one_has_read_is_no_end(self, channel):
        channel._read()
        assert channel.ended is None and channel._taking is False

    def test_the_end_wakes_those_who_wait_for_room(self, channel):
        woken = []
        channel._freed = type("Freed", (), {"notify_all": lambda self: woken.append(channel._locked())})()
        caller = Caller(channel._state)
        channel.listeners["end"] = caller
        channel.process.close_input()
        assert channel.wait(caller, None) and woken == [True]
        assert channel.ended == "the larder process ended with code 0" and channel.process._child.stdout.closed
        channel._read()
        assert channel._data() == b"", "its end is closed"

    def test_an_interrupted_read_ends_the_process(self, channel, monkeypatch):
        def fail(lines):
            raise KeyboardInterrupt

        monkeypatch.setattr(channel, "accept", fail)
        channel.write(b"a\n", None)
        with pytest.raises(KeyboardInterrupt):
            channel.wait(Caller(channel._state), None)
        assert channel.leader is None and channel._taking is False
        assert channel.process.wait(10) == -9 and channel._broken == "was interrupted, and ended"


class TestWriting:
    def test_nothing_is_written_after_the_end(self, channel):
        for name, value in (("closing", True), ("ended", "gone")):
            setattr(channel, name, value)
            with pytest.raises(ProcessEnded, match="the process is gone"):
                channel.write(b"a\n", None)
            setattr(channel, name, None)
        assert not select.select([channel.process.output], [], [], 0)[0]

    def test_a_lock_that_is_not_free_in_time(self, channel):
        free, taken = threading.Event(), threading.Event()

        def hold():
            with channel.writing:
                taken.set()
                free.wait()

        thread = threading.Thread(target=hold)
        thread.start()
        taken.wait()
        try:
            for leading in (0, threading.get_ident()):
                channel.leader, channel._leading = object(), leading
                for deadline in (time.monotonic() - 1, time.monotonic() + 0.02):
                    with pytest.raises(larder.NoReply, match="another request was not taken in time"):
                        channel.write(b"a\n", deadline)
            # What interrupted the leader reads while it waits for the lock.
            reply = Caller(channel._state)
            channel.pending[1] = reply
            os.write(channel.process.input, b'{"id":1,"result":2}\n')
            monotonic = time.monotonic()
            while not reply.done:
                with pytest.raises(larder.NoReply):
                    channel.write(b"a\n", monotonic + 0.15)
                monotonic = time.monotonic()
            assert reply.result == 2
        finally:
            free.set()
            thread.join()

    def test_a_request_that_is_not_taken_at_all(self, make):
        """Nothing of it is written, so that the process may be asked on."""
        channel = make("/bin/sh", "-c", "kill -STOP $$")
        with pytest.raises(BlockingIOError):
            while True:
                os.write(channel.process.input, b" " * select.PIPE_BUF)
        with pytest.raises(larder.NoReply, match="did not take the request in time"):
            channel.write(b"a\n", time.monotonic() + 0.02)
        assert channel._broken == "" and channel.leader is None and channel._half is False

    @pytest.mark.parametrize("leader, leading, reads", [(None, 0, 1), ("other", 0, 0), ("below", "this thread", 1)])
    def test_only_the_leader_reads_while_it_writes(self, channel, monkeypatch, leader, leading, reads):
        os.write(channel.process.input, b"a\n")
        assert select.select([channel.process.output], [], [], 10)[0]
        channel.leader, channel._leading = leader, threading.get_ident() if leading else 0
        done = []
        monkeypatch.setattr(channel, "_read", lambda: done.append(True))
        channel._write_rest(b"xb\n", 1, None)
        assert len(done) == reads and channel.leader == leader
        assert os.read(channel.process.output, 2) == b"a\n"
        assert select.select([channel.process.output], [], [], 10)[0] and os.read(channel.process.output, 9) == b"b\n"

    def test_a_request_that_is_taken_in_part(self, make):
        channel = make("/bin/sh", "-c", "kill -STOP $$")
        with pytest.raises(larder.NoReply, match="did not take the request in time"):
            channel.write(b"x" * 900_000, time.monotonic() + 0.02)
        assert channel._broken == "was left in the middle of a request, and ended"
        assert channel.process.wait(10) == -9 and channel._half is False

    def test_a_request_after_the_exit(self, make):
        channel = make("true")
        channel.process.wait(10)
        with pytest.raises(ProcessEnded, match="the process is gone"):
            channel.write(b"a\n", None)
        assert channel.ended == "the larder process ended with code 0" and channel.listeners == {}

    def test_a_cancellation(self, channel):
        channel.cancel(7)
        assert select.select([channel.process.output], [], [], 10)[0]
        assert os.read(channel.process.output, 999) == wire.cancellation(7)
        channel.closing = True
        channel.cancel(8)

    def test_dropped_observers_stay_noted_until_they_are_written(self, channel, monkeypatch):
        mark = Abandoned("thing")
        mark.session, mark.name = channel, "a"
        noted, written = deque([mark]), []

        def refuse(line, deadline):
            written.append((line, deadline))
            raise larder.NoReply("full")

        channel.listeners["a"] = Other()
        monkeypatch.setattr(channel, "write", refuse)
        with pytest.raises(larder.NoReply):
            channel.end_abandoned(noted, itertools.count(5), 7.0)
        assert [*noted] == [mark]
        assert written == [(wire.request(5, "thing/unobserve", {"observer": "a"}), 7.0)]
        monkeypatch.setattr(channel, "write", lambda line, deadline: None)
        channel.end_abandoned(noted, itertools.count(5), None)
        assert not noted
