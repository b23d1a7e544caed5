"""A model with a server whose clock is changed between its changes, and during a run."""

from datetime import datetime, timezone

from model import Model

SKEWS = [0, -60, 60, 1500, 4500]  # The last two put the server's clock into the future of this machine.


class ClockModel(Model):
    """Ignores a change if its time is not after the mark of the copy, until a run through the whole list.

    The catalog requires that the time of an item grows with each change. `highest` is the largest time that may be the
    mark: neither the server's clock nor that of this machine had passed a later time at the start of a run.
    """

    highest = ""

    def change(self, change):
        kind, id, value = change
        if kind == "clock":
            self.things.changes.skew = SKEWS[value % len(SKEWS)]
            return
        super().change(change)
        changed = self.things.things.get(id) or self.things.gone.get(id)
        if changed and changed["rev"] <= self.highest:
            self.ignored.add(id)
        else:
            self.ignored.discard(id)

    def run(self, copy, kind, number, events):
        before, highest, times = set(self.ignored), self.highest, self.passed()
        self.highest = max([highest, *times])
        result = super().run(copy, kind, number, events)
        if result.get("complete") and result["mode"] == "whole":
            self.ignored -= before
            self.highest = max(times)
        return result

    def check_disturbed(self, result, members, cached):
        """Ignores an item that a run through shifting pages has missed, because the mark may be after its time."""
        super().check_disturbed(result, members, cached)
        if result["mode"] == "whole" and self.things.style != "cursor":
            self.ignored |= self.record.always - members

    def passed(self):
        """Returns the times of all changes that neither clock has yet to reach."""
        changes, now = self.things.changes, datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        limit = min(now, changes.revision(self.things.number + 1))
        every = [*self.things.things.values(), *self.things.gone.values()]
        return [one["rev"] for one in every if one["rev"] <= limit] or [""]
