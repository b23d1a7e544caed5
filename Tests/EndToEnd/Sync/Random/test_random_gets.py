"""Random calls of `get` between runs and during runs: a copy keeps the newest version of each item."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from listed import Changes, Things
from model import check
from steps import CHANGE, FAIL, FILTERED, GET, LIMITED, REMOVE, UNDISTURBED, budget, disturbed, during, step, steps_of

RUN = st.one_of(st.just(UNDISTURBED), LIMITED, disturbed(GET, GET, CHANGE, FAIL, REMOVE, count=4))
FILTERED_RUN = st.one_of(st.just(UNDISTURBED), LIMITED, disturbed(GET, GET, FILTERED, FAIL, REMOVE, count=4))
# A call fetches an item that no longer matches the filter.
FETCHED = [
    step(UNDISTURBED, copy="open"),
    step(during(("get", "t002", 0)), ("close", "t002", 0), copy="open"),
]  # fmt: skip
BEFORE = st.one_of(CHANGE, GET)


@pytest.mark.parametrize("style", ["page", "cursor"])
@budget(15)
@given(steps=steps_of(RUN, BEFORE))
def test_gets_during_runs_through_the_whole_list_lose_nothing(tmp_path_factory, style, steps):
    check(tmp_path_factory.mktemp("sync"), Things(style), [*steps, step(UNDISTURBED)])


@pytest.mark.parametrize(("style", "ascending"), [("page", True), ("cursor", True), ("cursor", False)])
@budget(15)
@given(steps=steps_of(RUN, BEFORE))
def test_gets_during_runs_for_changes_lose_no_change(tmp_path_factory, style, ascending, steps):
    things = Things(style, changes=Changes(ascending=ascending))
    check(tmp_path_factory.mktemp("sync"), things, [*steps, *[step(UNDISTURBED)] * 2])


@pytest.mark.parametrize("style", ["page", "cursor"])
@budget(15)
@given(steps=steps_of(FILTERED_RUN, st.one_of(FILTERED, GET), (None, "open", "open")))
@example(steps=FETCHED)
def test_gets_during_runs_of_a_filtered_list_lose_nothing(tmp_path_factory, style, steps):
    check(tmp_path_factory.mktemp("sync"), Things(style), [*steps, step(UNDISTURBED, copy="open")])
