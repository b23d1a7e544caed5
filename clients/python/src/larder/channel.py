"""The connection between one larder process and the threads that call it.

There is no reader thread. One of the waiting threads is the leader: it reads the replies of all callers until its own
reply arrives, and then hands the role to another waiting thread. A single caller therefore writes its request and
reads its reply directly, without a thread switch.
"""

import os
import select
import threading
import time
from threading import get_ident
from typing import Any, Callable, Deque, Dict, Iterator, Optional

from . import wire
from .caller import Caller, State
from .errors import LarderError, NoReply
from .process import Settings, deadline_after, has_passed, poll_seconds
from .session import CLOSED, DroppedObserver, ProcessEnded, Session, drain

_CHUNK = 1 << 16  # bytes: the size of a pipe; Python allocates larger buffers again for each read
_POLL_SECONDS = 0.1  # between the checks of a thread that waits to write while another thread reads


_INTERRUPTED = "call refused: a signal handler interrupted {} in this thread; retry after the handler has returned"


class Channel(Session):
    """A session shared by threads, with the leader that reads its replies."""

    def __init__(self, settings: Settings, first: bool, freed: threading.Condition, state: State) -> None:
        super().__init__(settings, first)
        self._freed, self._state = freed, state
        self._locked: Callable[[], bool] = getattr(state, "_is_owned")  # whether this thread holds the `_state` lock
        self.writing = threading.RLock()  # held to use `process.input`: the system reuses closed descriptors
        self.leader: Optional[object] = None  # the caller or writer that reads; changes under the `_state` lock
        self._leading: int  # the thread id of the leader; valid if there is a leader
        self._is_reading = False  # whether the leader is reading a chunk
        self._is_half_written = False  # whether a thread is writing a long request
        self.parked: Dict[Caller, None] = {}
        self.poll = self._new_poll()

    # Reentrancy: a signal handler or `__del__` may call the client while its thread runs a method of this class

    @property
    def is_led_by_this_thread(self) -> bool:
        """Whether this thread is the leader but is not reading now. If true, a signal handler in this thread may read
        replies. (The leader is the thread that reads the replies of all callers.)"""
        return self.leader is not None and self._leading == get_ident() and not self._is_reading

    @property
    def is_in_critical_section(self) -> bool:
        """Whether a signal handler interrupted this thread at a point at which no request can be sent."""
        return self._locked() or (self._is_reading and self._leading == get_ident())

    def refuse_in_critical_section(self) -> None:
        if self._locked() or self._is_reading and self.is_in_critical_section:
            raise LarderError(_INTERRUPTED.format("the client"))

    def abandon_interrupted_calls(self) -> None:
        """Cancels this thread's calls that a signal handler interrupted. They cannot continue during the handler."""
        for id, one in list(self.pending.items()):
            if isinstance(one, Caller) and one.thread == get_ident() and self.pending.pop(id, None) is not None:
                self.cancel(id)
                one.finish(None, ProcessEnded(CLOSED))

    def detach_after_fork(self, state: State) -> None:
        """Resets the channel in a forked child. Replaces the locks, because threads of the parent may hold them."""
        self.ended, self.closing = "the larder process belongs to the parent process", True
        self._state, self._locked, self.writing = state, getattr(state, "_is_owned"), threading.RLock()
        self.leader, self._is_reading, self._is_half_written = None, False, False
        self.parked.clear()
        for one in {*self.pending.values(), *self.listeners.values()}:
            if isinstance(one, Caller):
                one.detach_after_fork(state)
        self.pending.clear()
        self.listeners.clear()

    # Reading

    def handle_handshake(self, result: Any) -> None:
        super().handle_handshake(result)
        with self._state:
            self._freed.notify_all()  # The method of a waiting thread may be local, which needs no slot.

    def wait(self, caller: Caller, deadline: Optional[float]) -> bool:
        """Waits until the caller has a reply or an event. Returns False if the deadline passed first."""
        try:
            while True:
                if caller.ready:
                    return True
                with self._state:
                    nested = False
                    if caller.ready:
                        return True
                    if self.leader is None:
                        self.leader, self._leading = caller, get_ident()
                    elif self._leading == get_ident():
                        nested = True
                    else:
                        caller.park()
                        self.parked[caller] = None
                if nested:
                    return self._lead(caller, deadline, self._new_poll())
                if self.leader is caller:
                    return self._lead(caller, deadline, self.poll)
                caller.wakeup.acquire(True, poll_seconds(deadline))
                if not self._unpark(caller) and has_passed(deadline):
                    return False
        except BaseException:
            self._unpark(caller)
            self._hand_over(caller)
            raise

    def _unpark(self, caller: Caller) -> bool:
        """Removes the caller from `parked`. Returns whether another thread has woken the caller."""
        with self._state:
            was_woken = not caller.parked
            caller.parked = False
            self.parked.pop(caller, None)
            return was_woken

    def _new_poll(self) -> "select.poll":
        """Returns a new poll object for the output, because a signal handler cannot use an interrupted poll object."""
        poll = select.poll()
        poll.register(self.process.output, select.POLLIN)
        return poll

    def _lead(self, caller: Caller, deadline: Optional[float], poll: "select.poll") -> bool:
        """Reads the replies of all callers until this caller has a reply or an event."""
        try:
            while not caller.done and not caller.events:
                if self.ended or poll.poll(poll_seconds(deadline) * 1000):
                    self._read()
                elif has_passed(deadline):
                    return False
            return True
        finally:
            self._hand_over(caller)

    def _read(self) -> None:
        delivered = False  # whether all messages of the chunk have reached their callers
        try:
            self._is_reading = True
            data = b"" if self.ended else self._read_chunk()
            lines = self._lines.feed(data or b"")
            self._is_reading = False
            if data:
                self.accept(lines)
            elif data is not None:
                self._finish()
            delivered = True
        finally:
            self._is_reading = False
            if not delivered:
                # An interruption, for example KeyboardInterrupt, may have lost data that was already read.
                self.abort("reading its output was interrupted")

    def _read_chunk(self) -> Optional[bytes]:
        """Returns a chunk of output; empty at the end of the output, None if a signal handler has read the data."""
        try:
            return os.read(self.process.output, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""  # The Python interpreter is exiting and has closed the pipe.

    def _finish(self) -> None:
        with self.writing:
            self.end()
        self.process.close_output()
        with self._state:
            self._freed.notify_all()

    def _hand_over(self, leader: object) -> None:
        """Ends this thread's role as the leader, which reads the replies of all callers. Wakes a parked caller to
        become the leader."""
        with self._state:
            if self.leader is leader:
                self.leader = None
            while self.parked and self.leader is None:
                other, _ = self.parked.popitem()
                if other.parked:
                    other.wake()
                    return

    # Writing

    def write(self, line: bytes, deadline: Optional[float]) -> None:
        self._acquire(deadline)
        try:
            if self.closing or self.ended:
                raise ProcessEnded("the larder process has exited")
            if self._is_half_written:
                raise LarderError(_INTERRUPTED.format("a partly written request"))
            self._write_all(line, deadline)
            return
        except OSError:
            pass  # The process has closed its input.
        finally:
            self.writing.release()
        self._await_end()

    def _write_all(self, line: bytes, deadline: Optional[float]) -> None:
        # The system writes up to PIPE_BUF bytes atomically: all of them, or none.
        self._is_half_written = len(line) > select.PIPE_BUF
        try:
            written = self._write_once(line)
            if written < len(line):
                self._write_rest(line, written, deadline)
        finally:
            self._is_half_written = False

    def _acquire(self, deadline: Optional[float]) -> None:
        while True:
            if self.is_led_by_this_thread:
                # A signal handler interrupted the leader. The thread that writes may need this thread to read replies.
                left = min(_POLL_SECONDS, poll_seconds(deadline))
            else:
                left = -1 if deadline is None else max(0.0, deadline - time.monotonic())
            if self.writing.acquire(timeout=left):
                return
            if has_passed(deadline):
                raise NoReply("timed out before the request was sent: larder has not read an earlier request; retry")
            if self.is_led_by_this_thread and self._new_poll().poll(0):
                self._read()

    def _write_once(self, data: bytes) -> int:
        try:
            return os.write(self.process.input, data)
        except BlockingIOError:
            return 0

    def _write_rest(self, line: bytes, written: int, deadline: Optional[float]) -> None:
        """Writes the unsent bytes of a request to a full pipe. Also reads replies, because a full output pipe may block
        the process."""
        writer = object()
        try:
            while written < len(line):
                if has_passed(deadline):
                    raise NoReply("timed out before the request was sent: larder does not read its input; retry")
                poll = select.poll()
                poll.register(self.process.input, select.POLLOUT)
                with self._state:
                    if self.leader is None:
                        self.leader, self._leading = writer, get_ident()
                try:
                    if self.leader is writer or self.is_led_by_this_thread:
                        poll.register(self.process.output, select.POLLIN)
                    found = dict(poll.poll(min(_POLL_SECONDS, poll_seconds(deadline)) * 1000))
                    if self.process.output in found:
                        self._read()
                finally:
                    self._hand_over(writer)
                if self.ended or self.closing:
                    raise ProcessEnded("the larder process has exited")
                if self.process.input in found:
                    written += self._write_once(line[written : written + _CHUNK])
        except (OSError, ProcessEnded):
            raise
        except BaseException:
            if written:
                self.abort("a request was only partly written")
            raise

    def cancel(self, id: int) -> None:
        try:
            self.write(wire.cancellation(id), time.monotonic() + 1.0)
        except LarderError:
            pass  # The process has exited, so the request needs no cancellation.

    def end_dropped(self, dropped: Deque[DroppedObserver], ids: Iterator[int], deadline: Optional[float]) -> None:
        taken = drain(dropped)
        try:
            self.write(self.unobserve(taken, ids), deadline)
        except NoReply:
            dropped.extend(taken)
            raise

    def _await_end(self) -> None:
        """Reads the remaining replies and the exit code of a process that has closed its input. Then raises
        `ProcessEnded`."""
        end = Caller(self._state)
        self.listeners[f"end {id(end)}"] = end
        while not self.ended and self.wait(end, deadline_after(5.0)):
            pass
        raise ProcessEnded("the larder process has exited")
