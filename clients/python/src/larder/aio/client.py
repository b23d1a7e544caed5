"""The asyncio client: one larder process, used by any number of tasks of one event loop."""

import asyncio
import math
from collections import deque
from types import TracebackType
from typing import Any, Callable, Deque, Dict, Mapping, NamedTuple, Optional, Sequence, Type, Union

from .. import wire
from ..calls import Call, Duration, Result, refuse_coroutine
from ..core.base import ClientBase, grace_after
from ..errors import LarderClosed, NoReply
from ..core.queries import Query, query_call
from ..session import CLOSED, ProcessEnded, drain
from .channel import Channel, Task, Watch
from .resources import AsyncCache, AsyncRecents, AsyncResource


_OTHER_LOOP = "this AsyncLarder belongs to another event loop; use one AsyncLarder for each loop"


class _QueuedRequest(NamedTuple):
    """A request that waits to be sent. The future's result states whether the request needs a slot while it is in
    flight."""

    future: "asyncio.Future[bool]"
    method: str
    params: Optional[Mapping[str, Any]]


class AsyncLarder(ClientBase[Channel, AsyncResource]):
    """An asyncio client that starts `larder` as a child process, for example `async with AsyncLarder() as larder`.

    It takes the same arguments as `Larder`. All tasks must run on one event loop. The process accepts a limited number
    of requests in flight; further requests wait in the client. The `timeout` of a single call includes this wait; the
    `timeout` of the client does not include it.
    """

    _no_process_label = "not started"

    def _prepare(self) -> None:
        self.recents = AsyncRecents(self)
        self.cache = AsyncCache(self)
        self._queue: Deque[_QueuedRequest] = deque()
        self._in_flight = 0
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    # Requests

    async def call(self, method: str, /, **params: Any) -> Any:
        """Calls any JSON-RPC method and returns its result unchanged. Raises `LarderError` for an error reply."""
        return await self.request(method, params)

    async def request(
        self,
        method: str,
        params: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
        on_event: Optional[Callable[[Mapping[str, Any]], None]] = None,
    ) -> Any:
        """Calls any JSON-RPC method with `params` as one mapping.

        `timeout` is in seconds and for this request only; `math.inf` means no limit. `on_event` is a plain function,
        not a coroutine function. It is called with each `$/progress` value of the request."""
        if on_event is not None:
            refuse_coroutine("on_event", on_event)
        limit = self.timeout if timeout is None else timeout
        deadline = _deadline_after(timeout)
        has_slot = True
        if self._in_flight < self._limit:
            self._in_flight += 1
        elif self._channel is not None and self._channel.is_local(method, params):
            has_slot = False
        else:
            has_slot = await self._wait_for_slot(method, params, deadline)
        if timeout is None:  # The client's timeout starts when the request is sent, not when it was queued.
            deadline = _deadline_after(limit)
        try:
            try:
                return await self._ask(method, params, limit, deadline, on_event)
            except ProcessEnded:
                pass  # The second attempt is outside of `except`, so that tracebacks omit this exception.
            # All methods can be repeated. There is no third attempt: this request may have crashed both processes.
            return await self._ask(method, params, limit, deadline, on_event)
        except ProcessEnded:
            channel = self._channel
            raise (channel.closed() if channel else LarderClosed(CLOSED)) from None
        finally:
            if has_slot:
                self._release_slot()

    async def _run(self, call: "Call[Result]") -> Result:
        found = await self.request(call.method, call.params, timeout=call.timeout, on_event=call.on_event)
        return call.shape(found)

    def resource(self, name: str) -> AsyncResource:
        """Returns the catalog's resource with the given name."""
        return AsyncResource(self, name)

    async def status(self) -> Dict[str, Any]:
        """Returns the server's version, catalog and resources, and the problems that degrade the server
        (`server/status`)."""
        status: Dict[str, Any] = await self.call("server/status")
        return status

    async def query(
        self,
        sql: str,
        params: Union[Sequence[Any], Mapping[str, Any], None] = None,
        *,
        max_rows: Optional[int] = None,
        timeout: Optional[float] = None,
        coverage: Optional[str] = None,
        max_age: Optional[Duration] = None,
    ) -> Query:
        """Runs an SQL statement over the cached items, without requests to an API (`cache/query`).

        Each resource is a table. `params` are the values for `?` as a list, or for `:name` as a mapping. `max_rows` is
        1000 by default. `timeout` is the maximum time of the statement in seconds, 5 by default. With
        `coverage="synced"`, `NotSynced` is raised unless each table is a complete local copy; `max_age` also limits the
        age of the copies."""
        return await self._run(query_call(sql, params, max_rows, timeout, coverage, max_age))

    # Closing

    async def close(self, grace: float = 35.0) -> int:
        """Closes the client: sends no more requests, waits for replies in flight and for the exit of the process. The
        process is killed if it has not exited after `grace` seconds. Returns the exit code."""
        self._closed = True
        channel = self._channel
        if channel is None:
            return 0
        channel.exit_timeout = max(grace, 0.1)
        if asyncio.get_running_loop() is not self._loop:
            return await self._close_elsewhere(channel, grace)
        channel.close_input()
        try:
            await asyncio.wait_for(asyncio.shield(channel.stopped), grace)
        except asyncio.TimeoutError:
            channel.process.kill()
            await asyncio.wait([channel.stopped], timeout=1.0)
            # A child of the larder process may hold the pipes open, so the client stops reading after a second.
            code = await asyncio.get_running_loop().run_in_executor(None, channel.process.wait, 1.0)
            channel.stop()
            return code
        except asyncio.CancelledError:
            channel.process.kill()
            raise
        return channel.process.wait(0.0)

    async def _close_elsewhere(self, channel: Channel, grace: float) -> int:
        """Closes the client from another event loop, after its own loop has stopped. No task waits for replies."""
        if self._loop is not None and self._loop.is_running():
            raise RuntimeError(_OTHER_LOOP)
        channel.pending.clear()
        channel.listeners.clear()
        channel.closing = True
        channel.process.close_input()
        # No task reads the process's output. The wait is short, because a full pipe could block the process forever.
        exit_timeout = min(grace, 1.0)  # seconds
        code = await asyncio.get_running_loop().run_in_executor(None, channel.process.wait, exit_timeout)
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

    # Internals

    def _current(self) -> Channel:
        """Returns the channel for the next request. Starts a process at the first call and after a crash."""
        channel = self._channel
        if channel is not None and not channel.ended and not self._closed:
            return channel
        if self._closed:
            raise channel.closed() if channel else LarderClosed(CLOSED)
        if channel is not None and not channel.is_restartable:
            raise channel.closed()
        self._loop = asyncio.get_running_loop()
        self._channel = Channel(self._settings, channel is None, self._loop, self._admit_local_requests)
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
            raise RuntimeError(_OTHER_LOOP)
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
            timer = loop.call_at(deadline, task.time_out, method, limit)
        channel.pending[id] = task
        try:
            if self._dropped_observers:
                channel.write(channel.unobserve(drain(self._dropped_observers), self._ids))
            channel.write(line)
            return await task.future
        except ProcessEnded:
            if not channel.ended:
                raise LarderClosed(CLOSED) from None
            raise
        finally:
            if timer is not None:
                timer.cancel()
            if on_event is not None:
                channel.listeners.pop(token, None)
            # A request is still pending here if it was cancelled or timed out, or if its callback raised an error.
            if channel.pending.pop(id, None) and not channel.ended and not channel.closing:
                channel.write(wire.cancellation(id))

    async def _wait_for_slot(
        self, method: str, params: Optional[Mapping[str, Any]], deadline: Optional[float]
    ) -> bool:
        """Waits until the request may be sent. Returns whether the request occupies a slot; False if the server answers
        it without a request to an API."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._queue.append(_QueuedRequest(future, method, params))
        timer = None if deadline is None else loop.call_at(deadline, _refuse, future, method)
        try:
            return bool(await future)
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and future.exception() is None and future.result():
                self._release_slot()  # The slot was assigned just before the cancellation.
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def _release_slot(self) -> None:
        while self._queue:
            future = self._queue.popleft().future
            if not future.done():
                future.set_result(True)
                return
        self._in_flight -= 1

    def _admit_local_requests(self, channel: Channel) -> None:
        """Releases the queued requests whose methods are local according to the handshake reply."""
        for queued in self._queue:
            if not queued.future.done() and channel.is_local(queued.method, queued.params):
                queued.future.set_result(False)

    def _watch(self, name: str) -> Watch:
        watch = Watch()
        self._current().listeners[name] = watch
        return watch

    def _unwatch(self, watch: Watch, name: str) -> None:
        if self._channel:
            self._channel.listeners.pop(name, None)
        watch.finish(None, None)

    def _after_fork(self) -> None:
        """Leaves the larder process to the parent after a fork. The child's next call starts another larder process."""
        self._queue.clear()
        channel, self._channel, self._in_flight = self._channel, None, 0
        if channel is not None:
            channel.detach_after_fork()


def _deadline_after(seconds: Optional[float]) -> Optional[float]:
    return None if seconds is None or seconds == math.inf else asyncio.get_running_loop().time() + seconds


def _refuse(future: "asyncio.Future[bool]", method: str) -> None:
    if not future.done():
        future.set_exception(NoReply(f"{method} timed out before it was sent: too many requests in flight; retry"))
