"""What the answers look like. All of it is frozen; items are the plain dictionaries of the wire, unless a client made
by `python -m larder.models` gives them types."""

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Generic, List, Mapping, Optional, Tuple, TypeVar, Union

from . import tables

Item = Dict[str, Any]
Id = Union[int, str]
PageToken = Union[int, str]
T = TypeVar("T")
Shape = Callable[[Item], T]


@dataclass(frozen=True)
class Fallback:
    """Why the answer came from the cache although the remote was asked."""

    code: int
    message: str
    kind: Optional[str]
    data: Mapping[str, Any]


@dataclass(frozen=True)
class PageInfo:
    """Where a page stands in its list. What the API does not tell is None."""

    current: Optional[PageToken]
    pages: Optional[int]
    count: Optional[int]
    next: Optional[PageToken]
    previous: Optional[PageToken]


class _Provenance:
    """Where something came from, how old it is, and how it is shown."""

    source: str
    fetched_at: datetime
    stale: bool
    fallback: Optional[Fallback]

    @property
    def age(self) -> float:
        """Seconds since it came from the API."""
        return (datetime.now(timezone.utc) - self.fetched_at).total_seconds()

    @property
    def provenance(self) -> str:
        """`from memory, 5 minutes old`, and what stands against it."""
        text = f"from {self.source}, {tables.duration(self.age)} old{', stale' if self.stale else ''}"
        return f"{text}, since: {self.fallback.message}" if self.fallback else text


class _Table(Generic[T]):
    """Several items, as a table."""

    items: List[T]

    def records(self) -> List[Dict[str, Any]]:
        """A flat dictionary for each item, as `pandas.DataFrame` takes them: `origin.name` for a field of a field."""
        return [tables.flat(item) for item in self.items]

    def _repr_html_(self) -> str:
        return tables.html(self.items, self._caption)

    @property
    def _caption(self) -> str:
        return repr(self)


@dataclass(frozen=True)
class ItemResult(_Provenance, Generic[T]):
    """One item. `source` is "memory", "persistence", "shared" or "remote"; `fetched_at` is in UTC."""

    item: T
    source: str
    fetched_at: datetime
    stale: bool
    fallback: Optional[Fallback]

    def __repr__(self) -> str:
        return f"<{tables.brief(self.item)}, {self.provenance}>"

    def _repr_html_(self) -> str:
        return tables.html_of_one(self.item, self.provenance)


@dataclass(frozen=True)
class ListResult(_Table[T], _Provenance):
    """One page of items. `source` is the farthest place that any part of it came from. `skipped` tells what the page
    leaves out, `missing` which items could not be had, where the catalog has it so."""

    items: List[T]
    page: PageInfo
    source: str
    fetched_at: datetime
    stale: bool
    fallback: Optional[Fallback]
    skipped: Tuple[Mapping[str, Any], ...] = ()
    missing: Tuple[Id, ...] = ()

    def __repr__(self) -> str:
        page = "" if self.page.current is None else f", page {self.page.current}"
        pages = "" if self.page.pages is None else f" of {self.page.pages}"
        return f"<{tables.count(self.items)}{page}{pages if page else ''}, {self.provenance}>"


@dataclass(frozen=True)
class Sources:
    """How many items came from where; `shared` is None where no shared level is used."""

    memory: int
    persistence: int
    remote: int
    shared: Optional[int] = None


@dataclass(frozen=True)
class GetMany(_Table[T]):
    """The items in the order asked. `missing` has the ids that the API does not know; where there is a `fallback`,
    which says why the API did not answer, also those of which nothing is cached."""

    items: List[T]
    missing: List[Id]
    sources: Sources
    stale: bool = False
    fallback: Optional[Fallback] = None

    def __repr__(self) -> str:
        places = ("memory", "persistence", "shared", "remote")
        counts = [(place, getattr(self.sources, place)) for place in places]
        came = ", ".join(f"{count} from {place}" for place, count in counts if count)
        missing = f", missing {self.missing}" if self.missing else ""
        stale = f", stale, since: {self.fallback.message}" if self.fallback else ""
        return f"<{tables.count(self.items)}{': ' if came else ''}{came}{missing}{stale}>"


@dataclass(frozen=True)
class SearchResult(_Table[T]):
    """Items that are cached; `count` is how many there are in all."""

    items: List[T]
    count: int

    def __repr__(self) -> str:
        return f"<{len(self.items)} of {tables.count(self.count)} found in the cache>"


