"""The connection between one larder process and an asyncio event loop."""

import asyncio
import os
from collections import deque
from typing import Any, Callable, Deque, Mapping, Optional

from ..errors import LarderError, NoReply
from ..process import Settings
from ..session import ProcessEnded, Session, Waiter

_CHUNK = 1 << 16  # bytes: the size of a pipe; Python allocates larger buffers again for each read
_MAX_EVENTS = 1000  # unread events of one watch; the oldest events are dropped


class Task(Waiter):
    """A request of an asyncio task that waits for its reply."""

    def __init__(self, future: "asyncio.Future[Any]", on_event: Optional[Callable[[Mapping[str, Any]], None]]) -> None:
        self.future, self._on_event = future, on_event

    def finish(self, result: Any, error: Optional[LarderError]) -> None:
        if self.future.done():
            return  # The request was cancelled or timed out.
        if error is None:
            self.future.set_result(result)
        else:
            self.future.set_exception(error)

    def time_out(self, method: str, limit: float) -> None:
        self.finish(None, NoReply(f"no reply to {method} within {limit:g} seconds; raise the timeout"))

    def notify(self, event: Mapping[str, Any]) -> None:
        if self._on_event is None or self.future.done():
            return
        try:
            self._on_event(event)
        except Exception as error:  # An error in a callback must fail its own request only.
            self.future.set_exception(error)


class Watch(Waiter):
    """A queue of the events for one task. `done` is true if no further events will arrive."""

    def __init__(self) -> None:
        self.events: Deque[Mapping[str, Any]] = deque([], _MAX_EVENTS)
        self.done = False
        self._wakeup = asyncio.Event()

    def finish(self, result: Any, error: Optional[LarderError]) -> None:
        self.done = True
        self._wakeup.set()

    def notify(self, event: Mapping[str, Any]) -> None:
        self.events.append(event)
        self._wakeup.set()

    async def wait(self) -> None:
        while not self.events and not self.done:
            self._wakeup.clear()
            await self._wakeup.wait()


class Channel(Session):
    """A session on an event loop. It buffers the bytes that the pipe to the process does not accept at once."""

    def __init__(
        self,
        settings: Settings,
        first: bool,
        loop: asyncio.AbstractEventLoop,
        on_handshake: Optional[Callable[["Channel"], None]] = None,
    ) -> None:
        super().__init__(settings, first)
        self._loop, self._on_handshake = loop, on_handshake
        self._unwritten = bytearray()
        self.stopped: "asyncio.Future[None]" = loop.create_future()
        loop.add_reader(self.process.output, self._readable)
        self.write(self.handshake())

    def handle_handshake(self, result: Any) -> None:
        super().handle_handshake(result)
        if self._on_handshake:
            self._on_handshake(self)

    def write(self, line: bytes) -> None:
        if self.closing or self.ended:
            raise ProcessEnded("the larder process has exited")
        if self._unwritten:
            self._unwritten += line
            return
        try:
            written = os.write(self.process.input, line)
        except BlockingIOError:
            written = 0
        except OSError:
            return  # The process has exited. Its exit is reported after the replies that are still in the pipe.
        if written < len(line):
            self._unwritten += line[written:]
            self._loop.add_writer(self.process.input, self._writable)

    def _writable(self) -> None:
        try:
            del self._unwritten[: os.write(self.process.input, self._unwritten[:_CHUNK])]
        except BlockingIOError:
            return
        except OSError:
            self._unwritten.clear()
        if not self._unwritten:
            self._loop.remove_writer(self.process.input)
            if self.closing:
                self.process.close_input()

    def _readable(self) -> None:
        try:
            data = os.read(self.process.output, _CHUNK)
        except BlockingIOError:
            return
        if data:
            self.accept(self._lines.feed(data))
            return
        self._loop.remove_reader(self.process.output)
        # The process has closed its output: it has exited or soon will. A thread waits for the exit, so that the event
        # loop is not blocked.
        self._loop.run_in_executor(None, self.process.wait, self.exit_timeout).add_done_callback(self._finish)

    def stop(self) -> None:
        """Stops reading, even if a child of the larder process still holds the pipe open."""
        if not self.stopped.done():
            self._loop.remove_reader(self.process.output)
            self._finish(None)

    def _finish(self, _: Any) -> None:
        if self._unwritten:
            self._loop.remove_writer(self.process.input)
            self._unwritten.clear()
        self.end()
        self.process.close_output()
        if not self.stopped.done():
            self.stopped.set_result(None)

    def detach_after_fork(self) -> None:
        """Drops all requests in a forked child. The waiting tasks are not notified, because they run in the parent."""
        self.ended, self.closing = "the larder process belongs to the parent process", True
        for one in self.listeners.values():
            if isinstance(one, Watch):
                one.events.clear()
                one.done = True
        self.pending.clear()
        self.listeners.clear()

    def close_input(self) -> None:
        self.closing = True
        if not self._unwritten:
            self.process.close_input()
