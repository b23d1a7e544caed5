"""Threads that share one process: reading for waiting threads, waiting, writing and interruptions. `cat` replaces
larder."""

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
from larder.session import CLOSED, DroppedObserver, ProcessEnded, Waiter


class Other(Waiter):
    """A waiter that is not a thread."""


@pytest.fixture
def make():
    """make(*command): a channel to this program (default: `cat`), which is killed at the end of the test."""
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
    """A channel that returns each line written to it."""
    return make()


def in_thread(do):
    """Calls `do` in another thread and returns its result."""
    found = []
    thread = threading.Thread(target=lambda: found.append(do()))
    thread.start()
    thread.join()
    return found[0]


class TestWaitingCaller:
    def test_waiting_call_is_ready_once_it_has_a_reply_or_event(self):
        state = threading.RLock()
        finished, notified, idle = Caller(state), Caller(state), Caller(state)
        finished.finish({"a": 1}, None)
        notified.notify({"b": 2})
        assert (finished.ready, notified.ready, idle.ready) == (True, True, False)
        assert (finished.done, finished.result, finished.error) == (True, {"a": 1}, None)
        assert (notified.done, [*notified.events], [*idle.events]) == (False, [{"b": 2}], [])
        assert idle.thread == threading.get_ident()

    def test_waiting_call_keeps_only_the_newest_1000_events(self):
        caller = Caller(threading.RLock())
        for number in range(1002):
            caller.notify({"n": number})
        assert [event["n"] for event in caller.events] == [*range(2, 1002)]

    def test_sleeping_call_is_woken_by_an_event_a_reply_or_a_wake_up(self):
        caller = Caller(threading.RLock())
        caller.wake()
        for wake in (lambda: caller.notify({}), lambda: caller.finish(None, None), caller.wake):
            caller.park()
            assert caller.parked and caller.wakeup.locked()
            wake()
            assert not caller.parked and not caller.wakeup.locked()
            caller.wake()

    def test_waiting_call_fails_in_a_forked_child(self):
        caller, state = Caller(threading.RLock()), threading.RLock()
        caller.notify({})
        caller.detach_after_fork(state)
        assert caller._state is state and not caller.events and caller.done
        assert type(caller.error) is ProcessEnded


class TestInterruptions:
    def test_calls_that_interrupt_a_read_or_hold_the_client_lock_are_refused(self, channel):
        assert not channel.is_led_by_this_thread and not channel.is_in_critical_section
        channel.leader, channel._leading = object(), threading.get_ident()
        assert channel.is_led_by_this_thread and not in_thread(lambda: channel.is_led_by_this_thread)
        channel._is_reading = True
        assert not channel.is_led_by_this_thread and channel.is_in_critical_section
        assert not in_thread(lambda: channel.is_in_critical_section)
        with pytest.raises(larder.LarderError, match="interrupted"):
            channel.refuse_in_critical_section()
        in_thread(channel.refuse_in_critical_section)
        channel._is_reading = False
        channel.refuse_in_critical_section()
        with channel._state:
            assert channel.is_in_critical_section and not in_thread(lambda: channel.is_in_critical_section)
            with pytest.raises(larder.LarderError, match="interrupted"):
                channel.refuse_in_critical_section()

    def test_interrupted_calls_of_the_same_thread_are_cancelled(self, channel, monkeypatch):
        cancelled = []
        monkeypatch.setattr(channel, "cancel", cancelled.append)
        mine, other = Caller(channel._state), in_thread(lambda: Caller(channel._state))
        channel.pending.update({1: mine, 2: other, 3: Other()})
        channel.abandon_interrupted_calls()
        assert [*channel.pending] == [2, 3] and cancelled == [1] and not other.done
        assert mine.done and str(mine.error) == CLOSED

    def test_channel_is_empty_and_closed_in_a_forked_child(self, channel):
        pending, listening, state = Caller(channel._state), Caller(channel._state), threading.RLock()
        channel.pending.update({1: pending, 2: Other()})
        channel.listeners.update({"a": listening, "b": Other()})
        channel.leader, channel.parked = pending, {pending: None}
        channel._is_reading, channel._is_half_written = True, True
        writing = channel.writing
        channel.detach_after_fork(state)
        assert (channel.pending, channel.listeners, channel.parked) == ({}, {}, {})
        assert (channel.leader, channel._is_reading, channel._is_half_written) == (None, False, False)
        assert channel.closing and channel.ended == "the larder process belongs to the parent process"
        assert pending.done and listening.done and pending._state is state and channel.writing is not writing
        with state:
            assert channel._locked()

    def test_signal_handler_does_not_write_into_a_long_request(self, script, home):
        """A signal handler interrupts a thread that is writing a long request. The handler's own call is refused."""
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
            eventually(lambda: client._channel._is_half_written and client._channel.leader, "the long request")
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
        assert len(caught) == 2 and all("interrupted a partly written request" in message for message in caught)


