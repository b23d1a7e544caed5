"""`RESOURCE/sync` keeps a local copy of a list."""

import signal
import sqlite3

import pytest

from harness import PATIENCE, RPCError
from listed import copy_of

STYLES = pytest.mark.parametrize("things", ["page", "cursor"], indirect=True)


@STYLES
def test_sync_stores_and_reports_changed_items(start, things):
    larder = start(*things.options)
    first = larder.call("thing/sync")
    assert (first["mode"], first["requests"], first["added"], first["items"]) == ("whole", 4, 17, 17)
    assert (first["complete"], first["deletions"], first["syncedAt"]) == (True, "walked", first["wholeAt"])
    things.put("t001", name="other")
    things.put("t900", name="new")
    things.delete("t005")
    second = larder.call("thing/sync", changes=True)
    assert [second[name] for name in ("added", "changed", "removed", "items")] == [1, 1, 1, 17]
    assert sorted((change["change"], change["id"]) for change in second["changes"]) == [
        ("added", "t900"), ("changed", "t001"), ("removed", "t005")]
    assert copy_of(larder) == things.things
    assert larder.call("thing/get", id="t001", cachePolicy="localOnly")["item"]["name"] == "other"


@STYLES
def test_pages_of_a_synced_list_can_be_read_offline(start, things):
    start(*things.options).call("thing/sync")
    offline = start(*things.options, "--offline")
    assert [thing["id"] for thing in offline.call("thing/list")["items"]] == [f"t{number:03}" for number in range(5)]
    with pytest.raises(RPCError) as refused:
        offline.call("thing/sync")
    assert refused.value.kind == "notCached"


def test_unchanged_items_are_not_written_again(start, things, home):
    larder = start(*things.options)
    larder.call("thing/sync")

    def rows():
        larder.call("cache/stats")
        with sqlite3.connect(home / "cache" / "cache.sqlite") as file:
            return file.execute("SELECT id, fetched_at FROM items ORDER BY id").fetchall()

    before = rows()
    assert len(before) == 17
    assert larder.call("thing/sync")["changed"] == 0
    assert rows() == before


def test_sync_of_a_recent_local_copy_sends_no_requests(start, things):
    larder = start(*things.options)
    larder.call("thing/sync")
    count = len(things.requests)
    found = larder.call("thing/sync", maxAge="1h")
    assert (found["mode"], found["requests"], found["items"], len(things.requests)) == ("none", 0, 17, count)
    assert larder.call("thing/sync", maxAge="1h", whole=True)["mode"] == "whole"


@STYLES
def test_request_limit_ends_a_call_and_the_next_call_continues(start, things):
    larder = start(*things.options)
    partial = larder.call("thing/sync", maxRequests=2)
    assert (partial["complete"], partial["items"], partial["syncedAt"]) == (False, 10, None)
    rest = larder.call("thing/sync", maxRequests=2)
    # The first pages may have changed since the first call.
    assert (rest["complete"], rest["requests"], rest["items"], rest["added"]) == (None, 2, 17, 7)


def test_failed_page_keeps_the_stored_items(start, things):
    larder = start(*things.options)
    things.before(3, lambda: (500, {}, {"message": "on fire"}))
    with pytest.raises(RPCError) as failed:
        larder.call("thing/sync")
    assert failed.value.kind == "serverError"
    assert len(copy_of(larder)) == 10
    assert larder.call("thing/sync")["requests"] == 2 and copy_of(larder) == things.things


def test_refused_page_makes_the_next_run_start_over(start, things):
    larder = start(*things.options)
    larder.call("thing/sync", maxRequests=2)
    things.before(1, lambda: (403, {}, {"message": "the page has expired"}))
    with pytest.raises(RPCError):
        larder.call("thing/sync")
    assert larder.call("thing/sync")["requests"] == 4 and copy_of(larder) == things.things


def test_requested_sync_of_the_whole_list_starts_at_the_first_page(start, things):
    larder = start(*things.options)
    larder.call("thing/sync", maxRequests=2)
    assert larder.call("thing/sync", whole=True)["requests"] == 4


def test_item_that_moves_to_an_earlier_page_is_kept_if_links_have_page_numbers(start, things, home):
    """An item that moves to an earlier page is kept if links have page numbers."""
    things.style = "link"
    larder = start("--catalog", things.catalog(home))
    larder.call("thing/sync")
    first = things.order[0]
    things.before(2, lambda: things.delete(first))
    assert larder.call("thing/sync")["complete"] is True
    assert things.things.keys() <= copy_of(larder).keys()


def test_item_that_moves_to_an_earlier_page_is_kept(start, things):
    """If an item moves to an earlier page while the list is read, the list lacks it. The API is asked before it is
    removed."""
    larder = start(*things.options)
    larder.call("thing/sync")
    moved = things.order[-1]

    def move():
        things.order.remove(moved)
        things.order.insert(0, moved)

    things.before(2, move)
    found = larder.call("thing/sync", changes=True)
    assert found["removed"] == 0 and moved in copy_of(larder)


def test_absent_item_of_a_resource_without_get_is_removed_after_two_complete_syncs(start, things, home):
    things.has_get = False
    larder = start("--catalog", things.catalog(home))
    larder.call("thing/sync")
    things.delete("t003")
    once = larder.call("thing/sync")
    assert (once["removed"], once["deletions"]) == (0, "unknown") and "t003" in copy_of(larder)
    assert larder.call("thing/sync")["removed"] == 1 and copy_of(larder) == things.things


