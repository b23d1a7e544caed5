"""The way in which a server lists what changed since a revision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime


@dataclass
class Changes:
    """The way in which the server lists what changed since a revision. The catalog declares the same."""

    tombstones: bool = True
    inclusive: bool = False
    ascending: bool = True
    dates: bool = False
    """Whether revisions are dates, two minutes apart."""
    sync: dict | None = None
    """More keys of the catalog's `sync`."""
    skew: int = 0
    """The number of minutes by which the server's clock is ahead."""

    first = datetime.now(timezone.utc) - timedelta(days=1)

    def revision(self, number):
        return self._time(2 * number).strftime("%Y-%m-%dT%H:%M:%SZ") if self.dates else number

    def date(self, number):
        """Returns the header Date of an answer. The clock of a server with dates stands a minute after the last
        revision."""
        return {"Date": format_datetime(self._time(2 * number + 1), True)} if self.dates else {}

    def _time(self, minutes):
        return self.first + timedelta(minutes=minutes + self.skew)

    def declared(self):
        sync = {"style": "since", "param": "since", "from": "rev", "type": "date" if self.dates else "integer"}
        if self.ascending:
            sync |= {"ascending": True, "query": {"sort": "rev"}}
        if self.tombstones:
            sync["deleted"] = {"when": "deleted"}
        return sync | (self.sync or {})
