"""JSON-RPC calls as values: the method, its params and the conversion of the result. Both clients send them."""

import inspect
from datetime import timedelta
from typing import Any, Callable, Dict, Generic, List, Literal, Mapping, Optional, Sequence, TypeVar, Union

from . import results
from .results import Change, Explanation, GetMany, Id, Item, ItemResult, ListResult, PageToken, Prefetched, SearchResult
from .synced import Synced, synced

CachePolicy = Literal["localFirst", "remoteFirst", "none", "localOnly"]

# Seconds, a timedelta, or a string such as "90s", "5m", "12h" or "30d".
Duration = Union[int, float, str, timedelta]

Result = TypeVar("Result")
T = TypeVar("T")


class Call(Generic[Result]):
    """A request and the function that converts its result."""

    # Hot path: most calls set neither of these attributes, so their defaults are class attributes.
    timeout: Optional[float] = None  # seconds; None means the timeout of the client
    on_event: Optional[Callable[[Mapping[str, Any]], None]] = None

    def __init__(self, method: str, params: Dict[str, Any], shape: Callable[[Any], Result]) -> None:
        self.method, self.params, self.shape = method, params, shape

    def within(self, timeout: Optional[float]) -> "Call[Result]":
        """Sets the timeout of this call in seconds, unless it is None, and returns the call."""
        if timeout is not None:
            self.timeout = timeout
        return self


class Calls(Generic[T]):
    """Makes the calls of one resource. `item` converts a single item, and `listed` converts an item of a list. If both
    are None, items stay dictionaries."""

    def __init__(
        self,
        name: str,
        scope: Optional[Mapping[str, Any]] = None,
        item: Optional[Callable[[Item], T]] = None,
        listed: Optional[Callable[[Item], T]] = None,
    ) -> None:
        self.name, self.scope = name, dict(scope or {})
        self._item, self._listed = item, listed or item
        self._get = f"{name}/get"

    def at(self, scope: Mapping[str, Any]) -> "Calls[T]":
        return Calls(self.name, {**self.scope, **scope}, self._item, self._listed)

    def get(
        self,
        id: Id,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        fields: Optional[Sequence[str]] = None,
    ) -> "Call[ItemResult[T]]":
        # Hot path: every read of a cached item calls this method.
        params = {**self.scope, "id": id} if self.scope else {"id": id}  # type: Dict[str, Any]
        if cache_policy is not None or max_age is not None or fields is not None:
            params.update(present(read_params(cache_policy, max_age, fields)))
        return Call(self._get, params, self._as_item)

    def _as_item(self, found: Mapping[str, Any]) -> "ItemResult[T]":
        return results.item_result(found, self._item)

    def list(self, page: Optional[PageToken], filter: Mapping[str, Any], **options: Any) -> "Call[ListResult[T]]":
        params = {"page": page, "filter": filter or None, **read_params(**options)}
        return self._call("list", params, lambda found: results.list_result(found, self._listed))

    def get_many(self, ids: Sequence[Id], **options: Any) -> "Call[GetMany[T]]":
        params = {"ids": _checked_list("ids", ids), **read_params(**options)}
        return self._call("getMany", params, lambda found: results.many_result(found, self._item))

    def search(
        self,
        text: Optional[str],
        filter: Mapping[str, Any],
        limit: Optional[int],
        offset: Optional[int],
        fields: Optional[Sequence[str]],
    ) -> "Call[SearchResult[T]]":
        shown = _checked_list("fields", fields)
        params = {"text": text, "filter": filter or None, "limit": limit, "offset": offset, "fields": shown}
        return self._call("search", params, lambda found: results.search_result(found, self._item))

    def prefetch(self, filter: Mapping[str, Any], max_pages: Optional[int]) -> "Call[Prefetched]":
        return self._call("prefetch", {"filter": filter or None, "maxPages": max_pages}, results.prefetched)

    def sync(
        self,
        filter: Mapping[str, Any],
        max_age: Optional[Duration],
        whole: bool,
        max_requests: Optional[int],
        changes: bool,
        accept_removals: bool,
    ) -> "Call[Synced]":
        params = {
            "filter": filter or None,
            "maxAge": seconds(max_age),
            "whole": whole or None,
            "maxRequests": max_requests,
            "changes": changes or None,
            "acceptRemovals": accept_removals or None,
        }
        return self._call("sync", params, synced)

    def observe(
        self, id: Optional[Id], page: Optional[PageToken], filter: Mapping[str, Any], observer: str
    ) -> "Call[Callable[[Mapping[str, Any]], Change[T]]]":
        params = {"id": id, "page": page, "filter": filter or None, "observer": observer}
        return self._call("observe", params, lambda _: self._change)

    def _change(self, event: Mapping[str, Any]) -> "Change[T]":
        return results.change(event, self._item, self._listed)

    def unobserve(self, observer: str) -> "Call[None]":
        return Call(f"{self.name}/unobserve", {"observer": observer}, lambda _: None)

    def explain(
        self,
        id: Optional[Id],
        ids: Optional[Sequence[Id]],
        page: Optional[PageToken],
        filter: Mapping[str, Any],
        **options: Any,
    ) -> "Call[Explanation]":
        if id is not None:
            asked: Call[Any] = self.get(id, **options)
        elif ids is not None:
            asked = self.get_many(ids, **options)
        else:
            asked = self.list(page, filter, **options)
        params = {"method": asked.method, "params": asked.params}
        return Call("request/explain", params, results.explanation)

    def _call(self, verb: str, params: Mapping[str, Any], shape: Callable[[Any], Result]) -> "Call[Result]":
        return Call(f"{self.name}/{verb}", present({**self.scope, **params}), shape)


