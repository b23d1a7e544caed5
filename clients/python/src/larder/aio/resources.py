"""What hangs on an `AsyncLarder`: resources, recent searches, the cache."""

import math
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, List, Mapping, Optional, Sequence, TypeVar, Union

from .. import calls, results
from ..calls import CachePolicy, Call, Calls, Duration, Result
from ..results import Explanation, GetMany, Id, Item, ItemResult, ListResult, PageToken, Prefetched, Progress
from ..results import SearchResult
from .iterators import AsyncObservation, AsyncPages

if TYPE_CHECKING:
    from .client import AsyncLarder

T = TypeVar("T")


class AsyncResourceOf(Generic[T]):
    """A resource whose items are of one type. The clients that `python -m larder.models` makes are built on it."""

    def __init__(self, larder: "AsyncLarder", calls: Calls[T]) -> None:
        self._larder, self._calls = larder, calls

    @property
    def name(self) -> str:
        return self._calls.name

    async def get(
        self,
        id: Id,
        *,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        timeout: Optional[float] = None,
    ) -> ItemResult[T]:
        """The item with this id; raises `NotFound` when there is none."""
        return await self._run(self._calls.get(id, cache_policy=cache_policy, max_age=max_age), timeout)

    async def get_many(
        self,
        ids: Sequence[Id],
        *,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        timeout: Optional[float] = None,
    ) -> GetMany[T]:
        """The items with these ids, in this order; what does not exist is in `.missing`."""
        return await self._run(self._calls.get_many(ids, cache_policy=cache_policy, max_age=max_age), timeout)

    async def search(
        self,
        text: Optional[str] = None,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> SearchResult[T]:
        """What is in the cache, never the network: each word of the text is the beginning of one in the item. `filter`
        has fields of the item, as `{"origin.name": "unknown"}`."""
        return await self._run(self._calls.search(text, filter or {}, limit, offset, None), timeout)

    async def explain(
        self,
        id: Optional[Id] = None,
        *,
        ids: Optional[Sequence[Id]] = None,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        timeout: Optional[float] = None,
    ) -> Explanation:
        """What a `get` of this id, a `get_many` of these ids or else a `list` would do now, without doing it."""
        call = self._calls.explain(id, ids, None, {}, cache_policy=cache_policy, max_age=max_age)
        return await self._run(call, timeout)

    async def _list(
        self, page: Optional[PageToken], filter: Mapping[str, Any], timeout: Optional[float], **options: Any
    ) -> ListResult[T]:
        return await self._run(self._calls.list(page, filter, **options), timeout)

    def _pages(
        self, page: Optional[PageToken], filter: Mapping[str, Any], timeout: Optional[float], **options: Any
    ) -> AsyncPages[T]:
        return AsyncPages(page, lambda page: self._list(page, filter, timeout, **options))

    async def _prefetch(
        self,
        filter: Mapping[str, Any],
        max_pages: Optional[int],
        progress: Optional[Callable[[Progress], None]],
        timeout: Optional[float],
    ) -> Prefetched:
        calls.refuse_coroutine("progress", progress)
        call = self._calls.prefetch(filter, max_pages)

        def tell(event: Mapping[str, Any]) -> None:
            if progress is not None and event.get("kind") == "report":
                progress(results.progress(event))

        limit = math.inf if timeout is None else timeout
        found = await self._larder.request(call.method, call.params, timeout=limit, on_event=tell if progress else None)
        return call.shape(found)

    def _observe(
        self, id: Optional[Id], page: Optional[PageToken], filter: Mapping[str, Any]
    ) -> AsyncObservation[T]:
        return AsyncObservation(self._larder, self._calls, lambda name: self._calls.observe(id, page, filter, name))

    async def _run(self, call: "Call[Result]", timeout: Optional[float]) -> Result:
        return await self._larder._run(call, timeout)

    def __repr__(self) -> str:
        scope = "".join(f", {name} {value}" for name, value in self._calls.scope.items())
        return f"<larder resource {self.name}{scope}>"


class AsyncResource(AsyncResourceOf[Item]):
    """A kind of thing that the catalog declares, as `larder.character`. Every method takes a `timeout` in seconds for
    itself alone; `fields` picks what items show, as `["name", "origin.name"]`."""

    def __init__(self, larder: "AsyncLarder", name: str, scope: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(larder, Calls(name, scope))

    def at(self, /, **scope: Any) -> "AsyncResource":
        """The same resource below these parents, as `larder.issue.at(owner="apple", repo="swift")`."""
        return AsyncResource(self._larder, self.name, {**self._calls.scope, **scope})

    async def get(
        self,
        id: Id,
        *,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        timeout: Optional[float] = None,
        fields: Optional[Sequence[str]] = None,
    ) -> ItemResult[Item]:
        """The item with this id; raises `NotFound` when there is none."""
        return await self._run(self._calls.get(id, cache_policy=cache_policy, max_age=max_age, fields=fields), timeout)

    async def get_many(
        self,
        ids: Sequence[Id],
        *,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        timeout: Optional[float] = None,
        fields: Optional[Sequence[str]] = None,
    ) -> GetMany[Item]:
        """The items with these ids, in this order; what does not exist is in `.missing`."""
        call = self._calls.get_many(ids, cache_policy=cache_policy, max_age=max_age, fields=fields)
        return await self._run(call, timeout)

    async def list(
        self,
        /,
        page: Optional[PageToken] = None,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        timeout: Optional[float] = None,
        fields: Optional[Sequence[str]] = None,
        **filters: Any,
    ) -> ListResult[Item]:
        """One page of items. More keywords are filters, as `name="rick"`; one whose name is taken here goes into
        `filter={...}`."""
        wanted = {**(filter or {}), **filters}
        return await self._list(page, wanted, timeout, cache_policy=cache_policy, max_age=max_age, fields=fields)

    def pages(
        self,
        /,
        page: Optional[PageToken] = None,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        timeout: Optional[float] = None,
        fields: Optional[Sequence[str]] = None,
        **filters: Any,
    ) -> AsyncPages[Item]:
        """Every page from `page` (default: the first) on, each fetched when the loop comes to it; `.all()` has the
        items of all."""
        wanted = {**(filter or {}), **filters}
        return self._pages(page, wanted, timeout, cache_policy=cache_policy, max_age=max_age, fields=fields)

    async def search(
        self,
        /,
        text: Optional[str] = None,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
        fields: Optional[Sequence[str]] = None,
        **filters: Any,
    ) -> SearchResult[Item]:
        """What is in the cache, never the network: each word of the text is the beginning of one in the item. Filters
        are fields of the item; a nested one goes into `filter={"origin.name": "unknown"}`."""
        return await self._run(self._calls.search(text, {**(filter or {}), **filters}, limit, offset, fields), timeout)

    async def prefetch(
        self,
        /,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        max_pages: Optional[int] = None,
        progress: Optional[Callable[[Progress], None]] = None,
        timeout: Optional[float] = None,
        **filters: Any,
    ) -> Prefetched:
        """Fetches a whole list, so that it is there later, also offline. `progress`, a plain function and no `async`
        one, is called after each page. It may take as long as it likes, unless there is a `timeout`."""
        return await self._prefetch({**(filter or {}), **filters}, max_pages, progress, timeout)

    def observe(
        self,
        /,
        id: Optional[Id] = None,
        *,
        page: Optional[PageToken] = None,
        filter: Optional[Mapping[str, Any]] = None,
        **filters: Any,
    ) -> AsyncObservation[Item]:
        """The changes of an item or, without an id, of a page, as an iterator that waits for the next one."""
        return self._observe(id, page, {**(filter or {}), **filters})

    async def explain(
        self,
        /,
        id: Optional[Id] = None,
        *,
        ids: Optional[Sequence[Id]] = None,
        page: Optional[PageToken] = None,
        filter: Optional[Mapping[str, Any]] = None,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        timeout: Optional[float] = None,
        **filters: Any,
    ) -> Explanation:
        """What a `get` of this id, a `get_many` of these ids or else a `list` would do now, without doing it."""
        wanted = {**(filter or {}), **filters}
        return await self._run(
            self._calls.explain(id, ids, page, wanted, cache_policy=cache_policy, max_age=max_age), timeout
        )


class AsyncRecents:
    """Recent searches: newest first, without duplicates, at most five for each scope. Each method returns the list."""

    def __init__(self, larder: "AsyncLarder") -> None:
        self._larder = larder

    async def add(self, text: str, *, scope: Optional[str] = None) -> List[str]:
        return await self._larder._run(calls.recents("add", text, scope))

    async def remove(self, text: str, *, scope: Optional[str] = None) -> List[str]:
        return await self._larder._run(calls.recents("remove", text, scope))

    async def clear(self, *, scope: Optional[str] = None) -> List[str]:
        return await self._larder._run(calls.recents("clear", None, scope))

    async def list(self, *, scope: Optional[str] = None) -> List[str]:
        return await self._larder._run(calls.recents("list", None, scope))


class AsyncCache:
    """The cache below all resources."""

    def __init__(self, larder: "AsyncLarder") -> None:
        self._larder = larder

    async def stats(self) -> Dict[str, Any]:
        """Entries, bytes, hits and misses of memory and disk, and what was asked of the remotes."""
        stats: Dict[str, Any] = await self._larder.call("cache/stats")
        return stats

    async def invalidate(
        self,
        resource: Optional[str] = None,
        *,
        id: Optional[Id] = None,
        ids: Optional[Sequence[Id]] = None,
        older_than: Optional[Duration] = None,
        pages: Union[bool, Mapping[str, Any], None] = None,
        scope: Optional[Mapping[str, Any]] = None,
    ) -> int:
        """Marks entries as stale: the next use asks the remote, and they stay for when it fails. Returns how many.
        `pages` is True for those of all lists, or `{"filter": {...}}` for those of one."""
        return await self._larder._run(calls.selection("invalidate", resource, id, ids, older_than, pages, scope))

    async def remove(
        self,
        resource: Optional[str] = None,
        *,
        id: Optional[Id] = None,
        ids: Optional[Sequence[Id]] = None,
        older_than: Optional[Duration] = None,
        pages: Union[bool, Mapping[str, Any], None] = None,
        scope: Optional[Mapping[str, Any]] = None,
    ) -> int:
        """Deletes entries; without a selector all of them. Returns how many."""
        return await self._larder._run(calls.selection("remove", resource, id, ids, older_than, pages, scope))
