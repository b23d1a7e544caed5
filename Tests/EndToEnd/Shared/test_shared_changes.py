"""What one machine changes reaches the memory, the file and the observers of the others."""

import pytest

from harness import eventually
from machines import connected, degraded, is_absent, is_stale, settled, stats


def name_of(larder, id=1, **params):
    return larder.call("character/get", id=id, **params)["item"]["name"]


@pytest.fixture
def pair(machines, upstream):
    """pair(**second): two machines that both have the items 1...3 and the first page."""

    def pair(**second):
        one, two = machines("one"), machines("two", **second)
        for larder in (one, two):
            larder.call("character/list")
            for id in (1, 2, 3):
                larder.call("character/get", id=id)
        eventually(lambda: stats(one)["written"], "what the first one writes behind")
        return one, two

    return pair


def in_file(machines, larder, name):
    """The same machine's next process, which has nothing in memory and asks nobody."""
    settled(larder)
    return machines(name, "--offline")


SELECTIONS = [
    {"resource": "character", "id": 1},
    {"resource": "character", "ids": [1, 2]},
    {"resource": "character"},
    {},
]


class TestChange:
    def test_it_reaches_memory_file_and_observer(self, machines, pair, upstream):
        one, two = pair()
        two.call("character/observe", id=1, observer="mine")
        upstream.edit("character", 1, name="Pickle Rick")
        assert name_of(one, cachePolicy="remoteFirst") == "Pickle Rick"
        told = two.notification("character/changed")
        assert (told["observer"], told["item"]["name"]) == ("mine", "Pickle Rick")
        assert name_of(two, cachePolicy="localOnly") == "Pickle Rick"
        again = in_file(machines, two, "two")
        assert name_of(again) == "Pickle Rick"

    def test_a_page_that_shows_it_is_told_too(self, pair, upstream):
        one, two = pair()
        two.call("character/observe", page=1, observer="first")
        upstream.edit("character", 7, name="Somebody else")
        one.call("character/list", cachePolicy="remoteFirst")
        told = two.notification("character/changed")
        assert [item["name"] for item in told["items"] if item["id"] == 7] == ["Somebody else"]

    def test_the_same_contents_are_no_change(self, pair, upstream):
        one, two = pair()
        two.call("character/observe", id=1)
        for _ in range(3):
            name_of(one, cachePolicy="remoteFirst")
        upstream.edit("character", 1, name="Pickle Rick")
        name_of(one, cachePolicy="remoteFirst")
        assert two.notification("character/changed")["item"]["name"] == "Pickle Rick"
        two.alive()

    def test_both_ways(self, pair, upstream):
        one, two = pair()
        upstream.edit("character", 2, name="Evil Morty")
        name_of(two, id=2, cachePolicy="remoteFirst")
        eventually(lambda: name_of(one, id=2, cachePolicy="localOnly") == "Evil Morty", "the change by the second")

    def test_a_process_without_a_file_hears_of_it(self, machines, pair, upstream):
        one, _ = pair()
        two = machines("three", "--no-persistence")
        name_of(two)
        upstream.edit("character", 1, name="Pickle Rick")
        name_of(one, cachePolicy="remoteFirst")
        eventually(lambda: name_of(two) == "Pickle Rick", "the change in memory alone")
        one.call("cache/remove", resource="character", id=1)
        eventually(lambda: is_absent(two, id=1), "the removal from memory alone")

    def test_what_happened_while_a_machine_slept_is_heard_at_its_start(self, machines, pair, upstream):
        one, two = pair()
        settled(two)
        upstream.edit("character", 1, name="Pickle Rick")
        name_of(one, cachePolicy="remoteFirst")
        one.call("cache/remove", resource="character", id=2)
        two = machines("two")
        eventually(lambda: name_of(two, cachePolicy="localOnly") == "Pickle Rick", "the change of before the start")
        eventually(lambda: is_absent(two, id=2), "the removal of before the start")
        assert not is_stale(two, id=3)


