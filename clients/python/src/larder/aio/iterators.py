"""The iterators of tasks: the pages of a list, the changes of what is observed."""

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
    """The pages of a list from one on, each fetched when the loop comes to it. A page that was there already ends the
    loop: the cursors of some APIs go round in a circle. A loop continues after the last page that was fetched, also
    after an error; `all()` and `records()` start again each time."""

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
        """The items of the pages that a loop would come to, one after the other."""
        async for page in self:
            for item in page.items:
                yield item

    async def all(self) -> List[T]:
        """The items of all pages."""
        return [item async for page in self._from_start() for item in page.items]

    async def records(self) -> List[Dict[str, Any]]:
        """All items as flat dictionaries, as `pandas.DataFrame` takes them."""
        return [record async for page in self._from_start() for record in page.records()]

    def _from_start(self) -> "AsyncPages[T]":
        return AsyncPages(self._larder, self._pagination.from_start())


class AsyncObservation(ObservationBase["AsyncLarder", T]):
    """An iterator over changes: `async with larder.character.observe(1) as changes`, which waits until the process
    watches. Without `async with` the request is sent as soon as the loop runs on, even before the first change is
    awaited. After a crash of the process it continues with the next one; changes between the two are not reported."""

    def __init__(self, larder: "AsyncLarder", subscription: Subscription[T]) -> None:
        super().__init__(larder, subscription)
        self._watch: Optional[Watch] = None
        self._shape: Callable[[Mapping[str, Any]], Change[T]]  # once it watches
        self._first: Optional["asyncio.Task[None]"] = None
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # It begins when the first change is awaited.
        self._first = loop.create_task(self._begin())
        self._first.add_done_callback(_heed)

    async def next(self, timeout: Optional[float] = None) -> Change[T]:
        """The next change; raises `NoReply` if none came within `timeout` seconds."""
        try:
            return await asyncio.wait_for(self._next(), timeout)
        except asyncio.TimeoutError:
            raise NoReply(f"no change within {timeout:g} seconds") from None

    async def _next(self) -> Change[T]:
        while not self._closed:
            if self._watch is None or (self._watch.done and not self._watch.events):
                await self._watching()
            else:
                await self._watch.wait()
                if self._watch.events:
                    return self._shape(self._watch.events.popleft())
        raise StopAsyncIteration

    async def _watching(self) -> None:
        first = self._first
        if first is None:
            return await self._begin()
        try:
            # A task that gives up waiting does not end what other tasks wait for.
            await asyncio.shield(first)
        except asyncio.CancelledError:
            if not (self._closed and first.cancelled()):
                raise
        finally:
            if first.done():
                self._first = None

    async def _begin(self) -> None:
        # At first, and after a crash.
        self._watch = None
        watch = self._larder._watch(self._rename())
        self._belongs_to(self._larder._channel)
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
        if not self._closes():
            return
        if self._first is not None:
            self._first.cancel()
        if self._watch is None or self._watch.done:
            return
        self._larder._unwatch(self._watch, self._name)
        try:
            await self._larder._run(self._subscription.end(self._name))
        except LarderError:
            pass  # The process has ended, and the observer with it; or the catalog no longer has the resource.

    async def __aenter__(self) -> "AsyncObservation[T]":
        if self._watch is None:
            await self._watching()
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


def _heed(task: "asyncio.Task[None]") -> None:
    """Keeps asyncio from logging a failure that no task awaits. A task that awaits a change gets it."""
    if not task.cancelled():
        task.exception()
