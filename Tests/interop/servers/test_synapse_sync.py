"""Synapse: `R/sync` with the tokens of `/sync` keeps a copy equal to the account data of a user."""

import random

import pytest

from changing import ROUNDS, Changing, Copy, counts
from lists.synapse import Rooms, Synapse
from serving import options, serving


@pytest.fixture(scope="module")
def synapse(tmp_path_factory):
    folder = tmp_path_factory.mktemp("synapse")
    with serving("synapse", folder) as url, Synapse(url, folder / "access.log") as synapse:
        yield synapse


def copy_of(home, server):
    place = f"{server.url}/_matrix/client/v3"
    return Copy(home, server, options("synapse", place), server.env)


@pytest.fixture
def copy(request, home, synapse):
    return copy_of(home, synapse.create(request.node.name))


def test_copy_equals_the_account_data_after_random_changes(synapse, copy):
    changing = Changing(synapse, random.Random(1), 30, 60)
    assert counts(copy.sync()) == ("whole", 1, 30, 0, 0, 30, "walked", True)
    assert copy.lines() == changing.listed()
    for count in ROUNDS:
        received = len(synapse.received("/sync?"))
        added, changed, removed, now = changing.change_some(count)
        result = copy.sync()
        numbers = (len(added), len(changed), len(removed), len(now))
        assert counts(result) == ("token", 1, *numbers, "told", True)
        assert copy.lines() == now
        assert len([target for target in synapse.received("/sync?")[received:] if "since=" in target]) == 1


def test_stored_answer_of_the_whole_list_is_corrected_by_the_next_runs(synapse, copy):
    """Synapse sends the same answer to equal requests for two minutes. The token in the answer is as old as the
    list, so the next run gets the changes since then."""
    changing = Changing(synapse, random.Random(2), 12, 60)
    copy.sync()
    first = changing.listed()
    for _ in range(20):
        changing.change()
    assert copy.sync()["mode"] == "token"
    assert copy.lines() == changing.listed() != first
    assert counts(copy.sync("--whole"))[5:] == (12, "walked", True)
    assert copy.lines() == first
    assert counts(copy.sync())[0] == "token"
    assert copy.lines() == changing.listed()


def test_copy_equals_the_joined_rooms_after_random_changes(home, synapse):
    """The answers name the changed rooms, and each name is fetched."""
    with Synapse(synapse.url, synapse.log) as owner:
        rooms = Rooms(synapse.create("member"), owner.create("owner"))
        changing = Changing(rooms, random.Random(3), 8, 16)
        copy = copy_of(home, rooms)
        assert counts(copy.sync()) == ("whole", 9, 8, 0, 0, 8, "walked", True)
        assert copy.lines() == changing.listed()
        for count in [0, 1, 4, 6, 30]:
            added, changed, removed, now = changing.change_some(count)
            sent = 1 + len(added) + len(changed)
            numbers = (len(added), len(changed), len(removed), len(now))
            assert counts(copy.sync()) == ("token", sent, *numbers, "told", True)
            assert copy.lines() == now
