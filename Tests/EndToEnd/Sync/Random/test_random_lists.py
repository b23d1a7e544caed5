"""Random changes, faults and kills: a complete run makes the copy equal to the list, and no existing item is lost."""

import pytest
from hypothesis import example, given

from listed import Changes, Things
from model import check
from steps import CHANGE, KILL, RUN, SHIFTED, UNDISTURBED, budget, step, steps_of

STYLES = pytest.mark.parametrize("style", ["page", "cursor"])


@STYLES
@budget(40)
@given(steps=steps_of(RUN))
@example(steps=SHIFTED)
def test_complete_run_makes_the_copy_equal_to_the_list(tmp_path_factory, style, steps):
    check(tmp_path_factory.mktemp("sync"), Things(style), steps)


@STYLES
@budget(15)
@given(before=steps_of(RUN), kill=KILL, after=CHANGE)
def test_killed_run_loses_no_item(tmp_path_factory, style, before, kill, after):
    check(tmp_path_factory.mktemp("sync"), Things(style), [*before, step(kill), step(UNDISTURBED, after)])


# Pages of numbers shift, so that a complete copy needs the order of the changes.
FEEDS = pytest.mark.parametrize(("style", "ascending"), [
    ("page", True), ("link", True), ("cursor", True), ("cursor", False)])


INTERRUPTED = step(("limit", 2, None)), step(UNDISTURBED, ("delete", "t000", 0), ("put", "t024", 0))
"""An item is deleted after its page was read, and a later page has a newer item."""


@FEEDS
@pytest.mark.parametrize("inclusive", [True, False])
@budget(25)
@given(steps=steps_of(RUN))
@example(steps=[*INTERRUPTED])
def test_fetched_changes_make_the_copy_equal_to_the_list(tmp_path_factory, style, ascending, inclusive, steps):
    """Changes and faults during earlier runs lose no change."""
    things = Things(style, changes=Changes(ascending=ascending, inclusive=inclusive))
    check(tmp_path_factory.mktemp("sync"), things, [*steps, *[step(UNDISTURBED)] * 2])


@FEEDS
@budget(10)
@given(before=steps_of(RUN), kill=KILL, after=CHANGE)
def test_killed_run_that_fetches_changes_loses_no_change(tmp_path_factory, style, ascending, before, kill, after):
    things = Things(style, changes=Changes(ascending=ascending))
    steps = [*before, step(UNDISTURBED), step(kill, after), step(UNDISTURBED, after)]
    check(tmp_path_factory.mktemp("sync"), things, steps)


@pytest.mark.parametrize("ascending", [True, False])
@budget(25)
@given(steps=steps_of(RUN))
def test_clock_that_is_ahead_of_the_servers_loses_no_change(tmp_path_factory, ascending, steps):
    """The server's clock stands a minute after its last change, about a day in the past."""
    sync = {"overlap": 0}
    things = Things("cursor", changes=Changes(ascending=ascending, dates=True, inclusive=True, sync=sync))
    check(tmp_path_factory.mktemp("sync"), things, [*steps, *[step(UNDISTURBED)] * 2])


@budget(25)
@given(steps=steps_of(RUN))
def test_run_that_fetches_changes_without_deletions_removes_no_existing_item(tmp_path_factory, steps):
    things = Things("page", changes=Changes(tombstones=False, ascending=False))
    check(tmp_path_factory.mktemp("sync"), things, steps)
