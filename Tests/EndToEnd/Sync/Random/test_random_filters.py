"""Random changes of lists with a filter: items leave a filtered copy, and stay in the cache as long as they exist."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from listed import Changes, Things
from model import check
from steps import CHANGE, FAIL, FILTERED, KILL, LIMITED, UNDISTURBED, budget, disturbed, step, steps_of

RUN = st.one_of(st.just(UNDISTURBED), LIMITED, disturbed(FAIL, FILTERED, count=3))
COPIES = (None, "open", "open", "closed")


@pytest.mark.parametrize("style", ["page", "cursor", "link"])
@pytest.mark.parametrize("has_get", [True, False])
@budget(15)
@given(steps=steps_of(RUN, FILTERED, COPIES))
def test_filtered_copies_equal_their_lists(tmp_path_factory, style, has_get, steps):
    things = Things(style, has_get=has_get)
    loses = {} if has_get else {"loses": lambda misses: misses > 1}
    check(tmp_path_factory.mktemp("sync"), things, [*steps, step(UNDISTURBED, copy="open")], **loses)


@pytest.mark.parametrize("ascending", [True, False])
@budget(15)
@given(steps=steps_of(RUN, FILTERED, COPIES))
def test_filtered_copies_equal_their_lists_beside_a_copy_of_changes(tmp_path_factory, ascending, steps):
    """Only the copy of the whole list is updated by its changes."""
    things = Things("cursor", changes=Changes(ascending=ascending))
    check(tmp_path_factory.mktemp("sync"), things, [*steps, step(UNDISTURBED, copy="open"), step(UNDISTURBED)])


@pytest.mark.parametrize("style", ["page", "cursor"])
@budget(10)
@given(before=steps_of(RUN, FILTERED, COPIES), kill=KILL, after=CHANGE)
def test_killed_run_of_a_filtered_copy_loses_no_item(tmp_path_factory, style, before, kill, after):
    steps = [*before, step(kill, copy="open"), step(UNDISTURBED, after, copy="open")]
    check(tmp_path_factory.mktemp("sync"), Things(style), steps)