def test_filtered_copy_removes_no_item_from_the_cache(start, things):
    larder = start(*things.options)
    assert larder.call("thing/sync", filter={"state": "open"})["items"] == 17
    things.put("t002", state="closed")
    for _ in range(2):
        found = larder.call("thing/sync", filter={"state": "open"})
    assert (found["removed"], found["items"]) == (1, 16)
    # The item is stale, so a call requests it again.
    assert larder.call("thing/get", id="t002")["item"]["state"] == "closed"


def test_one_sync_does_not_remove_more_than_half_of_a_large_list(start, things):
    for number in range(100, 220):
        things.put(f"t{number}")
    larder = start(*things.options)
    assert larder.call("thing/sync")["items"] == 137
    kept = dict(things.things)
    for id in list(things.things)[10:]:
        things.delete(id)
    held = larder.call("thing/sync")
    assert (held["held"], held["removed"], held["items"], held["deletions"]) == (127, 0, 137, "unknown")
    assert copy_of(larder).keys() == kept.keys() and "the list has lost 127 of 137 items" in larder.stderr()
    accepted = larder.call("thing/sync", acceptRemovals=True)
    assert (accepted["removed"], accepted["items"]) == (127, 10) and copy_of(larder) == things.things


def test_absent_items_that_were_not_removed_are_kept_when_the_list_grows(start, things):
    for number in range(100, 220):
        things.put(f"t{number}")
    larder = start(*things.options)
    larder.call("thing/sync")
    for id in list(things.things)[10:]:
        things.delete(id)
    for number in range(300, 500):
        things.put(f"t{number}")
    for _ in range(2):
        held = larder.call("thing/sync")
        assert (held["held"], held["removed"], held["items"]) == (127, 0, 337)
    assert larder.call("thing/sync", acceptRemovals=True)["removed"] == 127
    assert copy_of(larder) == things.things


def test_sync_that_continues_an_interrupted_one_removes_nothing(start, things):
    """An expired cursor can look like the end of the list."""
    things.style = "cursor"
    larder = start("--catalog", things.catalog(things.home))
    larder.call("thing/sync")
    larder.call("thing/sync", maxRequests=2)
    things.before(1, lambda: (200, {}, {"items": [], "next": None}))
    found = larder.call("thing/sync")
    assert (found["complete"], found["removed"]) == (None, 0) and copy_of(larder) == things.things


def test_answer_requested_before_an_invalidation_is_not_stored(start, things):
    larder = start(*things.options)
    larder.call("thing/sync")
    things.put("t001", name="other")
    arrived, gate = things.hold(1)
    running = larder.send("thing/sync")
    assert arrived.wait(PATIENCE)
    larder.call("cache/invalidate", resource="thing", id="t001")
    gate.set()
    result = larder.wait(running)["result"]
    assert (result["complete"], result["requests"], result["changed"]) == (True, 5, 1)
    assert larder.call("thing/get", id="t001", cachePolicy="localOnly")["stale"] is False


def test_removal_of_a_resource_deletes_its_local_copies(start, things):
    larder = start(*things.options)
    larder.call("thing/sync")
    [sync] = larder.call("cache/syncs")["syncs"]
    assert (sync["resource"], sync["items"], sync["complete"]) == ("thing", 17, True)
    larder.call("cache/remove", resource="thing", id="t001")
    [sync] = larder.call("cache/syncs")["syncs"]
    assert (sync["items"], sync["complete"]) == (16, False)
    assert larder.call("thing/sync", maxAge="1h")["added"] == 1
    larder.call("cache/remove", resource="thing")
    assert larder.call("cache/syncs") == {"syncs": [], "others": []} and copy_of(larder) == {}


def test_killed_run_is_continued_by_the_next_process(start, things):
    arrived, gate = things.hold(3)
    larder = start(*things.options)
    larder.send("thing/sync")
    assert arrived.wait(PATIENCE)
    larder.process.send_signal(signal.SIGKILL)
    larder.process.wait(PATIENCE)
    gate.set()
    other = start(*things.options)
    # The third page is requested while the second one is stored, so the second page may be lost.
    stored = len(copy_of(other))
    requests = {5: 3, 10: 2}[stored]
    found = other.call("thing/sync")
    assert (found["complete"], found["requests"], found["added"]) == (None, requests, 17 - stored)
    assert copy_of(other) == things.things


def test_concurrent_syncs_of_two_processes_both_succeed(start, things):
    """The second run waits for the first, or starts after it. `SyncSharingTests` checks the result of a wait."""
    arrived, gate = things.hold(2)
    one, two = start(*things.options), start(*things.options)
    running = one.send("thing/sync")
    assert arrived.wait(PATIENCE)
    waiting = two.send("thing/sync")
    two.call("cache/stats")
    assert len(things.requests) == 2, "only one run reads the list"
    gate.set()
    assert one.wait(running)["result"]["mode"] == "whole"
    assert two.wait(waiting)["result"]["items"] == 17
    assert len(things.requests) in (4, 8) and copy_of(two) == things.things


def test_change_by_a_sync_is_sent_to_observers(start, things):
    larder = start(*things.options)
    larder.call("thing/sync")
    larder.call("thing/observe", id="t004", observer="one")
    things.put("t004", name="other")
    larder.call("thing/sync")
    assert larder.notification("thing/changed")["item"]["name"] == "other"
