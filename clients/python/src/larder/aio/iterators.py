"""The asynchronous iterators: pages of a list, and changes of an observed item or page."""

import asyncio
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, Generic, List, Mapping, Optional, TypeVar

from ..core.pagination import Pagination
from ..core.subscription import ObservationBase, Subscription
from ..errors import LarderError, NoReply
from ..results import Change, ListResult
from .channel import Watch

if TYPE_CHECKING:
    from .client import AsyncLarder

T = TypeVar("T")


class AsyncPages(Generic[T]):
    """An asynchronous iterator over the pages of a list. Each page is fetched when the loop reaches it.

    A page token that was used before ends the loop, because some APIs repeat tokens forever. A second loop continues
    after the last fetched page, even after an error. `all()` and `records()` always start at the first page."""

    def __init__(self, larder: "AsyncLarder", pagination: Pagination[T]) -> None:
        self._larder, self._pagination = larder, pagination

    def __aiter__(self) -> "AsyncPages[T]":
        return self

    async def __anext__(self) -> ListResult[T]:
        call = self._pagination.next
        if call is None:
            raise StopAsyncIteration
        return self._pagination.note(await self._larder._run(call))

    async def items(self) -> AsyncIterator[T]:
        """Iterates over the items of all remaining pages."""
        async for page in self:
            for item in page.items:
                yield item

    async def all(self) -> List[T]:
        """Returns the items of all pages, from the first page on."""
        return [item async for page in self._from_start() for item in page.items]

    async def records(self) -> List[Dict[str, Any]]:
        """Returns the items of all pages as flat dictionaries, for example for `pandas.DataFrame`."""
        return [record async for page in self._from_start() for record in page.records()]

    def _from_start(self) -> "AsyncPages[T]":
        return AsyncPages(self._larder, self._pagination.from_start())


class AsyncObservation(ObservationBase["AsyncLarder", T]):
    """An asynchronous iterator over the changes of an item or page.

    `async with larder.character.observe(1) as changes` waits until the process has started to observe. Without `async
    with`, the observe request is sent in the next turn of the event loop. After a crash of the process, the observation
    continues with a new process. Changes in the meantime are not reported."""

    def __init__(self, larder: "AsyncLarder", subscription: Subscription[T]) -> None:
        super().__init__(larder, subscription)
        self._watch: Optional[Watch] = None
        self._shape: Callable[[Mapping[str, Any]], Change[T]]  # set when the process has started to observe
        self._start_task: Optional["asyncio.Task[None]"] = None
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # Without a running loop, the observation starts when the first change is awaited.
        self._start_task = loop.create_task(self._begin())
        self._start_task.add_done_callback(_retrieve_exception)

    async def next(self, timeout: Optional[float] = None) -> Change[T]:
        """Returns the next change. Raises `NoReply` if there is no change within `timeout` seconds."""
        try:
            return await asyncio.wait_for(self._next(), timeout)
        except asyncio.TimeoutError:
            raise NoReply(f"no change within {timeout:g} seconds") from None

    async def _next(self) -> Change[T]:
        while not self._closed:
            if self._watch is None or (self._watch.done and not self._watch.events):
                await self._ensure_observing()
            else:
                await self._watch.wait()
                if self._watch.events:
                    return self._shape(self._watch.events.popleft())
        raise StopAsyncIteration

    async def _ensure_observing(self) -> None:
        task = self._start_task
        if task is None:
            return await self._begin()
        try:
            # Cancelling this task must not cancel the observe request, because other tasks may wait for it too.
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if not (self._closed and task.cancelled()):
                raise
        finally:
            if task.done():
                self._start_task = None

    async def _begin(self) -> None:
        # Called at the start of the observation and again after each crash of the process.
        self._watch = None
        watch = self._larder._watch(self._new_name())
        self._attach_to(self._larder._channel)
        try:
            self._shape = await self._larder._run(self._subscription.start(self._name))
            self._watch = watch
        finally:
            if self._watch is None:
                self._larder._unwatch(watch, self._name)

    def __aiter__(self) -> "AsyncObservation[T]":
        return self

    async def __anext__(self) -> Change[T]:
        return await self._next()

    async def close(self) -> None:
        if not self._mark_closed():
            return
        if self._start_task is not None:
            self._start_task.cancel()
        if self._watch is None or self._watch.done:
            return
        self._larder._unwatch(self._watch, self._name)
        try:
            await self._larder._run(self._subscription.end(self._name))
        except LarderError:
            pass  # The process has exited, or its reloaded catalog lacks the resource.

    async def __aenter__(self) -> "AsyncObservation[T]":
        if self._watch is None:
            await self._ensure_observing()
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


def _retrieve_exception(task: "asyncio.Task[None]") -> None:
    """Marks the exception of a failed start as retrieved, so that asyncio does not log it. `next()` raises it."""
    if not task.cancelled():
        task.exception()
