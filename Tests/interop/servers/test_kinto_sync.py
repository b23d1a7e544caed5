"""Kinto: `R/sync` with `_since` and tombstones keeps a copy equal to a collection that changes."""

import random

import pytest

from changing import ROUNDS, Changing, Copy, counts, gate, line
from lists.kinto import Kinto
from serving import KINTO_OWNER, options, serving

PASSWORD = {"KINTO_PASSWORD": "kinto-password"}


@pytest.fixture(scope="module")
def kinto(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinto")
    with serving("kinto", folder) as url, Kinto(url, folder / "kinto.stderr", **KINTO_OWNER) as kinto:
        yield kinto


@pytest.fixture
def copy(home, kinto):
    return Copy(home, kinto, options("kinto", f"{kinto.url}/v1"), PASSWORD)


def pages(count):
    """Returns the number of pages of a collection that does not fit on one page."""
    return -(-count // Kinto.per_page)


def requests(changes):
    """Returns the number of requests for a number of changes. Each request asks for the first page of the changes since
    the last one. A full first page without a link to the next page may be due to a misspelled selector, so that one
    more request must confirm the end."""
    return changes // Kinto.per_page + 1


def feed(kinto):
    """Returns the requests of syncs that the server has received."""
    return kinto.received(f"{kinto.path}/records?_sort=last_modified")


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_copy_equals_the_kinto_collection_after_random_changes(kinto, copy, seed):
    kinto.create(f"changing-{seed}")
    changing = Changing(kinto, random.Random(seed), 30, 60)
    assert counts(copy.sync()) == ("whole", pages(30), 30, 0, 0, 30, "walked", True)
    # A run through the whole list does not know the newest time, so the next run reads most records again.
    assert counts(copy.sync())[2:] == (0, 0, 0, 30, "told", True)
    assert copy.lines() == changing.listed()
    assert sum(ROUNDS) == 200
    for count in ROUNDS:
        received = len(feed(kinto))
        added, changed, removed, now = changing.change_some(count)
        result = copy.sync("--changes")
        sent = requests(len(changing.touched))
        wanted = ("since", sent, len(added), len(changed), len(removed), len(now), "told", True)
        assert counts(result) == wanted
        kinds = {"added": added, "changed": changed, "removed": removed}
        assert sorted((change["change"], change["id"]) for change in result["changes"]) == sorted(
            (kind, id) for kind, ids in kinds.items() for id in ids
        )
        assert copy.lines() == now
        targets = feed(kinto)[received:]
        assert len(targets) == result["requests"] and all("_since=" in target for target in targets)
    # All changes were found without reading the whole list again.
    assert counts(copy.sync("--whole")) == ("whole", pages(len(now)), 0, 0, 0, len(now), "walked", True)
    assert copy.lines() == now


def test_running_process_returns_the_changes_that_it_has_synced(start, home, kinto):
    """Changed and deleted records also leave the memory of the process."""
    kinto.create("running")
    changing = Changing(kinto, random.Random(3), 30, 60)
    larder = start(*options("kinto", f"{kinto.url}/v1"), upstream=None, env=PASSWORD)
    for _ in range(5):
        larder.call("record/sync", collection="running")
        cached = {}
        for id in changing.ids:
            params = {"collection": "running", "id": id, "cachePolicy": "localOnly"}
            reply = larder.wait(larder.send("record/get", params))
            if "result" in reply:
                cached[id] = line(reply["result"]["item"], kinto.fields)
            else:
                assert reply["error"]["data"]["kind"] == "notCached"
        assert cached == changing.lines
        for _ in range(20):
            changing.change()


def test_purged_tombstone_is_missed_until_the_whole_collection_is_read(kinto, copy):
    """Kinto does not report that it has purged tombstones, so a run for changes cannot detect it."""
    kinto.create("purged")
    changing = Changing(kinto, random.Random(4), 30, 60)
    copy.sync()
    copy.sync()
    gone = sorted(changing.lines)[:3]
    for id in gone:
        changing.delete(id)
    kinto.call("POST", "/purge-deleted")
    changing.put(sorted(changing.lines)[0])
    assert counts(copy.sync()) == ("since", 1, 0, 1, 0, 30, "told", True)
    assert copy.lines().keys() == changing.listed().keys() | set(gone)
    assert counts(copy.sync("--whole"))[2:] == (0, 0, 3, 27, "walked", True)
    assert copy.lines() == changing.listed()
    assert counts(copy.sync())[2:] == (0, 0, 0, 27, "told", True)


def test_collection_that_was_deleted_and_created_again_replaces_the_copy(kinto, copy):
    """With a collection, Kinto also deletes the tombstones. The new records have new times."""
    kinto.create("again")
    changing = Changing(kinto, random.Random(5), 12, 60)
    copy.sync()
    old = set(changing.lines)
    kinto.call("DELETE", kinto.path)
    kinto.create("again")
    changing = Changing(kinto, random.Random(6), 12, 60)
    assert counts(copy.sync())[0] == "since"
    assert copy.lines().items() >= changing.listed().items() and copy.lines().keys() <= old | changing.lines.keys()
    assert counts(copy.sync("--whole"))[5:] == (12, "walked", True)
    assert copy.lines() == changing.listed()


def test_sync_of_a_filtered_kinto_collection_always_reads_the_whole_list(kinto, copy):
    """A record that no longer matches the filter is not among the filtered changes."""
    kinto.create("filtered")
    for number in range(12):
        kinto.put(f"n{number:03}", {"title": "x", "number": number, "author": number % 2}, exists=False)
    assert counts(copy.sync("authors=1")) == ("whole", 2, 6, 0, 0, 6, "walked", True)
    kinto.put("n001", {"title": "x", "number": 1, "author": 0}, exists=True)
    kinto.put("n002", {"title": "x", "number": 2, "author": 1}, exists=True)
    # Pages of this style may shift, so an item leaves the copy after two runs without it.
    assert counts(copy.sync("authors=1")) == ("whole", 2, 1, 0, 0, 7, "unknown", True)
    assert counts(copy.sync("authors=1")) == ("whole", 2, 0, 0, 1, 6, "walked", True)


def test_deletion_before_an_interrupted_run_is_found_by_the_next_request_for_changes(kinto, copy):
    """The deletion is older than all records that the interrupted run has read. The copy keeps its earlier mark, so
    the changes since this mark contain the deletion."""
    kinto.create("interrupted")
    changing = Changing(kinto, random.Random(8), 12, 60)
    copy.sync()
    gone = sorted(changing.lines)[0]
    changing.delete(gone)
    for id in sorted(changing.lines):
        changing.put(id)
    assert counts(copy.sync("--whole", "--max-requests", "1"))[-1] is False
    assert copy.sync()["complete"] is None
    assert copy.lines().items() >= changing.listed().items()
    last = copy.sync()
    assert (last["mode"], *counts(last)[5:]) == ("since", 11, "told", True)
    assert copy.lines() == changing.listed()


def test_changes_during_a_run_are_found_by_the_next_run(home, kinto):
    kinto.create("during")
    changing = Changing(kinto, random.Random(9), 12, 60)
    left = [0, 12, 0, 3]  # the numbers of changes before the requests for changes

    def change(request):
        for _ in range(left.pop(0) if "_since" in request.query and left else 0):
            changing.change()

    with gate(kinto.url, change) as url:
        copy = Copy(home, kinto, options("kinto", f"{url}/v1"), PASSWORD)
        assert copy.sync()["complete"] is True
        while left:
            assert copy.sync()["mode"] == "since"
        result = copy.sync()
    assert (result["mode"], result["complete"]) == ("since", True)
    assert copy.lines() == changing.listed()