@pytest.mark.parametrize("selection", SELECTIONS, ids=["id", "ids", "resource", "everything"])
class TestRemoval:
    def test_a_removal_reaches_memory_file_and_observer(self, machines, pair, upstream, selection):
        one, two = pair()
        two.call("character/observe", id=1, observer="mine")
        upstream.edit("character", 1, name="Pickle Rick")
        one.call("cache/remove", **selection)
        assert two.notification("character/changed") == {"observer": "mine", "gone": True}
        assert is_absent(two, id=1)
        if selection != SELECTIONS[0]:
            eventually(lambda: is_absent(two, id=2), "the removal of the second item")
        assert is_absent(two, id=3) == ("id" not in selection and "ids" not in selection)
        assert is_absent(in_file(machines, two, "two"), id=1)
        assert name_of(machines("three")) == "Pickle Rick"

    def test_an_invalidation_reaches_memory_and_file(self, machines, pair, upstream, selection):
        one, two = pair()
        upstream.edit("character", 1, name="Pickle Rick")
        one.call("cache/invalidate", **selection)
        eventually(lambda: is_stale(two, id=1), "the mark of another machine")
        assert is_stale(in_file(machines, two, "two"), id=1)
        assert name_of(machines("two")) == "Pickle Rick"
        assert name_of(machines("three")) == "Pickle Rick"

    def test_a_removal_reaches_who_was_cut_off(self, pair, upstream, proxy, selection):
        one, two = pair(url=proxy.url())
        two.call("character/observe", id=1, observer="mine")
        proxy.cut()
        one.call("cache/remove", **selection)
        upstream.edit("character", 1, name="Pickle Rick")
        proxy.mend()
        assert two.notification("character/changed") == {"observer": "mine", "gone": True}
        assert name_of(two) == "Pickle Rick"


class TestBreaks:
    def test_a_change_reaches_who_was_cut_off(self, pair, upstream, proxy):
        one, two = pair(url=proxy.url())
        two.call("character/observe", id=1)
        proxy.cut()
        upstream.edit("character", 1, name="Pickle Rick")
        name_of(one, cachePolicy="remoteFirst")
        proxy.mend()
        assert two.notification("character/changed")["item"]["name"] == "Pickle Rick"
        assert name_of(two, cachePolicy="localOnly") == "Pickle Rick"
        eventually(lambda: not degraded(two), "the recovery, which is told")

    def test_an_invalidation_reaches_who_was_cut_off(self, pair, upstream, proxy):
        one, two = pair(url=proxy.url())
        proxy.cut()
        one.call("cache/invalidate", resource="character")
        upstream.edit("character", 1, name="Pickle Rick")
        proxy.mend()
        eventually(lambda: is_stale(two, id=1), "the mark of another machine")
        assert name_of(two) == "Pickle Rick"

    def test_where_the_stream_was_lost_what_is_older_is_stale(self, pair, upstream, proxy, redis):
        one, two = pair(url=proxy.url())
        proxy.cut()
        one.call("cache/remove", resource="character", id=1)
        upstream.edit("character", 1, name="Pickle Rick")
        redis("DEL", *redis.keys("c"))
        proxy.mend()
        eventually(lambda: is_stale(two, id=1) and is_stale(two, id=3), "that nobody can tell what has changed")
        assert name_of(two) == "Pickle Rick"
        assert two.call("character/get", id=3)["stale"] is False

    def test_the_same_where_the_server_begins_anew(self, pair, upstream, redis):
        one, two = pair()
        redis.restart()
        for larder in (one, two):
            eventually(lambda: is_stale(larder, id=1), "that nobody can tell what has changed")
            assert larder.call("character/get", id=1)["stale"] is False
        # It is not said again and again.
        connected(one)
        one.call("cache/remove", resource="character", id=2)
        eventually(lambda: is_absent(two, id=2), "the first removal in the new stream")
        assert not is_stale(two, id=1)

    def test_who_only_reads_is_not_made_stale_again_and_again(self, machines, redis, upstream):
        """There is no stream in a server where nobody has written yet."""
        reader = machines("reader", mode="read")
        reader.call("character/get", id=1)
        with redis.monitor() as monitor:
            # Twice the first look, and two more: what was fetched after the first one stays fresh.
            eventually(lambda: len(monitor.about("c")) > 2, "looks at the stream")
            reader.call("character/get", id=2)
            before = len(monitor.about("c"))
            eventually(lambda: len(monitor.about("c")) > before + 4, "more looks at the stream")
        assert not is_stale(reader, id=2)

    def test_a_forged_change_is_passed_over(self, pair, redis):
        one, two = pair()
        (stream,) = redis.keys("c")
        (id, fields), *_ = redis("XREVRANGE", stream, "+", "-", "COUNT", "1")
        event = dict(zip(fields[::2], fields[1::2]))
        words = event[b"e"].split(b" ")
        removed = b" ".join([b"resourceRemoved", redis.keys("m")[0].split("{")[1][:64].encode(), *words[2:]])
        for forged in (removed, event[b"e"].replace(b"changed", b"removed"), b"", b"\xff" * 9, b"removed" * 9999):
            redis("XADD", stream, "*", "e", forged, "t", event[b"t"])
            redis("XADD", stream, "*", "e", forged)
            redis("XADD", stream, "*", "x", forged)
        one.call("cache/remove", resource="character", id=3)
        eventually(lambda: is_absent(two, id=3), "the true change behind the forged ones")
        assert not is_absent(two, id=1) and not is_stale(two, id=2)
