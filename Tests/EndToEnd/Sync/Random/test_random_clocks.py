"""Random changes of a server's clock: its clock is set back, or runs in the future of this machine for some time."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clocks import ClockModel
from listed import Changes, Things
from model import check
from steps import CHANGE, FAIL, LIMITED, UNDISTURBED, budget, change_of, disturbed, during, step, steps_of

CLOCK = change_of("clock")
RUN = st.one_of(st.just(UNDISTURBED), LIMITED, disturbed(CLOCK, CHANGE, FAIL, count=3))
WHOLE = ("whole", None, None)


@pytest.mark.parametrize(("style", "ascending"), [("page", True), ("cursor", True), ("cursor", False)])
@pytest.mark.parametrize("tombstones", [True, False])
@budget(15)
@given(steps=steps_of(st.one_of(RUN, st.just(WHOLE)), st.one_of(CLOCK, CHANGE, CHANGE)))
@example(steps=[step(during(("delete", "t000", 0)))])
@example(steps=[*[step(UNDISTURBED)] * 2, step(UNDISTURBED, ("clock", "t000", 1), ("put", "t003", 5))])
def test_clock_that_is_set_back_removes_nothing_and_hides_no_later_change(
    tmp_path_factory, style, ascending, tombstones, steps
):
    things = Things(style, changes=Changes(ascending=ascending, tombstones=tombstones, dates=True))
    steps = [*steps, *[step(UNDISTURBED)] * 2, step(WHOLE), step(UNDISTURBED)]
    check(tmp_path_factory.mktemp("sync"), things, steps, model=ClockModel)
