"""What tasks walk over: the pages of a list, the changes of what is observed."""

import asyncio
import weakref
from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Dict, Generic, List, Mapping, Optional
from typing import TypeVar

from ..calls import Calls
from ..errors import LarderError, NoReply
from ..iterators import Subscription, new_name
from ..results import Change, ListResult, PageToken
from ..session import Abandoned
from .channel import Watch

if TYPE_CHECKING:
    from .client import AsyncLarder

T = TypeVar("T")


class AsyncPages(Generic[T]):
    """The pages of a list from one on, each fetched when the loop comes to it. A page that was there already ends the
    loop: some APIs' cursors go round in a circle. A loop goes on where the last one was left, also after an error;
    `all()` and `records()` begin anew, each time."""

    def __init__(
        self, start: Optional[PageToken], fetch: Callable[[Optional[PageToken]], Awaitable[ListResult[T]]]
    ) -> None:
        self._fetch, self._start, self._next = fetch, start, start
        self._seen = set() if start is None else {start}
        self._done = False

    def __aiter__(self) -> "AsyncPages[T]":
        return self

    async def __anext__(self) -> ListResult[T]:
        if self._done:
            raise StopAsyncIteration
        result = await self._fetch(self._next)
        self._next = result.page.next
        self._done = self._next is None or self._next in self._seen
        if self._next is not None:
            self._seen.add(self._next)
        return result

    async def items(self) -> AsyncIterator[T]:
        """The items of the pages that a loop would come to, one after the other."""
        async for page in self:
            for item in page.items:
                yield item

    async def all(self) -> List[T]:
        """The items of all pages."""
        return [item async for page in AsyncPages(self._start, self._fetch) for item in page.items]

    async def records(self) -> List[Dict[str, Any]]:
        """All items as flat dictionaries, as `pandas.DataFrame` takes them."""
        return [record async for page in AsyncPages(self._start, self._fetch) for record in page.records()]


class AsyncObservation(Generic[T]):
    """An iterator over changes: `async with larder.character.observe(1) as changes`, which waits until the process
    watches. Without that it is asked to as soon as the loop runs on, whenever the first change is awaited. After a
    crash of the process it goes on with the next one, and does not tell what changed between the two."""

    def __init__(self, larder: "AsyncLarder", calls: "Calls[Any]", subscription: "Subscription[T]") -> None:
        self._larder, self._calls, self._subscription = larder, calls, subscription
        self._name = ""
        self._closed = False
        self._watch: Optional[Watch] = None
        self._mark = Abandoned(calls.name)
        self._dropped = weakref.finalize(self, larder._abandoned.append, self._mark)
        self._shape: Callable[[Mapping[str, Any]], Change[T]]  # once it watches
        self._first: Optional["asyncio.Task[None]"] = None
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # It begins when the first change is awaited.
        self._first = loop.create_task(self._begin())
        self._first.add_done_callback(_heed)

    async def next(self, timeout: Optional[float] = None) -> Change[T]:
        """The next change; raises `NoReply` where none came within `timeout` seconds."""
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
            # Who gives up waiting does not end what others wait for.
            await asyncio.shield(first)
        except asyncio.CancelledError:
            if not (self._closed and first.cancelled()):
                raise
        finally:
            if first.done():
                self._first = None

    async def _begin(self) -> None:
        # At first, and after a crash. Under a new name each time: the process may know the last one, where its reply
        # came too late for the task that waited.
        self._name, self._watch = new_name(), None
        watch = self._larder._watch(self._name)
        self._mark.session, self._mark.name = self._larder._channel, self._name
        try:
            self._shape = await self._larder._run(self._subscription(self._name))
            self._watch = watch
        finally:
            if self._watch is None:
                self._larder._unwatch(watch, self._name)

    def __aiter__(self) -> "AsyncObservation[T]":
        return self

    async def __anext__(self) -> Change[T]:
        return await self._next()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._dropped.detach()
        if self._first is not None:
            self._first.cancel()
        if self._watch is None or self._watch.done:
            return
        self._larder._unwatch(self._watch, self._name)
        try:
            await self._larder._run(self._calls.unobserve(self._name))
        except LarderError:
            pass  # The process has ended, and the observer with it; or the catalog has no such thing any more.

    async def __aenter__(self) -> "AsyncObservation[T]":
        if self._watch is None:
            await self._watching()
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


def _heed(task: "asyncio.Task[None]") -> None:
    """What failed is told to whoever awaits a change; asyncio is not to complain where nobody does."""
    if not task.cancelled():
        task.exception()
