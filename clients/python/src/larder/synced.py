"""The result of `sync`: the numbers and ids of the items that a run has added, changed or removed."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, List, Mapping, Optional

from .results import Id, instant


@dataclass(frozen=True)
class SyncChange:
    """A change of one item. `change` is "added", "changed" or "removed"."""

    change: str
    id: Id


@dataclass(frozen=True)
class Synced:
    """The result of updating the local copy of a list.

    `mode` is "whole", "since" or "token" if the run asked only for changes, or "none" if the copy was recent enough.
    `items` is the number of items in the copy. `synced_at` is the start of the last run that read the list to its end,
    and `whole_at` the start of the last complete run through the whole list; None if there was none. `deletions` is
    "walked" if this run found out which items are gone, `"told"` if the API reports them, otherwise "unknown".
    `complete` is true if the copy has all items of the list; None if this is unknown. `held` is the number of items
    that became stale because too many items would be removed; None if no removal was held back. `changes` has up to
    1,000 changes if the call asked for them, and `changes_omitted` is the number of further changes."""

    mode: str
    requests: int
    added: int
    changed: int
    removed: int
    items: int
    synced_at: Optional[datetime]
    whole_at: Optional[datetime]
    deletions: str
    complete: Optional[bool]
    held: Optional[int] = None
    changes: List[SyncChange] = field(default_factory=list)
    changes_omitted: int = 0


def synced(result: Mapping[str, Any]) -> Synced:
    return Synced(
        result["mode"],
        result["requests"],
        result["added"],
        result["changed"],
        result["removed"],
        result["items"],
        _optional_instant(result["syncedAt"]),
        _optional_instant(result["wholeAt"]),
        result["deletions"],
        result["complete"],
        result.get("held"),
        [SyncChange(change["change"], change["id"]) for change in result.get("changes", ())],
        result.get("changesOmitted", 0),
    )


def _optional_instant(text: Optional[str]) -> Optional[datetime]:
    return None if text is None else instant(text)
