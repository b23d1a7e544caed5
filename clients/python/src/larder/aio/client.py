"""The asyncio client: one larder process, any number of tasks of one loop that ask it."""

import asyncio
import math
from collections import deque
from types import TracebackType
from typing import Any, Callable, Deque, Dict, Mapping, NamedTuple, Optional, Type

from .. import wire
from ..calls import Call, Result, refuse_coroutine
from ..core.base import ClientBase, grace_after
from ..errors import LarderClosed, NoReply
from ..session import ProcessEnded, take_all
from .channel import Channel, Task, Watch
from .resources import AsyncCache, AsyncRecents, AsyncResource


class _Turn(NamedTuple):
    """A request that waits until it may be sent. The result is whether it gets a place."""

    future: "asyncio.Future[bool]"
    method: str
    params: Optional[Mapping[str, Any]]


class AsyncLarder(ClientBase[Channel, AsyncResource]):
    """Starts `larder` as a child process and asks it: `async with AsyncLarder() as larder`. The arguments are those of
    `Larder`; of `stderr` and all else there holds what is said there. All tasks belong to one loop.

    Any number of tasks may ask at once. What the process would refuse, since too much is in flight, waits here; the
    `timeout` of a single call counts meanwhile, that of the client does not.
    """

    _absence = "not started"

    def _prepare(self) -> None:
        self.recents = AsyncRecents(self)
        self.cache = AsyncCache(self)
        self._queue: Deque[_Turn] = deque()  # the tasks that wait until they may send
        self._in_flight = 0
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    # Asking

    async def call(self, method: str, /, **params: Any) -> Any:
        """The result of any method, as the wire has it; raises the error's exception."""
        return await self.request(method, params)

    async def request(
        self,
        method: str,
        params: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
        on_event: Optional[Callable[[Mapping[str, Any]], None]] = None,
    ) -> Any:
        """As `call`, with the params as one mapping and a `timeout` (seconds; `math.inf` for none) for this request
        alone. `on_event`, a plain function and no `async` one, is called with each `$/progress` of the request, which
        then has a token."""
        if on_event is not None:
            refuse_coroutine("on_event", on_event)
        limit = self.timeout if timeout is None else timeout
        deadline = _moment(timeout)
        has_place = True
        if self._in_flight < self._limit:
            self._in_flight += 1
        elif self._channel is not None and self._channel.is_local(method, params):
            has_place = False
        else:
            has_place = await self._wait_for_a_place(method, params, deadline)
        if timeout is None:  # The client's is for what the process does, and not for the wait before that.
            deadline = _moment(limit)
        try:
            try:
                return await self._ask(method, params, limit, deadline, on_event)
            except ProcessEnded:
                pass  # What follows is not to be told as having happened in here.
            # All methods can be asked twice. A second process that ends, too, may do so because of this request.
            return await self._ask(method, params, limit, deadline, on_event)
        except ProcessEnded:
            channel = self._channel
            raise (channel.closed() if channel else LarderClosed("this larder is closed")) from None
        finally:
            if has_place:
                self._give_the_place_on()

    async def _run(self, call: "Call[Result]") -> Result:
        found = await self.request(call.method, call.params, timeout=call.timeout, on_event=call.on_event)
        return call.shape(found)

    def resource(self, name: str) -> AsyncResource:
        """The resource of this name in the catalog."""
        return AsyncResource(self, name)

    async def status(self) -> Dict[str, Any]:
        """The server's version, catalog and resources, and which of its parts work less well than they should."""
        status: Dict[str, Any] = await self.call("server/status")
        return status

    # The end

    async def close(self, grace: float = 35.0) -> int:
        """Ends the process as it likes to end: no more requests, every reply to those in flight, then its exit. What
        has not ended after `grace` seconds is killed. Returns the exit code."""
        self._closed = True
        channel = self._channel
        if channel is None:
            return 0
        channel.patience = max(grace, 0.1)
        if asyncio.get_running_loop() is not self._loop:
            return await self._close_elsewhere(channel, grace)
        channel.close_input()
        try:
            await asyncio.wait_for(asyncio.shield(channel.over), grace)
        except asyncio.TimeoutError:
            channel.process.kill()
            await asyncio.wait([channel.over], timeout=1.0)
            # A grandchild may hold the pipes open for longer.
            code = await asyncio.get_running_loop().run_in_executor(None, channel.process.wait, 1.0)
            channel.stop()
            return code
        except asyncio.CancelledError:
            channel.process.kill()
            raise
        return channel.process.wait(0.0)

    async def _close_elsewhere(self, channel: Channel, grace: float) -> int:
        """The loop to which all belongs is over, and with it whoever waited for a reply."""
        if self._loop is not None and self._loop.is_running():
            raise RuntimeError("this AsyncLarder belongs to another event loop")
        channel.pending.clear()
        channel.listeners.clear()
        channel.closing = True
        channel.process.close_input()
        # Nobody reads what it may still have to say, so that it may wait for that for ever.
        patience = min(grace, 1.0)
        code = await asyncio.get_running_loop().run_in_executor(None, channel.process.wait, patience)
        channel.end()
        channel.process.close_output()
        return code

    async def __aenter__(self) -> "AsyncLarder":
        self._current()
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close(grace_after(kind))

    # Inside

    def _current(self) -> Channel:
        """The process that is to be asked; a new one at first, and where the last one crashed."""
        channel = self._channel
        if channel is not None and not channel.ended and not self._closed:
            return channel
        if self._closed:
            raise channel.closed() if channel else LarderClosed("this larder is closed")
        if channel is not None and not channel.may_be_replaced:
            raise channel.closed()
        self._loop = asyncio.get_running_loop()
        self._channel = Channel(self._settings, channel is None, self._loop, self._pass_local)
        return self._channel

    async def _ask(
        self,
        method: str,
        params: Optional[Mapping[str, Any]],
        limit: Optional[float],
        deadline: Optional[float],
        on_event: Optional[Callable[[Mapping[str, Any]], None]],
    ) -> Any:
        channel = self._current()
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            raise RuntimeError("this AsyncLarder belongs to another event loop")
        id = next(self._ids)
        task = Task(loop.create_future(), on_event)
        token = f"progress {id}"
        if on_event is not None:
            params = {**(params or {}), "workDoneToken": token}
            channel.listeners[token] = task
        line = wire.request(id, method, params)
        task.size = len(line)
        timer = None
        if deadline is not None and limit is not None:
            timer = loop.call_at(deadline, task.give_up, method, limit)
        channel.pending[id] = task
        try:
            if self._abandoned:
                channel.write(channel.unobserve(take_all(self._abandoned), self._ids))
            channel.write(line)
            return await task.future
        except ProcessEnded:
            if not channel.ended:
                raise LarderClosed("this larder is closed") from None
            raise
        finally:
            if timer is not None:
                timer.cancel()
            if on_event is not None:
                channel.listeners.pop(token, None)
            # Still there where no reply came: it was cancelled, the time is over, or the callback has failed.
            if channel.pending.pop(id, None) and not channel.ended and not channel.closing:
                channel.write(wire.cancellation(id))

    async def _wait_for_a_place(
        self, method: str, params: Optional[Mapping[str, Any]], deadline: Optional[float]
    ) -> bool:
        """Waits until the request may be sent. Returns whether it has a place, which a local method does not need."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._queue.append(_Turn(turn, method, params))
        timer = None if deadline is None else loop.call_at(deadline, _refuse, turn, method)
        try:
            return bool(await turn)
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None and turn.result():
                self._give_the_place_on()  # It came in this very moment.
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def _give_the_place_on(self) -> None:
        while self._queue:
            turn = self._queue.popleft().future
            if not turn.done():
                turn.set_result(True)
                return
        self._in_flight -= 1

    def _pass_local(self, channel: Channel) -> None:
        """Lets the waiting requests go that are now known to be local."""
        for turn in self._queue:
            if not turn.future.done() and channel.is_local(turn.method, turn.params):
                turn.future.set_result(False)

    def _watch(self, name: str) -> Watch:
        watch = Watch()
        self._current().listeners[name] = watch
        return watch

    def _unwatch(self, watch: Watch, name: str) -> None:
        if self._channel:
            self._channel.listeners.pop(name, None)
        watch.finish(None, None)

    def _after_fork(self) -> None:
        """The process is our parent's. The next call starts one of this process's own, on the loop that it then has."""
        self._queue.clear()
        channel, self._channel, self._in_flight = self._channel, None, 0
        if channel is not None:
            channel.disown()


def _moment(seconds: Optional[float]) -> Optional[float]:
    return None if seconds is None or seconds == math.inf else asyncio.get_running_loop().time() + seconds


def _refuse(turn: "asyncio.Future[bool]", method: str) -> None:
    if not turn.done():
        turn.set_exception(NoReply(f"too many requests are in flight: {method} could not be sent in time"))
