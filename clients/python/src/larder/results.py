"""What the answers look like. All of it is frozen; items are the plain dictionaries of the wire."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, List, Mapping, Optional, Union

Item = Dict[str, Any]
Id = Union[int, str]
PageToken = Union[int, str]


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

    current: PageToken
    pages: Optional[int]
    count: Optional[int]
    next: Optional[PageToken]
    previous: Optional[PageToken]


@dataclass(frozen=True)
class ItemResult:
    """One item. `source` is "memory", "persistence" or "remote"; `fetched_at` is in UTC."""

    item: Item
    source: str
    fetched_at: datetime
    stale: bool
    fallback: Optional[Fallback]


@dataclass(frozen=True)
class ListResult:
    """One page of items. `source` is the farthest place that any part of it came from."""

    items: List[Item]
    page: PageInfo
    source: str
    fetched_at: datetime
    stale: bool
    fallback: Optional[Fallback]


@dataclass(frozen=True)
class Sources:
    """How many items came from where."""

    memory: int
    persistence: int
    remote: int


@dataclass(frozen=True)
class GetMany:
    """The items in the order asked. `missing` has the ids that the API does not know; where there is a `fallback`,
    which says why the API did not answer, also those of which nothing is cached."""

    items: List[Item]
    missing: List[Id]
    sources: Sources
    stale: bool = False
    fallback: Optional[Fallback] = None


def item_result(result: Mapping[str, Any]) -> ItemResult:
    return ItemResult(
        item=result["item"],
        source=result["source"],
        fetched_at=_instant(result["fetchedAt"]),
        stale=result["stale"],
        fallback=_fallback(result.get("fallback")),
    )


def list_result(result: Mapping[str, Any]) -> ListResult:
    page = result["page"]
    return ListResult(
        items=result["items"],
        page=PageInfo(page["current"], page["pages"], page["count"], page["next"], page["previous"]),
        source=result["source"],
        fetched_at=_instant(result["fetchedAt"]),
        stale=result["stale"],
        fallback=_fallback(result.get("fallback")),
    )


def many_result(result: Mapping[str, Any]) -> GetMany:
    sources = result["sources"]
    return GetMany(
        items=result["items"],
        missing=result["missing"],
        sources=Sources(sources["memory"], sources["persistence"], sources["remote"]),
        stale=result.get("stale", False),
        fallback=_fallback(result.get("fallback")),
    )


def _instant(text: str) -> datetime:
    # Python before 3.11 reads no "Z".
    return datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)


def _fallback(value: Optional[Mapping[str, Any]]) -> Optional[Fallback]:
    if value is None:
        return None
    data = value.get("data") or {}
    return Fallback(value["code"], value["message"], data.get("kind"), data)
