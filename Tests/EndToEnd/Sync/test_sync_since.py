"""`RESOURCE/sync` of a list that declares `sync`: only changes are requested."""

import signal
import sqlite3
from datetime import datetime, timedelta
from urllib.parse import unquote

import pytest

from harness import PATIENCE
from listed import Changes, Things, copy_of, counts

ALL = ["page", "cursor", "link"]


@pytest.fixture
def changing(begin):
    """Returns a function that starts a server with seventeen things."""

    def start(style="page", count=17, **options):
        things = Things(style, changes=Changes(**options))
        for number in range(count):
            things.put(f"t{number:03}", name=f"thing {number}")
        return begin(things)

    return start


def time_of(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")


def wanted(things, since=0):
    """Returns the values of `since` in the requests from a number on; None for requests without it."""
    found = []
    for target in things.requests[since:]:
        parts = [part for part in target.split("?", 1)[-1].split("&") if part.startswith("since=")]
        found.append(parts[0][6:] if parts else None)
    return found


@pytest.mark.parametrize("style", ALL)
@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("inclusive", [True, False])
def test_second_sync_requests_only_changes(start, changing, style, ascending, inclusive):
    things = changing(style, ascending=ascending, inclusive=inclusive)
    larder = start(*things.options)
    assert counts(larder.call("thing/sync")) == ("whole", 17, 0, 0, 17, True, "walked")
    before = len(things.requests)
    things.put("t001", name="other")
    things.put("t900", name="new")
    things.delete("t005")
    second = larder.call("thing/sync", changes=True)
    assert counts(second) == ("since", 1, 1, 1, 17, True, "told")
    assert sorted((change["change"], change["id"]) for change in second["changes"]) == [
        ("added", "t900"), ("changed", "t001"), ("removed", "t005")]
    assert second["wholeAt"] < second["syncedAt"]
    assert None not in wanted(things, before)
    assert copy_of(larder) == things.things
    [state] = larder.call("cache/syncs")["syncs"]
    assert (state["items"], state["complete"], state["syncedAt"]) == (17, True, second["syncedAt"])
    third = larder.call("thing/sync")
    assert counts(third) == ("since", 0, 0, 0, 17, True, "told") and third["requests"] == 1


def test_sync_without_changes_writes_no_item(start, changing, home):
    things = changing(inclusive=True)
    larder = start(*things.options)
    larder.call("thing/sync")

    def rows():
        larder.call("cache/stats")
        with sqlite3.connect(home / "cache" / "cache.sqlite") as file:
            return file.execute("SELECT key, id, fetched_at FROM items ORDER BY id").fetchall()

    before = rows()
    assert counts(larder.call("thing/sync"))[:4] == ("since", 0, 0, 0)
    assert rows() == before


@pytest.mark.parametrize("style", ALL)
def test_sync_requests_changes_from_a_minute_before_the_last_date(start, changing, style):
    things = changing(style, dates=True)
    larder = start(*things.options)
    larder.call("thing/sync")
    count = len(things.requests)
    things.put("t003", name="other")
    assert counts(larder.call("thing/sync"))[:4] == ("since", 0, 1, 0)
    overlap = time_of(things.changes.revision(17)) - time_of(unquote(wanted(things, count)[0]))
    assert overlap == timedelta(minutes=1)
    assert copy_of(larder) == things.things


@pytest.mark.parametrize("style", ALL)
def test_changes_on_many_pages_are_all_read(start, changing, style):
    things = changing(style, inclusive=True)
    larder = start(*things.options)
    larder.call("thing/sync")
    for number in range(14):
        things.put(f"t{number:03}", name="other")
    assert counts(larder.call("thing/sync"))[:4] == ("since", 0, 14, 0)
    assert copy_of(larder) == things.things


@pytest.mark.parametrize("style", ["page", "link"])
def test_item_that_moves_while_pages_are_read_is_not_missed(start, changing, style):
    """A change moves an item to the end of the list, so that the next page would skip another item."""
    things = changing(style)
    larder = start(*things.options)
    things.before(2, lambda: things.put("t000", name="moved"))
    # An item came twice, so the run may have missed another. The next run asks for all changes since the first page.
    assert larder.call("thing/sync")["complete"] is None
    assert larder.call("thing/sync")["mode"] == "since"
    assert copy_of(larder) == things.things
    for number in range(14):
        things.put(f"t{number:03}", name="other")

    def change():
        for number in range(3):
            things.put(f"t{number:03}", name="again")

    things.before(2, change)
    assert larder.call("thing/sync")["mode"] == "since"
    assert copy_of(larder) == things.things


@pytest.mark.parametrize("ascending", [True, False])
def test_change_during_a_run_is_found_by_the_next_run(start, changing, ascending):
    things = changing("cursor", ascending=ascending)
    larder = start(*things.options)

    def change():
        things.put("t000", name="early page")
        things.put("t016", name="last page")

    things.before(3, change)
    larder.call("thing/sync")
    assert larder.call("thing/sync")["mode"] == "since"
    assert copy_of(larder) == things.things


def test_deletions_not_reported_by_the_api_are_found_by_reading_the_whole_list(start, changing):
    things = changing(tombstones=False, sync={"whole": "1d"})
    larder = start(*things.options)
    larder.call("thing/sync")
    things.delete("t005")
    assert counts(larder.call("thing/sync")) == ("since", 0, 0, 0, 17, True, "unknown")
    assert "t005" in copy_of(larder)
    assert counts(larder.call("thing/sync", whole=True)) == ("whole", 0, 0, 1, 16, True, "walked")
    assert copy_of(larder) == things.things


def test_whole_list_is_read_again_after_the_declared_time(start, changing):
    things = changing(tombstones=False, sync={"whole": 0.001})
    larder = start(*things.options)
    larder.call("thing/sync")
    things.delete("t005")
    assert counts(larder.call("thing/sync"))[:5] == ("whole", 0, 0, 1, 16)


def test_changed_declaration_reads_the_whole_list_and_keeps_the_items(start, changing):
    things = changing()
    start(*things.options).call("thing/sync")
    things.changes.sync = {"whole": "30d"}
    things.catalog(things.home)
    assert counts(start(*things.options).call("thing/sync"))[:5] == ("whole", 0, 0, 0, 17)
    things.changes = None
    things.catalog(things.home)
    assert counts(start(*things.options).call("thing/sync"))[:5] == ("whole", 0, 0, 0, 17)


def test_whole_list_is_read_after_an_item_is_lost(start, changing):
    things = changing()
    larder = start(*things.options)
    larder.call("thing/sync")
    larder.call("cache/remove", resource="thing", id="t001")
    assert counts(larder.call("thing/sync"))[:5] == ("whole", 1, 0, 0, 17)
    assert counts(larder.call("thing/sync"))[:5] == ("since", 0, 0, 0, 17)


def test_run_that_fetches_changes_handles_deleted_and_restored_items(start, changing):
    things = changing("cursor")
    larder = start(*things.options)
    larder.call("thing/sync")
    things.delete("t003")
    things.delete("t004")
    things.put("t003", name="back")
    for number in range(5, 11):
        things.put(f"t{number:03}", name="other")
    things.delete("t005")
    things.put("t950")
    things.delete("t950")
    # The run reads the deletion of an item after the item, which it has read on an earlier page.
    things.before(2, lambda: things.delete("t006"))
    larder.call("thing/sync")
    assert copy_of(larder) == things.things


def test_sync_with_an_undeclared_filter_reads_the_whole_list(start, changing):
    things = changing()
    larder = start(*things.options)
    for _ in range(2):
        assert larder.call("thing/sync", filter={"state": "open"})["mode"] == "whole"
    things.put("t002", state="closed")
    # The item exists, so it leaves the copy only after two runs without it.
    assert [larder.call("thing/sync", filter={"state": "open"})["removed"] for _ in range(2)] == [0, 1]
    assert wanted(things) == [None] * len(things.requests)


def test_sync_with_a_declared_filter_requests_only_changes(start, changing):
    things = changing(sync={"filters": ["state"]})
    larder = start(*things.options)
    # The first run through the whole list does not know the newest change, because the list lacks deletions.
    larder.call("thing/sync", filter={"state": "open"})
    larder.call("thing/sync", filter={"state": "open"})
    things.put("t002", name="other")
    assert counts(larder.call("thing/sync", filter={"state": "open"}))[:4] == ("since", 0, 1, 0)
    assert "state=open" in things.requests[-1] and "since=17" in things.requests[-1]


def test_request_limit_keeps_the_changes_that_were_read(start, changing):
    things = changing(inclusive=True)
    larder = start(*things.options)
    # The first run through the whole list does not know the newest change, because the list lacks deletions.
    larder.call("thing/sync")
    larder.call("thing/sync")
    for number in range(14):
        things.put(f"t{number:03}", name="other")
    first = larder.call("thing/sync", maxRequests=1)
    assert counts(first) == ("since", 0, 4, 0, 17, False, "unknown")
    count = len(things.requests)
    rest = larder.call("thing/sync")
    assert counts(rest) == ("since", 0, 10, 0, 17, True, "told") and wanted(things, count)[0] == "21"
    assert copy_of(larder) == things.things


def test_failed_run_for_unsorted_changes_starts_over(start, changing):
    things = changing("cursor", ascending=False)
    larder = start(*things.options)
    larder.call("thing/sync")
    for number in range(14):
        things.put(f"t{number:03}", name="other")
    things.before(2, lambda: (500, {}, {"message": "on fire"}))
    assert larder.wait(larder.send("thing/sync"))["error"]["data"]["kind"] == "serverError"
    assert counts(larder.call("thing/sync")) == ("since", 0, 9, 0, 17, True, "told")
    assert copy_of(larder) == things.things


def test_killed_run_that_fetches_changes_is_repeated_by_the_next_process(start, changing):
    things = changing("cursor")
    larder = start(*things.options)
    # The first run through the whole list does not know the newest change, because the list lacks deletions.
    larder.call("thing/sync")
    larder.call("thing/sync")
    for number in range(14):
        things.put(f"t{number:03}", name="other")
    arrived, gate = things.hold(3)
    larder.send("thing/sync")
    assert arrived.wait(PATIENCE)
    larder.process.send_signal(signal.SIGKILL)
    larder.process.wait(PATIENCE)
    gate.set()
    other = start(*things.options)
    count = len(things.requests)
    found = other.call("thing/sync")
    # The third page is requested while the second one is stored, so the second page may be lost.
    mark = {4: "27", 9: "22"}[found["changed"]]
    assert (found["mode"], found["added"], found["removed"]) == ("since", 0, 0)
    assert wanted(things, count)[0] == mark and copy_of(other) == things.things


def test_invalidation_during_a_request_repeats_the_page(start, changing):
    things = changing()
    larder = start(*things.options)
    # The first run through the whole list does not know the newest change, because the list lacks deletions.
    larder.call("thing/sync")
    larder.call("thing/sync")
    things.put("t001", name="other")
    arrived, gate = things.hold(1)
    running = larder.send("thing/sync")
    assert arrived.wait(PATIENCE)
    larder.call("cache/invalidate", resource="thing", id="t001")
    gate.set()
    result = larder.wait(running)["result"]
    assert counts(result)[:4] == ("since", 0, 1, 0) and (result["requests"], result["complete"]) == (2, True)


def test_time_in_the_future_is_not_stored_as_the_sync_mark(start, changing):
    things = changing(dates=True)
    larder = start(*things.options)
    things.things["t004"]["rev"] = "2999-01-01T00:00:00Z"
    larder.call("thing/sync")
    assert "2999-01-01T00:00:00Z" in larder.stderr()
    things.put("t003", name="other")
    assert counts(larder.call("thing/sync"))[:4] == ("since", 0, 1, 0)


def test_pages_are_stored_only_if_sync_and_list_send_equal_requests(start, changing):
    for ascending in (True, False):
        things = changing(ascending=ascending)
        larder = start(*things.options)
        larder.call("cache/remove", resource="thing")
        larder.call("thing/sync")
        before = len(things.requests)
        listed = larder.call("thing/list")
        assert [thing["id"] for thing in listed["items"]] == [f"t{number:03}" for number in range(5)]
        assert len(things.requests) - before == (1 if ascending else 0)


def test_offline_list_reads_the_copy_if_the_sync_has_stored_no_pages(start, changing):
    things = changing(ascending=True)
    larder = start(*things.options)
    larder.call("cache/remove", resource="thing")
    larder.call("thing/sync")
    listed = larder.call("thing/list", cachePolicy="localOnly")
    assert (listed["source"], listed["page"]["next"]) == ("persistence", None)
    assert sorted(thing["id"] for thing in listed["items"]) == [f"t{number:03}" for number in range(17)]


def test_deleted_item_is_gone_from_memory(start, changing):
    things = changing()
    larder = start(*things.options)
    larder.call("thing/sync")
    larder.call("thing/get", id="t004")
    things.delete("t004")
    larder.call("thing/sync")
    gone = larder.wait(larder.send("thing/get", {"id": "t004", "cachePolicy": "localOnly"}))
    assert gone["error"]["data"]["kind"] == "notCached"


def test_list_of_an_api_that_ignores_the_since_parameter_is_read_to_its_end(start, changing):
    things = changing(sync={"param": "nonsense"})
    larder = start(*things.options)
    larder.call("thing/sync")
    for number in range(14):
        things.put(f"t{number:03}", name="other")
    result = larder.call("thing/sync")
    assert (result["changed"], result["complete"]) == (14, None) and result["requests"] < 12
    assert copy_of(larder) == things.things


@pytest.mark.parametrize("style", ALL)
def test_offline_list_reads_the_copy_after_a_sync_of_changes(start, changing, style):
    things = changing(style, count=230)
    larder = start(*things.options)
    larder.call("thing/sync")
    things.put("t001", name="other")
    things.put("t900", name="new")
    things.delete("t005")
    synced = larder.call("thing/sync")
    assert synced["mode"] == "since"
    offline = start(*things.options, "--offline")
    found, page, pages = {}, None, 0
    while pages == 0 or page is not None:
        answer = offline.call("thing/list", **({} if page is None else {"page": page}))
        assert (answer["page"]["count"], answer["syncedAt"]) == (230, synced["syncedAt"])
        assert not found.keys() & {item["id"] for item in answer["items"]}
        found |= {item["id"]: item for item in answer["items"]}
        page, pages = answer["page"]["next"], pages + 1
    assert pages == 3 and {item["id"]: item["name"] for item in found.values()} == {
        name: thing["name"] for name, thing in things.things.items()
    }
