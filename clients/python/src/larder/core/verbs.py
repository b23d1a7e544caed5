"""The methods of a resource, each written once: their parameters, their text, and the call that they send.

Both clients make their own methods of these functions, with `asked`, `paged` and `observed`.
"""

import math
from typing import Any, Callable, Mapping, Optional, Sequence, TypeVar

from .. import calls, results
from ..calls import CachePolicy, Call, Calls, Duration
from ..results import Explanation, GetMany, Id, Item, ItemResult, ListResult, PageToken, Prefetched, Progress
from ..results import SearchResult
from .pagination import Pagination
from .subscription import Subscription

T = TypeVar("T")


def get(
    self: Calls[Item],
    id: Id,
    *,
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    timeout: Optional[float] = None,
    fields: Optional[Sequence[str]] = None,
) -> "Call[ItemResult[Item]]":
    """The item with this id; raises `NotFound` when there is none."""
    return self.get(id, cache_policy, max_age, fields).within(timeout)


def get_many(
    self: Calls[Item],
    ids: Sequence[Id],
    *,
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    timeout: Optional[float] = None,
    fields: Optional[Sequence[str]] = None,
) -> "Call[GetMany[Item]]":
    """The items with these ids, in this order; ids that do not exist are in `.missing`."""
    call = self.get_many(ids, cache_policy=cache_policy, max_age=max_age, fields=fields)
    return call.within(timeout)


def list_(
    self: Calls[Item],
    /,
    page: Optional[PageToken] = None,
    *,
    filter: Optional[Mapping[str, Any]] = None,
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    timeout: Optional[float] = None,
    fields: Optional[Sequence[str]] = None,
    **filters: Any,
) -> "Call[ListResult[Item]]":
    """One page of items. More keywords are filters, as `name="rick"`; one whose name is taken here goes into
    `filter={...}`."""
    wanted = {**(filter or {}), **filters}
    return list_page(self, page, wanted, timeout, cache_policy=cache_policy, max_age=max_age, fields=fields)


def pages(
    self: Calls[Item],
    /,
    page: Optional[PageToken] = None,
    *,
    filter: Optional[Mapping[str, Any]] = None,
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    timeout: Optional[float] = None,
    fields: Optional[Sequence[str]] = None,
    **filters: Any,
) -> Pagination[Item]:
    """Every page from `page` (default: the first) on, each fetched when the loop comes to it; `.all()` has the items
    of all."""
    wanted = {**(filter or {}), **filters}
    return list_pages(self, page, wanted, timeout, cache_policy=cache_policy, max_age=max_age, fields=fields)


def search(
    self: Calls[Item],
    /,
    text: Optional[str] = None,
    *,
    filter: Optional[Mapping[str, Any]] = None,
    limit: Optional[int] = None,
    offset: Optional[int] = None,
    timeout: Optional[float] = None,
    fields: Optional[Sequence[str]] = None,
    **filters: Any,
) -> "Call[SearchResult[Item]]":
    """Items in the cache; no API is asked. Each word of the text is the beginning of a word in the item. Filters are
    fields of the item; a nested one goes into `filter={"origin.name": "unknown"}`."""
    return self.search(text, {**(filter or {}), **filters}, limit, offset, fields).within(timeout)


def prefetch(
    self: Calls[Item],
    /,
    *,
    filter: Optional[Mapping[str, Any]] = None,
    max_pages: Optional[int] = None,
    progress: Optional[Callable[[Progress], None]] = None,
    timeout: Optional[float] = None,
    **filters: Any,
) -> "Call[Prefetched]":
    """Fetches a whole list into the cache, for later and for offline use. `progress` is called after each page; it is
    a plain function, not an `async` one. There is no time limit unless `timeout` is given."""
    return prefetch_list(self, {**(filter or {}), **filters}, max_pages, progress, timeout)


def observe(
    self: Calls[Item],
    /,
    id: Optional[Id] = None,
    *,
    page: Optional[PageToken] = None,
    filter: Optional[Mapping[str, Any]] = None,
    **filters: Any,
) -> Subscription[Item]:
    """The changes of an item or, without an id, of a page, as an iterator that waits for the next one."""
    return observe_any(self, id, page, {**(filter or {}), **filters})


def explain(
    self: Calls[Item],
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
) -> "Call[Explanation]":
    """What a `get` of this id, a `get_many` of these ids or else a `list` would do now, without doing it."""
    wanted = {**(filter or {}), **filters}
    return self.explain(id, ids, page, wanted, cache_policy=cache_policy, max_age=max_age).within(timeout)


# Resources whose items have a type of their own: they are always whole, so that there is no `fields`


def typed_get(
    self: Calls[T],
    id: Id,
    *,
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    timeout: Optional[float] = None,
) -> "Call[ItemResult[T]]":
    """The item with this id; raises `NotFound` when there is none."""
    return self.get(id, cache_policy, max_age).within(timeout)


def typed_get_many(
    self: Calls[T],
    ids: Sequence[Id],
    *,
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    timeout: Optional[float] = None,
) -> "Call[GetMany[T]]":
    """The items with these ids, in this order; ids that do not exist are in `.missing`."""
    return self.get_many(ids, cache_policy=cache_policy, max_age=max_age).within(timeout)


def typed_search(
    self: Calls[T],
    text: Optional[str] = None,
    *,
    filter: Optional[Mapping[str, Any]] = None,
    limit: Optional[int] = None,
    offset: Optional[int] = None,
    timeout: Optional[float] = None,
) -> "Call[SearchResult[T]]":
    """Items in the cache; no API is asked. Each word of the text is the beginning of a word in the item. `filter` has
    fields of the item, as `{"origin.name": "unknown"}`."""
    return self.search(text, filter or {}, limit, offset, None).within(timeout)


def typed_explain(
    self: Calls[T],
    id: Optional[Id] = None,
    *,
    ids: Optional[Sequence[Id]] = None,
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    timeout: Optional[float] = None,
) -> "Call[Explanation]":
    """What a `get` of this id, a `get_many` of these ids or else a `list` would do now, without doing it."""
    return self.explain(id, ids, None, {}, cache_policy=cache_policy, max_age=max_age).within(timeout)


# With a filter as one mapping. The modules that `python -m larder.models` prints call these, too


def list_page(
    self: Calls[T],
    /,
    page: Optional[PageToken],
    filter: Mapping[str, Any],
    timeout: Optional[float],
    **options: Any,
) -> "Call[ListResult[T]]":
    return self.list(page, filter, **options).within(timeout)


def list_pages(
    self: Calls[T],
    /,
    page: Optional[PageToken],
    filter: Mapping[str, Any],
    timeout: Optional[float],
    **options: Any,
) -> Pagination[T]:
    return Pagination(page, lambda page: list_page(self, page, filter, timeout, **options))


def prefetch_list(
    self: Calls[T],
    filter: Mapping[str, Any],
    max_pages: Optional[int],
    progress: Optional[Callable[[Progress], None]],
    timeout: Optional[float],
) -> "Call[Prefetched]":
    calls.refuse_coroutine("progress", progress)
    call = self.prefetch(filter, max_pages).within(math.inf if timeout is None else timeout)
    if progress is not None:
        report = progress

        def tell(event: Mapping[str, Any]) -> None:
            if event.get("kind") == "report":
                report(results.progress(event))

        call.on_event = tell
    return call


def observe_any(
    self: Calls[T], id: Optional[Id], page: Optional[PageToken], filter: Mapping[str, Any]
) -> Subscription[T]:
    return Subscription(self, id, page, filter)