def read_params(
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    fields: Optional[Sequence[str]] = None,
) -> Dict[str, Any]:
    """Returns the params of all reading methods: the cache policy, the maximum age and the fields to return."""
    return {"cachePolicy": cache_policy, "maxAge": seconds(max_age), "fields": _checked_list("fields", fields)}


class RecentsCalls:
    """Makes the calls for recent searches. Each call returns the list of recent searches, newest first."""

    def add(self, text: str, *, scope: Optional[str] = None) -> "Call[List[str]]":
        return self._call("add", text, scope)

    def remove(self, text: str, *, scope: Optional[str] = None) -> "Call[List[str]]":
        return self._call("remove", text, scope)

    def clear(self, *, scope: Optional[str] = None) -> "Call[List[str]]":
        return self._call("clear", None, scope)

    def list(self, *, scope: Optional[str] = None) -> "Call[List[str]]":
        return self._call("list", None, scope)

    def _call(self, verb: str, text: Optional[str], scope: Optional[str]) -> "Call[List[str]]":
        return Call(f"recents/{verb}", present({"text": text, "scope": scope}), lambda found: [*found["recents"]])


class CacheCalls:
    """Makes the calls for the cache of all resources."""

    def stats(self) -> "Call[Dict[str, Any]]":
        """Returns the entries, bytes, hits and misses of memory and disk, and the number of requests to each API."""
        return Call("cache/stats", {}, dict)

    def syncs(self) -> "Call[List[Dict[str, Any]]]":
        """Returns the local copies of lists that `sync` has made, and their states."""
        return Call("cache/syncs", {}, lambda found: [*found["syncs"]])

    def invalidate(
        self,
        resource: Optional[str] = None,
        *,
        id: Optional[Id] = None,
        ids: Optional[Sequence[Id]] = None,
        older_than: Optional[Duration] = None,
        pages: Union[bool, Mapping[str, Any], None] = None,
        scope: Optional[Mapping[str, Any]] = None,
    ) -> "Call[int]":
        """Marks entries as stale and returns their number.

        The next read of a stale entry asks the API. If the API fails, the stale entry is returned. Without arguments,
        all entries are selected. `older_than` is a minimum age, in seconds or as a string such as "5m".
        `pages=True` selects the pages of all lists, `pages={"filter": {...}}` the pages of one list."""
        return self._selection("invalidate", "invalidated", resource, id, ids, older_than, pages, scope)

    def remove(
        self,
        resource: Optional[str] = None,
        *,
        id: Optional[Id] = None,
        ids: Optional[Sequence[Id]] = None,
        older_than: Optional[Duration] = None,
        pages: Union[bool, Mapping[str, Any], None] = None,
        scope: Optional[Mapping[str, Any]] = None,
    ) -> "Call[int]":
        """Deletes entries and returns their number. The arguments select entries as in `invalidate`."""
        return self._selection("remove", "removed", resource, id, ids, older_than, pages, scope)

    def _selection(
        self,
        verb: str,
        done: str,
        resource: Optional[str],
        id: Optional[Id],
        ids: Optional[Sequence[Id]],
        older_than: Optional[Duration],
        pages: Union[bool, Mapping[str, Any], None],
        scope: Optional[Mapping[str, Any]],
    ) -> "Call[int]":
        params = {
            "resource": resource,
            "id": id,
            "ids": _checked_list("ids", ids),
            "olderThan": seconds(older_than),
            "pages": pages,
            "scope": scope,
        }
        return Call(f"cache/{verb}", present(params), lambda found: int(found[done]))


def present(params: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}


def seconds(value: Optional[Duration]) -> Union[int, float, str, None]:
    return value.total_seconds() if isinstance(value, timedelta) else value


def refuse_coroutine(name: str, callback: object) -> None:
    """Raises `TypeError` for a coroutine function. Callbacks run while replies are read and cannot be awaited."""
    if inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(getattr(callback, "__call__", None)):
        raise TypeError(f"{name} must be a plain function, not a coroutine function: {callback!r}")


def _checked_list(name: str, values: Optional[Sequence[Any]]) -> Optional[List[Any]]:
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} must be a list such as [{values!r}], not a single string: {values!r}")
    return None if values is None else [*values]
