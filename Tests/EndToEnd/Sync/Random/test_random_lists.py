"""Random changes, faults and kills: a complete run makes the copy equal to the list, and no existing item is lost."""

import contextlib
import signal
import threading

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from harness import PATIENCE, Larder
from listed import Changes, Things, copy_of, serving

IDS = st.integers(0, 24).map("t{:03}".format)
CHANGE = st.tuples(st.sampled_from(["put", "put", "close", "delete", "reorder"]), IDS, st.integers(0, 9))
KILL = st.tuples(st.just("kill"), st.integers(1, 4), CHANGE)
# A run is undisturbed, limited to some requests, or disturbed before one of its requests.
RUN = st.one_of(
    st.just(("run", None, None)),
    st.tuples(st.just("limit"), st.integers(1, 4), st.none()),
    st.tuples(st.sampled_from(["fail", "change", "remove"]), st.integers(1, 5), CHANGE),
)


def apply(things, change):
    kind, id, value = change
    if kind == "put":
        things.put(id, value=value)
    elif kind == "close":
        things.put(id, state="closed")
    elif id in things.things and kind == "delete":
        things.delete(id)
    elif id in things.things:
        things.order.remove(id)
        things.order.insert(0, id)


class Machine:
    """A larder process that is started again after a kill."""

    def __init__(self, home, things):
        self.home, self.things, self.larder = home, things, None
        self.start()

    def start(self):
        if self.larder:
            self.larder.close()
        self.larder = Larder(self.home, "--catalog", str(self.things.catalog(self.home)))

    def sync(self, **params):
        return self.larder.wait(self.larder.send("thing/sync", params)).get("result") or {}

    def killed_sync(self, number):
        """Kills the process while it waits for the answer to a request. Returns nothing, or the result if the run needs
        fewer requests."""
        found, seen = [], threading.Event()
        arrived, gate = self.things.hold(number, seen)
        id = self.larder.send("thing/sync", {})

        def wait():
            with contextlib.suppress(AssertionError):  # The process was killed.
                found.append(self.larder.wait(id).get("result") or {})
            seen.set()

        waiter = threading.Thread(target=wait)
        waiter.start()
        assert seen.wait(PATIENCE)
        is_killed = arrived.is_set()
        if is_killed:
            self.larder.process.send_signal(signal.SIGKILL)
            self.larder.process.wait(PATIENCE)
        gate.set()
        waiter.join(PATIENCE)
        if is_killed:
            self.start()
            return {}
        return found[0]


def steps_of(run):
    return st.lists(st.tuples(st.lists(CHANGE, max_size=4), run), min_size=1, max_size=6)


def check(home, things, steps):
    """Runs the steps, and checks the copy after each. A complete copy equals the list, if the deletions are known."""
    for number in range(17):
        things.put(f"t{number:03}")
    with serving(things.answer) as things.url:
        machine = Machine(home, things)
        try:
            for changes, run in steps:
                before, copied = dict(things.things), copy_of(machine.larder).keys()
                for change in changes:
                    apply(things, change)
                result, removed = step(machine, *run)
                things.forget_actions()
                copy = copy_of(machine.larder)
                kept = (copied & before.keys() & things.things.keys()) - removed
                assert kept <= copy.keys(), "an item that exists was removed"
                if result.get("complete") and result["deletions"] != "unknown":
                    assert copy == things.things
        finally:
            machine.larder.close()


def step(machine, kind, number, change):
    """Runs a sync. Returns its result if nothing changed during the sync, and the ids that the test removed."""
    if kind == "run":
        return machine.sync(), set()
    if kind == "limit":
        return machine.sync(maxRequests=number), set()
    if kind == "kill":
        return machine.killed_sync(number), set()
    actions = {"fail": lambda: (500, {}, {}), "change": lambda: apply(machine.things, change), "remove": lambda: None}
    machine.things.before(number, actions[kind])
    machine.sync()
    if kind != "remove":
        return {}, set()
    machine.larder.call("cache/remove", resource="thing", id=change[1])
    return {}, {change[1]}


@pytest.mark.parametrize("style", ["page", "cursor"])
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(steps=steps_of(RUN))
def test_complete_run_makes_the_copy_equal_to_the_list(tmp_path_factory, style, steps):
    check(tmp_path_factory.mktemp("sync"), Things(style), steps)


@pytest.mark.parametrize("style", ["page", "cursor"])
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=15)
@given(before=steps_of(RUN), kill=KILL, after=CHANGE)
def test_killed_run_loses_no_item(tmp_path_factory, style, before, kill, after):
    check(tmp_path_factory.mktemp("sync"), Things(style), [*before, ([], kill), ([after], ("run", None, None))])


# Pages of numbers shift, so that a complete copy needs the order of the changes.
FEEDS = pytest.mark.parametrize(("style", "ascending"), [
    ("page", True), ("link", True), ("cursor", True), ("cursor", False)])


INTERRUPTED = ([], ("limit", 2, None)), ([("delete", "t000", 0), ("put", "t024", 0)], ("run", None, None))
"""An item is deleted after its page was read, and a later page has a newer item."""


@FEEDS
@pytest.mark.parametrize("inclusive", [True, False])
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=25)
@given(steps=steps_of(RUN))
@example(steps=[*INTERRUPTED])
def test_fetched_changes_make_the_copy_equal_to_the_list(tmp_path_factory, style, ascending, inclusive, steps):
    """Changes and faults during earlier runs lose no change."""
    things = Things(style, changes=Changes(ascending=ascending, inclusive=inclusive))
    check(tmp_path_factory.mktemp("sync"), things, [*steps, *[([], ("run", None, None))] * 2])


@FEEDS
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=10)
@given(before=steps_of(RUN), kill=KILL, after=CHANGE)
def test_killed_run_that_fetches_changes_loses_no_change(tmp_path_factory, style, ascending, before, kill, after):
    things = Things(style, changes=Changes(ascending=ascending))
    steps = [*before, ([], ("run", None, None)), ([after], kill), ([after], ("run", None, None))]
    check(tmp_path_factory.mktemp("sync"), things, steps)


@pytest.mark.parametrize("ascending", [True, False])
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=25)
@given(steps=steps_of(RUN))
def test_clock_that_is_ahead_of_the_servers_loses_no_change(tmp_path_factory, ascending, steps):
    """The server's clock stands a minute after its last change, about a day in the past."""
    sync = {"overlap": 0}
    things = Things("cursor", changes=Changes(ascending=ascending, dates=True, inclusive=True, sync=sync))
    check(tmp_path_factory.mktemp("sync"), things, [*steps, *[([], ("run", None, None))] * 2])


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=25)
@given(steps=steps_of(RUN))
def test_run_that_fetches_changes_without_deletions_removes_no_existing_item(tmp_path_factory, steps):
    things = Things("page", changes=Changes(tombstones=False, ascending=False))
    check(tmp_path_factory.mktemp("sync"), things, steps)