@dataclass(frozen=True)
class Prefetched:
    """What a walk over a list came to: `fetched` and `reused` count pages. `complete` says whether the list has no
    more than that; None where nobody can tell."""

    pages: int
    items: int
    fetched: int
    reused: int
    complete: Optional[bool]


@dataclass(frozen=True)
class Progress:
    """How far a long request has come. `percentage` is None where that is not known."""

    message: str
    percentage: Optional[int]


@dataclass(frozen=True)
class Change(Generic[T]):
    """What an observed thing has become: `item` of an observed item, `page` of an observed page; neither where it is
    `gone` from the cache."""

    item: Optional[ItemResult[T]]
    page: Optional[ListResult[T]]
    gone: bool


@dataclass(frozen=True)
class Explanation:
    """What a request would do now. `entries`, `requests` and `limiter` are as on the wire; `error` says why no request
    can be made, where that is so."""

    method: str
    cache_policy: str
    steps: List[str]
    entries: List[Dict[str, Any]]
    requests: List[Dict[str, Any]]
    limiter: Optional[Dict[str, Any]]
    error: Optional[Dict[str, Any]]

    def __repr__(self) -> str:
        asked = [f"  would ask: {request.get('method', '')} {request.get('url', '')}" for request in self.requests]
        failed = [f"  cannot be made: {self.error.get('message')}"] if self.error else []
        steps = [f"  {step}" for step in self.steps]
        return "\n".join([f"{self.method}, {self.cache_policy}", *steps, *asked, *failed])


def item_result(result: Mapping[str, Any], shape: Optional[Shape[T]] = None) -> "ItemResult[T]":
    item = result["item"]
    made: ItemResult[T] = ItemResult.__new__(ItemResult)
    # As the constructor of a frozen dataclass does it, but all at once: it is in the way of every cached get.
    made.__dict__.update(
        item=item if shape is None else shape(item),
        source=result["source"],
        fetched_at=_instant(result["fetchedAt"]),
        stale=result["stale"],
        fallback=_fallback(result["fallback"]) if "fallback" in result else None,
    )
    return made


def list_result(result: Mapping[str, Any], shape: Optional[Shape[T]] = None) -> "ListResult[T]":
    page = result["page"]
    return ListResult(
        _items(result, shape),
        PageInfo(page["current"], page["pages"], page["count"], page["next"], page["previous"]),
        result["source"],
        _instant(result["fetchedAt"]),
        result["stale"],
        _fallback(result.get("fallback")),
        tuple(result.get("skipped", ())),
        tuple(result.get("missing", ())),
    )


def many_result(result: Mapping[str, Any], shape: Optional[Shape[T]] = None) -> "GetMany[T]":
    sources = result["sources"]
    return GetMany(
        _items(result, shape),
        result["missing"],
        Sources(sources["memory"], sources["persistence"], sources["remote"], sources.get("shared")),
        result.get("stale", False),
        _fallback(result.get("fallback")),
    )


def search_result(result: Mapping[str, Any], shape: Optional[Shape[T]] = None) -> "SearchResult[T]":
    return SearchResult(_items(result, shape), result["count"])


def prefetched(result: Mapping[str, Any]) -> Prefetched:
    return Prefetched(*(result[name] for name in ("pages", "items", "fetched", "reused", "complete")))


def progress(event: Mapping[str, Any]) -> Progress:
    return Progress(event.get("message", ""), event.get("percentage"))


def change(event: Mapping[str, Any], item: Optional[Shape[T]], listed: Optional[Shape[T]]) -> "Change[T]":
    return Change(
        item_result(event, item) if "item" in event else None,
        list_result(event, listed) if "items" in event else None,
        bool(event.get("gone", False)),
    )


def explanation(result: Mapping[str, Any]) -> Explanation:
    return Explanation(
        result["method"],
        result.get("cachePolicy", ""),
        result.get("steps", []),
        result.get("entries", []),
        result.get("requests", []),
        result.get("limiter"),
        result.get("error"),
    )


def _items(result: Mapping[str, Any], shape: Optional[Shape[T]]) -> List[T]:
    items: List[Any] = result["items"]
    return items if shape is None else [shape(item) for item in items]


def _instant(text: str) -> datetime:
    # Python before 3.11 reads no "Z".
    return datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)


def _fallback(value: Optional[Mapping[str, Any]]) -> Optional[Fallback]:
    if value is None:
        return None
    data = value.get("data") or {}
    return Fallback(value["code"], value["message"], data.get("kind"), data)
