"""The methods as values: what is sent for each, and what its result becomes. Both clients send these."""

import inspect
from datetime import timedelta
from typing import Any, Callable, Dict, Generic, List, Literal, Mapping, Optional, Sequence, TypeVar, Union

from . import results
from .results import Change, Explanation, GetMany, Id, Item, ItemResult, ListResult, PageToken, Prefetched, SearchResult

CachePolicy = Literal["localFirst", "remoteFirst", "none", "localOnly"]

# Seconds, text as "90s", "5m", "12h", "30d", or a timedelta.
Duration = Union[int, float, str, timedelta]

Result = TypeVar("Result")
T = TypeVar("T")


class Call(Generic[Result]):
    """A request and what its result becomes."""

    # Hot path: most calls have neither, so that the class has the defaults.
    timeout: Optional[float] = None  # seconds; None for the client's
    on_event: Optional[Callable[[Mapping[str, Any]], None]] = None

    def __init__(self, method: str, params: Dict[str, Any], shape: Callable[[Any], Result]) -> None:
        self.method, self.params, self.shape = method, params, shape

    def within(self, timeout: Optional[float]) -> "Call[Result]":
        """This call with a time limit of its own."""
        if timeout is not None:
            self.timeout = timeout
        return self


class Calls(Generic[T]):
    """Those of one resource. `item` and `listed` make what an item becomes; None leaves it a dictionary."""

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
        # Hot path: every cached read goes through here.
        params = {**self.scope, "id": id} if self.scope else {"id": id}  # type: Dict[str, Any]
        if cache_policy is not None or max_age is not None or fields is not None:
            params.update(present(reading(cache_policy, max_age, fields)))
        return Call(self._get, params, self._as_item)

    def _as_item(self, found: Mapping[str, Any]) -> "ItemResult[T]":
        return results.item_result(found, self._item)

    def list(self, page: Optional[PageToken], filter: Mapping[str, Any], **options: Any) -> "Call[ListResult[T]]":
        params = {"page": page, "filter": filter or None, **reading(**options)}
        return self._call("list", params, lambda found: results.list_result(found, self._listed))

    def get_many(self, ids: Sequence[Id], **options: Any) -> "Call[GetMany[T]]":
        params = {"ids": _list("ids", ids), **reading(**options)}
        return self._call("getMany", params, lambda found: results.many_result(found, self._item))

    def search(
        self,
        text: Optional[str],
        filter: Mapping[str, Any],
        limit: Optional[int],
        offset: Optional[int],
        fields: Optional[Sequence[str]],
    ) -> "Call[SearchResult[T]]":
        shown = _list("fields", fields)
        params = {"text": text, "filter": filter or None, "limit": limit, "offset": offset, "fields": shown}
        return self._call("search", params, lambda found: results.search_result(found, self._item))

    def prefetch(self, filter: Mapping[str, Any], max_pages: Optional[int]) -> "Call[Prefetched]":
        return self._call("prefetch", {"filter": filter or None, "maxPages": max_pages}, results.prefetched)

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


def reading(
    cache_policy: Optional[CachePolicy] = None,
    max_age: Optional[Duration] = None,
    fields: Optional[Sequence[str]] = None,
) -> Dict[str, Any]:
    """What the methods that read have in common."""
    return {"cachePolicy": cache_policy, "maxAge": seconds(max_age), "fields": _list("fields", fields)}


class RecentsCalls:
    """The methods for recent searches. Each returns the list."""

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
    """The methods for the cache below all resources."""

    def stats(self) -> "Call[Dict[str, Any]]":
        """Entries, bytes, hits and misses of memory and disk, and counts of the requests to APIs."""
        return Call("cache/stats", {}, dict)

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
        """Marks entries as stale: the next use asks the API, and they are used if that fails. Returns their number.
        `pages` is True for those of all lists, or `{"filter": {...}}` for those of one."""
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
        """Deletes entries; without a selector all of them. Returns their number."""
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
            "ids": _list("ids", ids),
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
    """Nobody would await what it returns: it is called where replies are read, and all that wait would wait for it."""
    if inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(getattr(callback, "__call__", None)):
        raise TypeError(f"{name} is a plain function, which is called and not awaited: {callback!r}")


def _list(name: str, values: Optional[Sequence[Any]]) -> Optional[List[Any]]:
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} is a list, as [{values!r}], and not one text: {values!r}")
    return None if values is None else [*values]
