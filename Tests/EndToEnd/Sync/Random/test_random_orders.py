"""Random changes of cursor lists that the server sorts by a member which changes, so that items move during a run."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from listed import Things
from model import check
from steps import FAIL, KILL, LIMITED, REMOVE, UNDISTURBED, budget, change_of, disturbed, during, step, steps_of

CHANGE = change_of("put", "put", "put", "delete", "close")
RUN = st.one_of(st.just(UNDISTURBED), LIMITED, disturbed(CHANGE, CHANGE, FAIL, REMOVE, count=4))
# The item t008 moves from the last page to the first one, after the run has read it.
MOVED = [step(UNDISTURBED), step(during(("put", "t008", 0)))]
# The number of items is the same on each page, and equals the number of items that the run reads.
BALANCED = [
    step(UNDISTURBED), step(during(("put", "t008", 0), ("delete", "t001", 0), ("put", "t024", 9))),
]  # fmt: skip
ORDERS = pytest.mark.parametrize("sort", ["rev", "-rev", "value"])


@ORDERS
@pytest.mark.parametrize("counts", [False, True])
@budget(15)
@given(steps=steps_of(RUN, CHANGE))
@example(steps=MOVED)
@example(steps=BALANCED)
def test_items_that_move_are_not_lost(tmp_path_factory, sort, counts, steps):
    things = Things("cursor", sort=sort, counts=counts)
    check(tmp_path_factory.mktemp("sync"), things, [*steps, step(UNDISTURBED)])


@ORDERS
@budget(15)
@given(steps=steps_of(RUN, CHANGE))
@example(steps=MOVED)
def test_item_that_moves_and_cannot_be_requested_returns_with_the_next_run(tmp_path_factory, sort, steps):
    """An item that two runs in a row have missed is removed if it cannot be requested."""
    things = Things("cursor", has_get=False, sort=sort)
    steps = [*steps, step(UNDISTURBED)]
    check(tmp_path_factory.mktemp("sync"), things, steps, loses=lambda misses: misses > 1)


@ORDERS
@budget(15)
@given(steps=steps_of(RUN, CHANGE, (None, "open")))
def test_items_that_move_in_a_filtered_list_are_not_lost(tmp_path_factory, sort, steps):
    things = Things("cursor", sort=sort)
    check(tmp_path_factory.mktemp("sync"), things, [*steps, step(UNDISTURBED, copy="open")])


@ORDERS
@budget(10)
@given(before=steps_of(RUN, CHANGE), kill=KILL, after=CHANGE)
def test_items_that_move_before_a_kill_are_not_lost(tmp_path_factory, sort, before, kill, after):
    things = Things("cursor", sort=sort)
    check(tmp_path_factory.mktemp("sync"), things, [*before, step(kill), step(UNDISTURBED, after)])
