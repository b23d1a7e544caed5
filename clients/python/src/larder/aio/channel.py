"""One process on an event loop."""

import asyncio
import os
from collections import deque
from typing import Any, Callable, Deque, Mapping, Optional

from ..errors import LarderError, NoReply
from ..process import Settings
from ..session import ProcessEnded, Session, Waiter

_CHUNK = 1 << 16  # what a pipe holds; memory for more is mapped anew for each read, at the cost of a whole call
_KEPT_EVENTS = 1000  # the newest ones


class Task(Waiter):
    """A task that waits for one reply."""

    def __init__(self, future: "asyncio.Future[Any]", on_event: Optional[Callable[[Mapping[str, Any]], None]]) -> None:
        self.future, self._on_event = future, on_event

    def finish(self, result: Any, error: Optional[LarderError]) -> None:
        if self.future.done():
            return  # Cancelled, or out of time.
        if error is None:
            self.future.set_result(result)
        else:
            self.future.set_exception(error)

    def give_up(self, method: str, limit: float) -> None:
        self.finish(None, NoReply(f"no reply to {method} within {limit:g} seconds"))

    def tell(self, event: Mapping[str, Any]) -> None:
        if self._on_event is None or self.future.done():
            return
        try:
            self._on_event(event)
        except Exception as error:  # It is the task's, not of those whose replies are read together with it.
            self.future.set_exception(error)


class Watch(Waiter):
    """Events that wait for a task. `done` once there will be no more."""

    def __init__(self) -> None:
        self.events: Deque[Mapping[str, Any]] = deque([], _KEPT_EVENTS)
        self.done = False
        self._bell = asyncio.Event()

    def finish(self, result: Any, error: Optional[LarderError]) -> None:
        self.done = True
        self._bell.set()

    def tell(self, event: Mapping[str, Any]) -> None:
        self.events.append(event)
        self._bell.set()

    async def wait(self) -> None:
        while not self.events and not self.done:
            self._bell.clear()
            await self._bell.wait()


class Channel(Session):
    """A session on a loop: what could not be written at once waits here."""

    def __init__(
        self,
        settings: Settings,
        first: bool,
        loop: asyncio.AbstractEventLoop,
        greeted: Optional[Callable[["Channel"], None]] = None,
    ) -> None:
        super().__init__(settings, first)
        self._loop, self._greeted = loop, greeted
        self._unwritten = bytearray()
        self.over: "asyncio.Future[None]" = loop.create_future()
        loop.add_reader(self.process.output, self._readable)
        self.write(self.handshake())

    def greet(self, greeting: Any) -> None:
        super().greet(greeting)
        if self._greeted:
            self._greeted(self)

    def write(self, line: bytes) -> None:
        if self.closing or self.ended:
            raise ProcessEnded("the process is gone")
        if self._unwritten:
            self._unwritten += line
            return
        try:
            written = os.write(self.process.input, line)
        except BlockingIOError:
            written = 0
        except OSError:
            return  # The end is on its way: what can still be read comes before it.
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
        # It is gone, or about to be. Nobody on this loop is to wait for that: a thread does.
        self._loop.run_in_executor(None, self.process.wait, self.patience).add_done_callback(self._finish)

    def stop(self) -> None:
        """Reads no more, whoever may still hold the other end of the pipe."""
        if not self.over.done():
            self._loop.remove_reader(self.process.output)
            self._finish(None)

    def _finish(self, _: Any) -> None:
        if self._unwritten:
            self._loop.remove_writer(self.process.input)
            self._unwritten.clear()
        self.end()
        self.process.close_output()
        if not self.over.done():
            self.over.set_result(None)

    def disown(self) -> None:
        """In a process that was forked. Nobody is told: their loop is the parent's."""
        self.ended, self.closing = "the larder process is the parent's", True
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
