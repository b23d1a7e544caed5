"""The typed face of the methods: resources, recent searches, the cache."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Union

from .results import GetMany, Id, ItemResult, ListResult, PageToken, item_result, list_result, many_result

if TYPE_CHECKING:
    from .client import Larder

CachePolicy = Literal["localFirst", "remoteFirst", "none", "localOnly"]

# Seconds, text as "90s", "5m", "12h", "30d", or a timedelta.
Duration = Union[int, float, str, timedelta]


class Resource:
    """A kind of thing that the catalog declares, as `larder.character`."""

    def __init__(self, larder: "Larder", name: str) -> None:
        self._larder = larder
        self.name = name

    def get(
        self, id: Id, *, cache_policy: Optional[CachePolicy] = None, max_age: Optional[Duration] = None
    ) -> ItemResult:
        """The item with this id; raises `NotFound` when there is none."""
        return item_result(self._call("get", id=id, cachePolicy=cache_policy, maxAge=_seconds(max_age)))

    def list(
        self,
        page: Optional[PageToken] = None,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        **filters: Any,
    ) -> ListResult:
        """One page of items. More keywords are filters, as `name="rick"`; one whose name is taken here goes into
        `filter={...}`."""
        return list_result(
            self._call(
                "list",
                page=page,
                filter={**(filter or {}), **filters} or None,
                cachePolicy=cache_policy,
                maxAge=_seconds(max_age),
            )
        )

    def get_many(
        self, ids: Sequence[Id], *, cache_policy: Optional[CachePolicy] = None, max_age: Optional[Duration] = None
    ) -> GetMany:
        """The items with these ids, in this order; what does not exist is in `.missing`."""
        return many_result(
            self._call("getMany", ids=[*ids], cachePolicy=cache_policy, maxAge=_seconds(max_age))
        )

    def pages(
        self,
        page: Optional[PageToken] = None,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        cache_policy: Optional[CachePolicy] = None,
        max_age: Optional[Duration] = None,
        **filters: Any,
    ) -> Iterator[ListResult]:
        """Every page from `page` (default: the first) on; each is fetched when the loop comes to it. A page that was
        there already ends the loop: some APIs' cursors go round in a circle."""
        seen = set() if page is None else {page}
        while True:
            result = self.list(page, filter=filter, cache_policy=cache_policy, max_age=max_age, **filters)
            yield result
            page = result.page.next
            if page is None or page in seen:
                return
            seen.add(page)

    def _call(self, verb: str, **params: Any) -> Any:
        return self._larder.call(f"{self.name}/{verb}", **_present(params))

    def __repr__(self) -> str:
        return f"<larder resource {self.name}>"


class Recents:
    """Recent searches: newest first, without duplicates, at most five for each scope. Each method returns the list."""

    def __init__(self, larder: "Larder") -> None:
        self._larder = larder

    def add(self, text: str, *, scope: Optional[str] = None) -> List[str]:
        return self._call("add", text=text, scope=scope)

    def remove(self, text: str, *, scope: Optional[str] = None) -> List[str]:
        return self._call("remove", text=text, scope=scope)

    def clear(self, *, scope: Optional[str] = None) -> List[str]:
        return self._call("clear", scope=scope)

    def list(self, *, scope: Optional[str] = None) -> List[str]:
        return self._call("list", scope=scope)

    def _call(self, verb: str, **params: Any) -> List[str]:
        recents: List[str] = self._larder.call(f"recents/{verb}", **_present(params))["recents"]
        return recents


class Cache:
    """The cache below all resources."""

    def __init__(self, larder: "Larder") -> None:
        self._larder = larder

    def stats(self) -> Dict[str, Any]:
        """Entries, bytes, hits and misses of memory and disk, and what was asked of the remotes."""
        stats: Dict[str, Any] = self._larder.call("cache/stats")
        return stats

    def invalidate(
        self,
        resource: Optional[str] = None,
        *,
        id: Optional[Id] = None,
        ids: Optional[Sequence[Id]] = None,
        older_than: Optional[Duration] = None,
    ) -> int:
        """Marks entries as stale: the next use asks the remote, and they stay for when it fails. Returns how many."""
        return self._select("invalidate", resource, id, ids, older_than)["invalidated"]

    def remove(
        self,
        resource: Optional[str] = None,
        *,
        id: Optional[Id] = None,
        ids: Optional[Sequence[Id]] = None,
        older_than: Optional[Duration] = None,
    ) -> int:
        """Deletes entries; without a selector all of them. Returns how many."""
        return self._select("remove", resource, id, ids, older_than)["removed"]

    def _select(
        self,
        verb: str,
        resource: Optional[str],
        id: Optional[Id],
        ids: Optional[Sequence[Id]],
        older_than: Optional[Duration],
    ) -> Dict[str, int]:
        params = {
            "resource": resource,
            "id": id,
            "ids": None if ids is None else [*ids],
            "olderThan": _seconds(older_than),
        }
        result: Dict[str, int] = self._larder.call(f"cache/{verb}", **_present(params))
        return result


def _present(params: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}


def _seconds(value: Optional[Duration]) -> Union[int, float, str, None]:
    return value.total_seconds() if isinstance(value, timedelta) else value
