"""The model of a sync: a complete run makes a copy equal to the list, and no existing item leaves the cache."""

from machine import Machine
from scripted import serving


def matching(things, copy):
    """Returns the items of a copy: all items, or those with one state."""
    return {id: thing for id, thing in things.items() if copy in (None, thing["state"])}


class Record:
    """The items of a list during a run. `always` and `ever` have the ids that the list had all the time, and at any
    time. `lasting` has the ids of the items that existed all the time, `versions` all their contents, and `served` the
    ids that the server sent."""

    def __init__(self, things, copy):
        self.copy, self.served, self.versions = copy, set(), []
        self.always, self.ever, self.lasting = matching(things, copy).keys(), set(), set(things)
        self.note(things)

    def note(self, things):
        now = matching(things, self.copy).keys()
        self.always, self.ever, self.lasting = self.always & now, self.ever | now, self.lasting & things.keys()
        self.versions += things.values()


class Model:
    """A server and a machine with copies of its list.

    `loses(misses)` is whether a documented limit lets an existing item leave the cache after a number of complete runs
    in a row that did not find it. `ignored` has the ids of changes that a documented limit lets a run miss.
    """

    def __init__(self, home, things, loses=lambda misses: False):
        self.things, self.loses = things, loses
        self.ignored, self.misses, self.removed = set(), {}, set()
        self.machine = Machine(home, things)

    # Steps

    def change(self, change):
        kind, id, value = change
        things = self.things
        if kind == "put":
            things.put(id, value=value)
        elif kind in ("close", "open"):
            things.put(id, state="closed" if kind == "close" else kind)
        elif id in things.things and kind == "delete":
            things.delete(id)
        elif id in things.things:
            things.order.remove(id)
            things.order.insert(0, id)

    def step(self, changes, copy, run):
        """Makes changes and runs a sync, and checks the invariants."""
        self.removed.clear()
        for change in changes:
            self.happen(change)
        cached, members = self.machine.cached().keys(), self.machine.members(copy)
        self.record = self.things.record = Record(self.things.things, copy)
        self.is_disturbed = False
        result = self.run(copy, *run)
        self.things.forget_actions()
        self.things.record = None
        self.count_misses(result, copy, members)
        self.check_cache(cached - self.removed)
        if result.get("complete"):
            self.check_copy(result, copy)

    def run(self, copy, kind, number, events):
        if kind == "limit":
            return self.machine.sync(copy, maxRequests=number)
        if kind == "whole":
            return self.machine.sync(copy, whole=True)
        if kind == "kill":
            return self.machine.killed_sync(number, copy)
        for number, moment in {event[:2] for event in events or []}:
            due = [event for *place, event in events if place == [number, moment]]
            hook = self.things.before if moment == "before" else self.things.after
            hook(number, lambda due=due: [self.happen(event) for event in due][-1])
        return self.machine.sync(copy)

    def happen(self, event):
        """Makes a change, or disturbs a request of a run. Returns the answer of the server if it fails."""
        kind, id, _ = event
        self.is_disturbed = True
        if kind == "fail":
            return 500, {}, {}
        if kind == "get":
            self.machine.call("thing/get", id=id, cachePolicy="remoteFirst")
        elif kind == "remove":
            self.removed.add(id)
            self.machine.call("cache/remove", resource="thing", id=id)
        else:
            self.change(event)
        return None

    # Invariants

    def count_misses(self, result, copy, members):
        """Counts for each item how many complete runs through the whole list in a row have not found it."""
        if result.get("mode") != "whole" or not result.get("complete"):
            return
        for id in members | self.record.served:
            missed = id not in self.record.served
            self.misses[copy, id] = self.misses.get((copy, id), 0) + 1 if missed else 0

    def check_cache(self, cached):
        lost = (cached & self.record.lasting) - self.machine.cached().keys()
        limit = {id for id in lost if self.record.copy is None and self.loses(self.misses.get((None, id), 0))}
        assert not lost - limit, "an item that exists was removed"

    def check_copy(self, result, copy):
        """Checks a complete copy: it equals the list if nothing has happened during the run. Without reports of
        deletions, it may have others."""
        members, cached = self.machine.members(copy), self.machine.cached()
        now = matching(self.things.things, copy)
        assert result["items"] == len(members)
        if self.is_disturbed:
            return self.check_disturbed(result, members, cached)
        assert now.keys() - self.ignored <= members, "the copy lacks items"
        if result["deletions"] != "unknown":
            assert members <= now.keys() | self.ignored, "the copy has deleted items"
        equal = members & now.keys() - self.ignored
        assert {id: cached[id] for id in equal} == {id: now[id] for id in equal}
        if result["mode"] == "whole" and result["deletions"] == "walked" and self.stores_pages(copy):
            assert self.machine.pages(copy) == self.ordered(copy)

    def check_disturbed(self, result, members, cached):
        """Checks a complete copy if the list has changed meanwhile. If items can move between pages, it may lack some
        of them."""
        record = self.record
        is_stable = self.things.style == "cursor" and self.things.sort == "id" or result["mode"] != "whole"
        if not is_stable:
            return
        assert record.always - self.removed - self.ignored <= members, "the copy lacks items"
        if result["deletions"] != "unknown":
            assert members <= record.ever | self.ignored, "the copy has deleted items"
        current = members & record.lasting - self.ignored
        assert all(cached[id] in record.versions for id in current), "the copy has old items"

    def stores_pages(self, copy):
        """Returns whether the requests of a run through the whole list are those of the list."""
        changes = self.things.changes
        return not (changes and changes.ascending) or copy is not None

    def ordered(self, copy):
        """Returns the items of a list in the server's order."""
        query = {"state": copy} if copy else {}
        if self.things.sort != "id":
            query["sort"] = self.things.sort
        return self.things.listed(query)


def check(home, things, steps, model=Model, **options):
    """Runs the steps, and checks the invariants after each."""
    for number in range(17):
        things.put(f"t{number:03}", value=number % 10)
    with serving(things.answer) as things.url:
        model = model(home, things, **options)
        try:
            for step in steps:
                model.step(*step)
        finally:
            model.machine.larder.close()
