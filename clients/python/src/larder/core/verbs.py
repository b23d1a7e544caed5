"""The methods of a resource: their parameters, docstrings and the call that each one sends.

Both clients share these methods. `request_method`, `pages_method` and `observe_method` adapt them to each client.
"""

import math
from typing import Any, Callable, Mapping, Optional, Sequence, TypeVar

from .. import calls, results
from ..calls import CachePolicy, Call, Calls, Duration
from ..results import Explanation, GetMany, Id, Item, ItemResult, ListResult, PageToken, Prefetched, Progress
from ..results import SearchResult
from ..synced import Synced
from .pagination import Pagination
from .subscription import Subscription

R = TypeVar("R")
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
    """Returns the item with the given id. Raises `NotFound` if it does not exist."""
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
    """Returns the items with the given ids, in the order of the ids. `.missing` lists the ids that do not exist."""
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
    """Returns one page of items; the first page by default.

    Other keywords are filters, for example `name="rick"`. If a filter has the name of a parameter, pass it in
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
    """Returns an iterator over the pages of a list, starting at `page` (default: the first page).

    Each page is fetched when the loop reaches it. `.all()` returns the items of all pages."""
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
    """Searches the cached items without a request to an API.

    An item matches if each word of `text` is the start of a word in the item, and if its fields equal the filters.
    Pass filters on nested fields in `filter`, for example `{"origin.name": "unknown"}`."""
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
    """Fetches a whole list into the cache, for later or offline use.

    `progress` is called after each page. It must be a plain function, not a coroutine function. Without `timeout` (in
    seconds), the call takes as long as it needs."""
    return prefetch_list(self, {**(filter or {}), **filters}, max_pages, progress, timeout)


def sync(
    self: Calls[Item],
    /,
    *,
    filter: Optional[Mapping[str, Any]] = None,
    max_age: Optional[Duration] = None,
    whole: bool = False,
    max_requests: Optional[int] = None,
    changes: bool = False,
    accept_removals: bool = False,
    progress: Optional[Callable[[Progress], None]] = None,
    timeout: Optional[float] = None,
    **filters: Any,
) -> "Call[Synced]":
    """Updates the local copy of a whole list: stores new and changed items, and removes items that the API no longer
    has. The first call creates the copy.

    If the last run that ended started at most `max_age` ago, no request is made. `whole=True` reads the list from its
    first page, and ignores `max_age`. After `max_requests`, the run ends, and the next call continues there.
    `changes=True` adds the ids of changed items to the result. `accept_removals=True` lets the run remove more than
    half of over 100 items. `progress` and `timeout` are as in `prefetch`."""
    wanted = {**(filter or {}), **filters}
    return sync_list(self, wanted, max_age, whole, max_requests, changes, accept_removals, progress, timeout)


def observe(
    self: Calls[Item],
    /,
    id: Optional[Id] = None,
    *,
    page: Optional[PageToken] = None,
    filter: Optional[Mapping[str, Any]] = None,
    **filters: Any,
) -> Subscription[Item]:
    """Observes an item or, without an id, a page of a list. Returns an iterator that waits for each change."""
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
    """Explains what a call would do now: `get` if `id` is given, `get_many` if `ids` is given, otherwise `list`. Makes
    no request to an API."""
    wanted = {**(filter or {}), **filters}
    return self.explain(id, ids, page, wanted, cache_policy=cache_policy, max_age=max_age).within(timeout)


# Methods of resources with typed items. They have no parameter `fields`, because a typed item has all its fields


def typed_get(
    self: Calls[T],
    id: Id,
    *,
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    timeout: Optional[float] = None,
) -> "Call[ItemResult[T]]":
    """Returns the item with the given id. Raises `NotFound` if it does not exist."""
    return self.get(id, cache_policy, max_age).within(timeout)


def typed_get_many(
    self: Calls[T],
    ids: Sequence[Id],
    *,
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    timeout: Optional[float] = None,
) -> "Call[GetMany[T]]":
    """Returns the items with the given ids, in the order of the ids. `.missing` lists the ids that do not exist."""
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
    """Searches the cached items without a request to an API.

    An item matches if each word of `text` is the start of a word in the item, and if its fields equal `filter`, for
    example `{"origin.name": "unknown"}`."""
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
    """Explains what a call would do now: `get` if `id` is given, `get_many` if `ids` is given, otherwise `list`. Makes
    no request to an API."""
    return self.explain(id, ids, None, {}, cache_policy=cache_policy, max_age=max_age).within(timeout)


# Methods whose filter is one mapping. Modules generated by `python -m larder.models` also call these methods


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
    return _reporting(self.prefetch(filter, max_pages), progress, timeout)


def sync_list(
    self: Calls[T],
    filter: Mapping[str, Any],
    max_age: Optional[Duration],
    whole: bool,
    max_requests: Optional[int],
    changes: bool,
    accept_removals: bool,
    progress: Optional[Callable[[Progress], None]],
    timeout: Optional[float],
) -> "Call[Synced]":
    call = self.sync(filter, max_age, whole, max_requests, changes, accept_removals)
    return _reporting(call, progress, timeout)


def _reporting(
    call: "Call[R]", progress: Optional[Callable[[Progress], None]], timeout: Optional[float]
) -> "Call[R]":
    """Sets the progress callback of a long call. Without `timeout`, the call takes as long as it needs."""
    calls.refuse_coroutine("progress", progress)
    call.within(math.inf if timeout is None else timeout)
    if progress is not None:
        report = progress

        def on_event(event: Mapping[str, Any]) -> None:
            if event.get("kind") == "report":
                report(results.progress(event))

        call.on_event = on_event
    return call


def observe_any(
    self: Calls[T], id: Optional[Id], page: Optional[PageToken], filter: Mapping[str, Any]
) -> Subscription[T]:
    return Subscription(self, id, page, filter)
