"""One process with many threads that ask it.

There is no thread that reads. Of the callers that wait one leads: it reads for all, until its own reply is there, and
then another one leads. A caller that is alone so writes, reads and goes on, as if it had the pipes for itself.
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
from .process import Settings, moment, nap, over
from .session import Abandoned, ProcessEnded, Session, take_all

_CHUNK = 1 << 16  # what a pipe holds; memory for more is mapped anew for each read, at the cost of a whole call
_LOOK_AGAIN = 0.1  # seconds, for a writer that finds the pipe full and somebody else reading


class Channel(Session):
    """A session and who reads it."""

    def __init__(self, settings: Settings, first: bool, freed: threading.Condition, state: State) -> None:
        super().__init__(settings, first)
        self._freed, self._state = freed, state
        self._locked: Callable[[], bool] = getattr(state, "_is_owned")  # by this thread, as a Condition asks it
        self.writing = threading.RLock()  # the descriptor's number means our pipe only while this is held
        self.leader: Optional[object] = None  # who reads; changes under `_state`
        self._leading: int  # the thread of the leader, if there is one
        self._taking, self._half = False, False  # whether it is in the midst of what it reads, or of a long request
        self.parked: Dict[Caller, None] = {}
        self.poll = self._new_poll()

    # A signal handler, or a `__del__`, may call while this very thread is in here

    @property
    def is_mine(self) -> bool:
        """Whether this thread leads, and what interrupted it may read on its behalf."""
        return self.leader is not None and self._leading == get_ident() and not self._taking

    @property
    def is_torn(self) -> bool:
        """Whether this thread was interrupted where nothing can be asked before it has gone on."""
        return self._locked() or (self._taking and self._leading == get_ident())

    def refuse_if_torn(self) -> None:
        if self._locked() or self._taking and self.is_torn:
            raise LarderError("a call was interrupted, as by a signal, where none can begin; ask again after it")

    def leave_calls_below(self) -> None:
        """Those that were interrupted do not go on before what interrupted them has returned."""
        for id, one in list(self.pending.items()):
            if isinstance(one, Caller) and one.thread == get_ident() and self.pending.pop(id, None) is not None:
                self.cancel(id)
                one.finish(None, ProcessEnded("this larder is closed"))

    def disown(self, state: State) -> None:
        """In a process that was forked. Other threads, which there are no more, may have held the locks."""
        self.ended, self.closing = "the larder process is the parent's", True
        self._state, self._locked, self.writing = state, getattr(state, "_is_owned"), threading.RLock()
        self.leader, self._taking, self._half = None, False, False
        self.parked.clear()
        for one in {*self.pending.values(), *self.listeners.values()}:
            if isinstance(one, Caller):
                one.disown(state)
        self.pending.clear()
        self.listeners.clear()

    # Reading

    def greet(self, greeting: Any) -> None:
        super().greet(greeting)
        with self._state:
            self._freed.notify_all()  # A thread that waits for room may find that its method is local.

    def wait(self, caller: Caller, deadline: Optional[float]) -> bool:
        """Until there is something for the caller; false where that was not in time."""
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
                caller.bell.acquire(True, nap(deadline))
                if not self._leave(caller) and over(deadline):
                    return False
        except BaseException:
            self._leave(caller)
            self._hand_over(caller)
            raise

    def _leave(self, caller: Caller) -> bool:
        """The caller no longer sleeps. Whether it was rung for, be it in the very moment in which its time was over."""
        with self._state:
            rung = not caller.parked
            caller.parked = False
            self.parked.pop(caller, None)
            return rung

    def _new_poll(self) -> "select.poll":
        """One of these cannot be used by what interrupts its use."""
        poll = select.poll()
        poll.register(self.process.output, select.POLLIN)
        return poll

    def _lead(self, caller: Caller, deadline: Optional[float], poll: "select.poll") -> bool:
        """Reads for everybody until there is something for the caller."""
        try:
            while not caller.done and not caller.events:
                if self.ended or poll.poll(nap(deadline) * 1000):
                    self._read()
                elif over(deadline):
                    return False
            return True
        finally:
            self._hand_over(caller)

    def _read(self) -> None:
        settled = False  # whether all that was read has reached those whom it is for
        try:
            self._taking = True
            data = b"" if self.ended else self._data()
            lines = self._lines.feed(data or b"")
            self._taking = False
            if data:
                self.accept(lines)
            elif data is not None:
                self._finish()
            settled = True
        finally:
            self._taking = False
            if not settled:
                # An interruption between two lines of this program may have lost what was read.
                self.give_up("was interrupted, and ended")

    def _data(self) -> Optional[bytes]:
        """None where a signal handler has read what was there."""
        try:
            return os.read(self.process.output, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""  # The interpreter ends, and has closed it.

    def _finish(self) -> None:
        with self.writing:
            self.end()
        self.process.close_output()
        with self._state:
            self._freed.notify_all()

    def _hand_over(self, leader: object) -> None:
        """Where nobody reads, one of those who wait looks after it."""
        with self._state:
            if self.leader is leader:
                self.leader = None
            while self.parked and self.leader is None:
                other, _ = self.parked.popitem()
                if other.parked:
                    other.ring()
                    return

    # Writing

    def write(self, line: bytes, deadline: Optional[float]) -> None:
        self._acquire(deadline)
        try:
            if self.closing or self.ended:
                raise ProcessEnded("the process is gone")
            if self._half:
                raise LarderError("a long request was interrupted half-way, as by a signal; ask again after it")
            self._put_all(line, deadline)
            return
        except OSError:
            pass  # Nobody reads what we write.
        finally:
            self.writing.release()
        self._learn_the_end()

    def _put_all(self, line: bytes, deadline: Optional[float]) -> None:
        # What is no longer than this is written at once, or not at all.
        self._half = len(line) > select.PIPE_BUF
        try:
            written = self._put(line)
            if written < len(line):
                self._write_rest(line, written, deadline)
        finally:
            self._half = False

    def _acquire(self, deadline: Optional[float]) -> None:
        while True:
            if self.is_mine:
                # The writer may wait for the thread that this call has interrupted to read.
                left = min(_LOOK_AGAIN, nap(deadline))
            else:
                left = -1 if deadline is None else max(0.0, deadline - time.monotonic())
            if self.writing.acquire(timeout=left):
                return
            if over(deadline):
                raise NoReply("another request was not taken in time, and this one waited for it")
            if self.is_mine and self._new_poll().poll(0):
                self._read()

    def _put(self, data: bytes) -> int:
        try:
            return os.write(self.process.input, data)
        except BlockingIOError:
            return 0

    def _write_rest(self, line: bytes, written: int, deadline: Optional[float]) -> None:
        """The pipe is full: the process may wait for somebody who reads."""
        me = object()
        try:
            while written < len(line):
                if over(deadline):
                    raise NoReply("the process did not take the request in time")
                poll = select.poll()
                poll.register(self.process.input, select.POLLOUT)
                with self._state:
                    if self.leader is None:
                        self.leader, self._leading = me, get_ident()
                try:
                    if self.leader is me or self.is_mine:
                        poll.register(self.process.output, select.POLLIN)
                    found = dict(poll.poll(min(_LOOK_AGAIN, nap(deadline)) * 1000))
                    if self.process.output in found:
                        self._read()
                finally:
                    self._hand_over(me)
                if self.ended or self.closing:
                    raise ProcessEnded("the process is gone")
                if self.process.input in found:
                    written += self._put(line[written : written + _CHUNK])
        except (OSError, ProcessEnded):
            raise
        except BaseException:
            if written:
                self.give_up("was left in the middle of a request, and ended")
            raise

    def cancel(self, id: int) -> None:
        try:
            self.write(wire.cancellation(id), time.monotonic() + 1.0)
        except LarderError:
            pass  # Nothing is left to be cancelled.

    def end_abandoned(self, abandoned: Deque[Abandoned], ids: Iterator[int], deadline: Optional[float]) -> None:
        taken = take_all(abandoned)
        try:
            self.write(self.unobserve(taken, ids), deadline)
        except NoReply:
            abandoned.extend(taken)
            raise

    def _learn_the_end(self) -> None:
        """What the process has said before, and its exit code, can still be read."""
        end = Caller(self._state)
        self.listeners[f"end {id(end)}"] = end
        while not self.ended and self.wait(end, moment(5.0)):
            pass
        raise ProcessEnded("the process is gone")