class TestReading:
    def test_single_caller_reads_its_own_reply(self, channel):
        caller = Caller(channel._state)
        channel.pending[1] = caller
        channel.write(b'{"id":1,"result":2}\n', None)
        assert channel.wait(caller, None) and caller.result == 2 and channel.leader is None
        assert channel.wait(caller, None), "at once"

    def test_waiting_call_ends_at_its_deadline(self, channel):
        caller = Caller(channel._state)
        assert channel.wait(caller, time.monotonic() + 0.02) is False
        assert channel.leader is None and channel.parked == {}

    def test_sleeping_call_ends_at_its_deadline(self, channel):
        caller, leader = Caller(channel._state), object()
        channel.leader, channel._leading = leader, 0
        assert channel.wait(caller, time.monotonic() + 0.02) is False
        assert channel.leader is leader and channel.parked == {} and not caller.parked

    def test_reply_that_arrives_before_the_read_lock_is_taken_is_returned(self, channel):
        class Late(Caller):
            asked = 0

            @property
            def ready(self):
                self.asked += 1
                return self.asked > 1

        assert channel.wait(Late(channel._state), time.monotonic()) is True and channel.leader is None

    def test_signal_handler_reads_replies_for_the_thread_it_interrupted(self, channel):
        """A signal handler reads replies in place of the thread that it interrupted. That thread stays the leader."""
        caller, below = Caller(channel._state), object()
        channel.leader, channel._leading = below, threading.get_ident()
        channel.pending[1] = caller
        channel.write(b'{"id":1,"result":2}\n', None)
        assert channel.wait(caller, None) and caller.result == 2 and channel.leader is below

    def test_reader_role_passes_to_a_sleeping_call(self, channel):
        first, second, leader = Caller(channel._state), Caller(channel._state), object()
        channel.leader = leader
        for caller in (first, second):
            caller.park()
            channel.parked[caller] = None
        channel._hand_over(object())
        assert channel.leader is leader and first.parked and second.parked
        channel._hand_over(leader)
        assert channel.leader is None and first.parked and not second.parked
        assert [*channel.parked] == [first] and not second.wakeup.locked()

    def test_reader_role_skips_calls_that_no_longer_wait(self, channel):
        first, gone = Caller(channel._state), Caller(channel._state)
        first.park()
        channel.parked.update({first: None, gone: None})
        channel._hand_over(object())
        assert not first.parked and channel.parked == {}

    def test_method_unpark_returns_whether_the_sleeping_call_was_woken(self, channel):
        caller = Caller(channel._state)
        for wake, expected in ((caller.wake, True), (lambda: None, False)):
            caller.park()
            channel.parked[caller] = None
            wake()
            assert channel._unpark(caller) is expected and not caller.parked and channel.parked == {}

    def test_read_without_data_does_not_end_the_channel(self, channel):
        channel._read()
        assert channel.ended is None and channel._is_reading is False

    def test_exit_wakes_calls_that_wait_in_the_queue(self, channel):
        woken = []
        channel._freed = type("Freed", (), {"notify_all": lambda self: woken.append(channel._locked())})()
        caller = Caller(channel._state)
        channel.listeners["end"] = caller
        channel.process.close_input()
        assert channel.wait(caller, None) and woken == [True]
        assert channel.ended == "the larder process exited with code 0" and channel.process._child.stdout.closed
        channel._read()
        assert channel._read_chunk() == b"", "the pipe is closed"

    def test_process_is_killed_after_an_interrupted_read(self, channel, monkeypatch):
        def fail(lines):
            raise KeyboardInterrupt

        monkeypatch.setattr(channel, "accept", fail)
        channel.write(b"a\n", None)
        with pytest.raises(KeyboardInterrupt):
            channel.wait(Caller(channel._state), None)
        assert channel.leader is None and channel._is_reading is False
        assert channel.process.wait(10) == -9 and channel._abort_reason == "reading its output was interrupted"


