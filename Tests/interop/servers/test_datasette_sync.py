"""datasette 1.0: `R/sync` by cursor, since a number that triggers raise. Deleted rows are marked, not removed."""

import random

import pytest

from changing import ROUNDS, Changing, Copy, counts
from lists.datasette import Datasette
from serving import DATASETTE1, options, serving


@pytest.fixture(scope="module")
def datasette(tmp_path_factory):
    folder = tmp_path_factory.mktemp("datasette")
    with serving("datasette1", folder, python=DATASETTE1) as url:
        with Datasette(url, folder / "datasette1.stderr") as datasette:
            yield datasette


@pytest.fixture
def copy(home, datasette):
    return Copy(home, datasette, options("datasette1", f"{datasette.url}/library"), {})


def requests(rows):
    """Returns the number of pages for a number of rows."""
    return max(1, -(-rows // Datasette.per_page))


@pytest.mark.parametrize("rounds", [[0, 1, 4, 6, 40], pytest.param(ROUNDS, marks=pytest.mark.long)])
def test_copy_equals_the_datasette_table_after_random_changes(datasette, copy, rounds):
    changing = Changing(datasette.create(), random.Random(len(rounds)), 30, 60)
    result = copy.sync()
    assert counts(result)[2:] == (30, 0, 0, 30, "walked", True)
    # A run through the whole list does not know the newest revision.
    assert counts(copy.sync()) == ("since", requests(30), 0, 0, 0, 30, "told", True)
    for count in rounds:
        received, last = len(datasette.received("revision__gte")), changing.last
        added, changed, removed, now = changing.change_some(count)
        # The changes also contain the last row of the sync before.
        sent = requests(len(changing.touched | {last}))
        wanted = ("since", sent, len(added), len(changed), len(removed), len(now), "told", True)
        assert counts(copy.sync()) == wanted
        assert len(datasette.received("revision__gte")) - received == sent
        assert copy.lines() == now
    rows = datasette.call("GET", "/library/notes.json?_size=max")["rows"]
    assert counts(copy.sync("--whole")) == ("whole", requests(len(rows)), 0, 0, 0, len(now), "walked", True)
    assert copy.lines() == now


def test_deleted_row_that_is_restored_returns_to_the_copy(datasette, copy):
    changing = Changing(datasette.create(), random.Random(3), 8, 60)
    copy.sync()
    copy.sync()
    id = sorted(changing.lines)[0]
    changing.delete(id)
    assert counts(copy.sync()) == ("since", 1, 0, 0, 1, 7, "told", True)
    changing.put(id)
    assert counts(copy.sync()) == ("since", 1, 1, 0, 0, 8, "told", True)
    assert copy.lines() == changing.listed()
