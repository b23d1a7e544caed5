"""Random steps of a model: changes of the server's list, and runs of a sync that events disturb."""

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

IDS = st.integers(0, 24).map("t{:03}".format)


def budget(count):
    """Returns the settings of a test with a number of examples, unless LARDER_FUZZ sets it."""
    count = int(os.environ.get("LARDER_FUZZ", count))
    return settings(suppress_health_check=[HealthCheck.too_slow], max_examples=count)


def change_of(*kinds):
    return st.tuples(st.sampled_from(kinds), IDS, st.integers(0, 9))


CHANGE = change_of("put", "put", "close", "delete", "reorder")
# Items leave a filtered list and return to it.
FILTERED = change_of("put", "close", "close", "open", "delete", "reorder")
FAIL = st.just(("fail", None, None))
REMOVE = change_of("remove")  # The entry is removed from the cache.
GET = change_of("get")


def event_of(*actions):
    """Returns events: an action before the answer to a request, or after the answer and before its arrival."""
    return st.tuples(st.integers(1, 6), st.sampled_from(["before", "after"]), st.one_of(*actions))


def disturbed(*actions, count=1):
    return st.tuples(st.just("disturbed"), st.none(), st.lists(event_of(*actions), min_size=1, max_size=count))


UNDISTURBED = ("run", None, None)
LIMITED = st.tuples(st.just("limit"), st.integers(1, 4), st.none())
RUN = st.one_of(st.just(UNDISTURBED), LIMITED, disturbed(FAIL, CHANGE, REMOVE))
KILL = st.tuples(st.just("kill"), st.integers(1, 4), CHANGE)


def steps_of(run, change=CHANGE, filters=(None,), count=6):
    """Returns steps: changes, the filter of the synced copy, and the run after the changes."""
    step = st.tuples(st.lists(change, max_size=4), st.sampled_from(filters), run)
    return st.lists(step, min_size=1, max_size=count)


def during(*events, count=1, moment="after"):
    """Returns a run with events at one of its requests."""
    return "disturbed", None, [(count, moment, event) for event in events]


def step(run, *changes, copy=None):
    return list(changes), copy, run


SHIFTED = [
    step(UNDISTURBED), step(during(("delete", "t000", 0))),
    step(during(("delete", "t016", 0)), ("reorder", "t016", 0)), step(UNDISTURBED),
]  # fmt: skip
"""Two runs in a row miss the item t005, because it moves from the second page to the first one."""