class TestWriting:
    def test_closed_channel_refuses_writes(self, channel):
        for name, value in (("closing", True), ("ended", "gone")):
            setattr(channel, name, value)
            with pytest.raises(ProcessEnded, match="the larder process has exited"):
                channel.write(b"a\n", None)
            setattr(channel, name, None)
        assert not select.select([channel.process.output], [], [], 0)[0]

    def test_write_times_out_while_another_thread_writes(self, channel):
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
                    with pytest.raises(larder.NoReply, match="larder has not read an earlier request"):
                        channel.write(b"a\n", deadline)
            # The signal handler interrupted the leader, so it reads replies while it waits for the lock.
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

    def test_unwritten_request_times_out_and_keeps_the_process(self, make):
        """A request times out before its first byte is written. The process stays usable."""
        channel = make("/bin/sh", "-c", "kill -STOP $$")
        with pytest.raises(BlockingIOError):
            while True:
                os.write(channel.process.input, b" " * select.PIPE_BUF)
        with pytest.raises(larder.NoReply, match="larder does not read its input"):
            channel.write(b"a\n", time.monotonic() + 0.02)
        assert channel._abort_reason == "" and channel.leader is None and channel._is_half_written is False

    @pytest.mark.parametrize("leader, leading, reads", [(None, 0, 1), ("other", 0, 0), ("below", "this thread", 1)])
    def test_blocked_write_reads_output_unless_another_thread_reads(self, channel, monkeypatch, leader, leading, reads):
        os.write(channel.process.input, b"a\n")
        assert select.select([channel.process.output], [], [], 10)[0]
        channel.leader, channel._leading = leader, threading.get_ident() if leading else 0
        done = []
        monkeypatch.setattr(channel, "_read", lambda: done.append(True))
        channel._write_rest(b"xb\n", 1, None)
        assert len(done) == reads and channel.leader == leader
        assert os.read(channel.process.output, 2) == b"a\n"
        assert select.select([channel.process.output], [], [], 10)[0] and os.read(channel.process.output, 9) == b"b\n"

    def test_process_is_killed_after_a_partly_written_request(self, make):
        channel = make("/bin/sh", "-c", "kill -STOP $$")
        with pytest.raises(larder.NoReply, match="larder does not read its input"):
            channel.write(b"x" * 900_000, time.monotonic() + 0.02)
        assert channel._abort_reason == "a request was only partly written"
        assert channel.process.wait(10) == -9 and channel._is_half_written is False

    def test_request_after_the_exit_of_the_process_is_refused(self, make):
        channel = make("true")
        channel.process.wait(10)
        with pytest.raises(ProcessEnded, match="the larder process has exited"):
            channel.write(b"a\n", None)
        assert channel.ended == "the larder process exited with code 0" and channel.listeners == {}

    def test_cancellation_sends_a_notification_unless_the_client_is_closing(self, channel):
        channel.cancel(7)
        assert select.select([channel.process.output], [], [], 10)[0]
        assert os.read(channel.process.output, 999) == wire.cancellation(7)
        channel.closing = True
        channel.cancel(8)

    def test_garbage_collected_observers_stay_queued_until_their_removal_is_sent(self, channel, monkeypatch):
        mark = DroppedObserver("thing")
        mark.session, mark.name = channel, "a"
        noted, written = deque([mark]), []

        def refuse(line, deadline):
            written.append((line, deadline))
            raise larder.NoReply("full")

        channel.listeners["a"] = Other()
        monkeypatch.setattr(channel, "write", refuse)
        with pytest.raises(larder.NoReply):
            channel.end_dropped(noted, itertools.count(5), 7.0)
        assert [*noted] == [mark]
        assert written == [(wire.request(5, "thing/unobserve", {"observer": "a"}), 7.0)]
        monkeypatch.setattr(channel, "write", lambda line, deadline: None)
        channel.end_dropped(noted, itertools.count(5), None)
        assert not noted
