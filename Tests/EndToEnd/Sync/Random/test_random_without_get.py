"""Random changes of lists whose items cannot be requested one by one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from listed import Changes, Things
from model import check
from steps import CHANGE, FAIL, KILL, LIMITED, REMOVE, SHIFTED, UNDISTURBED, budget, disturbed, step, steps_of

RUN = st.one_of(st.just(UNDISTURBED), LIMITED, disturbed(CHANGE, FAIL, REMOVE, count=3))


@pytest.mark.parametrize("style", ["page", "link"])
@budget(20)
@given(steps=steps_of(RUN))
@example(steps=SHIFTED)
def test_item_is_removed_only_after_two_complete_runs_without_it(tmp_path_factory, style, steps):
    things = Things(style, has_get=False)
    steps = [*steps, *[step(UNDISTURBED)] * 2]
    check(tmp_path_factory.mktemp("sync"), things, steps, loses=lambda misses: misses > 1)


@budget(20)
@given(steps=steps_of(RUN))
def test_items_of_a_cursor_that_cannot_shift_are_not_lost(tmp_path_factory, steps):
    check(tmp_path_factory.mktemp("sync"), Things("cursor", has_get=False), [*steps, step(UNDISTURBED)])


@pytest.mark.parametrize(("style", "ascending"), [("page", True), ("cursor", True), ("cursor", False)])
@budget(15)
@given(steps=steps_of(RUN))
def test_runs_for_changes_lose_nothing_without_get(tmp_path_factory, style, ascending, steps):
    things = Things(style, has_get=False, changes=Changes(ascending=ascending))
    steps = [*steps, *[step(UNDISTURBED)] * 2]
    check(tmp_path_factory.mktemp("sync"), things, steps, loses=lambda misses: misses > 1)


@budget(10)
@given(before=steps_of(RUN), kill=KILL, after=CHANGE)
def test_killed_run_loses_nothing_without_get(tmp_path_factory, before, kill, after):
    steps = [*before, step(kill), step(UNDISTURBED, after)]
    check(tmp_path_factory.mktemp("sync"), Things("page", has_get=False), steps, loses=lambda misses: misses > 1)
