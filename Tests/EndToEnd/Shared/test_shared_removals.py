"""What was removed is never served again, whatever else was under way, and whoever was out of reach."""

import re
import sqlite3

import pytest

from harness import eventually
from machines import SECRET, degraded, next_millisecond, settled, stats
from ways import Proxy


def calls(redis, command):
    """How often the server has done a command."""
    text = redis("INFO", "commandstats")
    found = re.search(rf"cmdstat_{command}:calls=(\d+)", text if isinstance(text, str) else text.decode())
    return int(found[1]) if found else 0


def remove(larder):
    larder.call("cache/remove", resource="thing", id="x")


def newcomer(redis, things):
    redis("FLUSHALL")
    things("four").send("thing/get", {"id": "another"})
    # It asks the API now, so it has made new marks.
    things.api.wait(3)


class TestRaces:
    """A fetch is under way on one machine, and its answer is settled; another one removes the thing; then the answer
    comes."""

    SELECTIONS = {"id": {"resource": "thing", "id": "x"}, "resource": {"resource": "thing"}, "everything": {}}
    LOSSES = {
        "nothing": lambda redis, things: None,
        "the marks": lambda redis, things: redis("DEL", "none", *redis.keys("m")),
        "everything": lambda redis, things: redis("FLUSHALL"),
        "everything, and somebody has come since": newcomer,
    }

    @pytest.mark.parametrize("loss", LOSSES)
    @pytest.mark.parametrize("selection", SELECTIONS)
    def test_the_removal_wins(self, things, api, redis, selection, loss):
        one, two = things("one"), things("two")
        things.version(two, id="other")
        api.gate.clear()
        asked = one.send("thing/get", {"id": "x"})
        api.wait(2)
        api.version = 2
        two.call("cache/remove", **self.SELECTIONS[selection])
        self.LOSSES[loss](redis, things)
        api.gate.set()
        assert one.wait(asked)["result"]["item"]["version"] == 1
        settled(one)
        found = things("three").call("thing/get", id="x")
        assert (found["item"]["version"], found["source"]) == (2, "remote")
        assert things.version(two) == 2
        # Its own file may still have it until it has heard of the removal, which the loss may have taken along: then
        # all that it has is stale.
        one = things("one")
        eventually(lambda: things.version(one) == 2, "the removal on the machine that was fetching")

    def test_who_fetched_does_not_go_on_with_it_either(self, things, api):
        one, two = things("one"), things("two")
        things.version(two, id="other")
        api.gate.clear()
        asked = one.send("thing/get", {"id": "x"})
        api.wait(2)
        api.version = 2
        remove(two)
        api.gate.set()
        assert one.wait(asked)["result"]["item"]["version"] == 1
        eventually(lambda: things.version(one) == 2, "the removal on the machine that was fetching")
        assert things.version(things("three")) == 2

    def test_an_invalidation_wins_too(self, things, api):
        one, two = things("one"), things("two")
        things.version(two, id="other")
        api.gate.clear()
        asked = one.send("thing/get", {"id": "x"})
        api.wait(2)
        api.version = 2
        two.call("cache/invalidate", resource="thing")
        api.gate.set()
        assert one.wait(asked)["result"]["item"]["version"] == 1
        settled(one)
        assert things.version(things("three")) == 2


class TestOutOfReach:
    @pytest.fixture
    def kept(self, things, api):
        """The first machine has stored a thing; the API has changed it since."""
        one = things("one")
        things.version(one)
        eventually(lambda: stats(one)["written"] == 1 or things.machines.late(), "what is written behind")
        api.version = 2
        return one

    @pytest.mark.parametrize("selection", [{"id": "x"}, {}], ids=["id", "resource"])
    def test_a_remover_that_was_cut_off_does_not_see_it_again(self, things, kept, proxy, selection):
        two = things("two", url=proxy.url())
        assert things.version(two) == 1
        proxy.cut()
        two.call("cache/remove", resource="thing", **selection)
        proxy.mend()
        assert things.version(two) == 2

    def test_the_others_hear_of_it_when_it_is_back(self, things, kept, proxy):
        two = things("two", url=proxy.url())
        assert things.version(two) == 1
        proxy.cut()
        remove(two)
        proxy.mend()
        eventually(lambda: things.version(kept) == 2, "the removal that was owed to the server")
        assert things.version(things("three")) == 2

    def test_it_is_not_forgotten_with_the_process(self, things, kept, proxy, api):
        two = things("two", url=proxy.url())
        assert things.version(two) == 1
        proxy.cut()
        remove(two)
        settled(two)
        proxy.mend()
        two = things("two", url=proxy.url())
        assert things.version(two) == 2
        eventually(lambda: things.version(kept) == 2, "the removal that was owed to the server")

    def test_the_same_after_a_kill(self, things, kept, proxy):
        two = things("two", url=proxy.url())
        assert things.version(two) == 1
        proxy.cut()
        remove(two)
        # What was asked for before this reply is in the file.
        two.call("cache/stats")
        two.process.kill()
        two.process.wait()
        proxy.mend()
        assert things.version(things("two", url=proxy.url())) == 2

    def test_an_invalidation_that_nobody_heard_holds_here_too(self, things, kept, proxy):
        two = things("two", url=proxy.url())
        assert things.version(two) == 1
        proxy.cut()
        two.call("cache/invalidate", resource="thing", id="x")
        proxy.mend()
        assert things.version(two) == 2

    def test_who_only_reads_does_not_see_what_it_removed(self, things, kept, redis):
        two = things("two", mode="read")
        found = two.call("thing/get", id="x")
        assert (found["item"]["version"], found["source"]) == (1, "shared") or things.machines.has_missed(found)
        remove(two)
        found = two.call("thing/get", id="x")
        assert (found["item"]["version"], found["source"]) == (2, "remote")
        settled(two)
        remove(things("two", mode="read"))
        assert things.version(things("two", mode="read")) == 2
        # The level itself, and who shares it, are not touched.
        assert things.version(kept) == 1 and things.version(things("three")) == 1

    def test_what_is_newer_than_the_removal_is_read_again(self, things, kept, redis):
        two = things("two", "--no-persistence", mode="read")
        things.version(two)
        remove(two)
        next_millisecond()
        assert things.version(kept, cachePolicy="remoteFirst") == 2
        settled(kept)
        found = two.call("thing/get", id="x")
        assert (found["item"]["version"], found["stale"]) == (2, False) and things.machines.finds(found)


    def test_what_was_asked_for_before_the_removal_is_not(self, things, kept, api):
        """Its answer comes after the removal, and is of before it all the same."""
        two = things("two", "--no-persistence", mode="read")
        api.gate.clear()
        asked = kept.send("thing/get", {"id": "x", "cachePolicy": "remoteFirst"})
        api.wait(2)
        next_millisecond()
        remove(two)
        next_millisecond()
        api.version = 3
        api.gate.set()
        assert kept.wait(asked)["result"]["item"]["version"] == 2
        settled(kept)
        assert things.version(two) == 3

    def test_many_over_a_slow_line_are_told_once(self, things, api, redis):
        """What the server has acknowledged is not sent again, however long the rest takes."""
        things.version(things("two"))
        with Proxy(redis, rate=1 << 20) as line:
            one = things("one", url=line.url())
            line.cut()
            one.call("cache/remove", resource="thing", ids=[str(number) for number in range(300)])
            line.mend()
            (changes,) = redis.keys("c")
            # Each id has two entries: one of those may have a part of the fields.
            eventually(lambda: redis("XLEN", changes) >= 600, "all removals")
            settled(one)
        assert redis("XLEN", changes) < 700


class TestGone:
    def test_what_the_api_has_no_longer_is_gone_everywhere(self, machines, upstream):
        one, two = machines("one"), machines("two")
        for larder in (one, two):
            larder.call("character/get", id=5)
        two.call("character/observe", id=5, observer="mine")
        upstream.delete("character", 5)
        assert one.fails("character/get", id=5, cachePolicy="remoteFirst").kind == "notFound"
        assert two.notification("character/changed") == {"observer": "mine", "gone": True}
        assert machines("three").fails("character/get", id=5).kind == "notFound"


@pytest.mark.parametrize("refusing", ["no memory", "a replica"])
def test_what_the_server_refused_is_done_when_it_takes_it(things, api, redis, refusing):
    one = things("one")
    assert things.version(one) == 1
    eventually(lambda: len(redis.keys("i")) == 1, "the value")
    begin, end = {
        "no memory": (("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0")),
        "a replica": (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE")),
    }[refusing]
    redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
    redis(*begin)
    api.version = 2
    remove(one)
    redis(*end)
    eventually(lambda: redis.keys("i") == [], "the removal in the server")
    assert things.version(things("two")) == 2


def test_two_processes_with_one_file_owe_what_both_removed(things, api, redis):
    first = things("one")
    for id in ("x", "y"):
        things.version(first, id=id)
    second = things("one")
    eventually(lambda: len(redis.keys("i")) == 2, "the values")
    redis.pause()
    api.version = 2
    first.call("cache/remove", resource="thing", id="x")
    second.call("cache/remove", resource="thing", id="y")
    for larder in (first, second):
        settled(larder)
    redis.go_on()
    third = things("one")
    eventually(lambda: redis.keys("i") == [], "the removals in the server")
    assert [things.version(third, id=id) for id in ("x", "y")] == [2, 2]


def test_what_is_refused_is_told_also_over_the_next_connection(things, redis):
    one = things("one")
    assert things.version(one) == 1
    redis("REPLICAOF", "127.0.0.1", "1")
    things.version(one, id="y")
    eventually(lambda: "replica" in "".join(degraded(one)), "the refusal")
    redis("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    eventually(lambda: stats(one)["failures"] >= 1 and "replica" in (stats(one)["reason"] or ""), "the next connection")
    assert "replica" in "".join(degraded(one)), one.call("server/status")
    assert stats(one)["state"] == "failing" and stats(one)["writeRefusal"]
    redis("REPLICAOF", "NO", "ONE")
    things.version(one, id="z")
    eventually(lambda: degraded(one) == [] and stats(one)["state"] == "ok", "the end of the refusal")


def test_an_invalidation_is_done_in_a_full_server(things, redis):
    one, two = things("one"), things("two")
    assert things.version(one) == things.version(two) == 1
    redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
    redis("CONFIG", "SET", "maxmemory", "1")
    one.call("cache/invalidate", resource="thing", id="x")
    eventually(lambda: two.call("thing/get", id="x", cachePolicy="localOnly")["stale"], "the mark")
    assert two.call("server/status")


def test_removals_are_told_once_though_the_file_is_locked(things, redis, proxy):
    """The file has them for as long as it cannot be written: that is no reason to send them again."""
    one = things("one", url=proxy.url())
    things.version(one)
    proxy.cut()
    one.call("cache/remove", resource="thing", ids=[str(number) for number in range(20)])
    settled(one)
    proxy.mend()
    (changes,) = redis.keys("c")
    (file,) = things.machines.root.glob("one/**/*.sqlite")
    lock = sqlite3.connect(file, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    two = things("one", url=proxy.url())
    eventually(lambda: redis("XLEN", changes) >= 40, "all removals")
    begin = calls(redis, "xread")
    eventually(lambda: calls(redis, "xread") >= begin + 3, "three more looks")
    told = redis("XLEN", changes)
    lock.execute("ROLLBACK")
    lock.close()
    settled(two)
    assert told < 60


def test_a_full_server_keeps_the_changes_that_it_has(machines, redis, command):
    """Beginning the stream anew would make stale what all machines have; and who asks is told that nothing goes."""
    machines("one").call("character/get", id=1)
    eventually(lambda: redis("XLEN", *redis.keys("c")) > 1, "a change that is told")
    told = redis("XLEN", *redis.keys("c"))
    redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
    redis("CONFIG", "SET", "maxmemory", "1")
    options = ["--shared", redis.url(), "--shared-mode", "readwrite"]
    options += ["--base-url", f"rickandmorty={machines.upstream.url}"]
    done = command("doctor", *options, "--no-persistence", env={"LARDER_SHARED_SECRET": SECRET})
    assert done.code == 1 and b"maxmemory" in done.stdout, done
    assert redis("XLEN", *redis.keys("c")) == told


def test_a_command_hears_at_its_end_what_the_next_one_must_know(machines, redis, upstream, command):
    """It is answered from the file and waits for nobody; but what others have removed is gone for the next one."""
    one = machines("one")
    folder = machines.root / "commands"
    options = ["--cache-dir", folder, "--data-dir", folder, "--shared", redis.url()]
    options += ["--base-url", f"rickandmorty={upstream.url}"]

    def get():
        done = command("call", "character/get", "id=1", *options, env={"LARDER_SHARED_SECRET": SECRET})
        assert done.code == 0, done
        return done.messages[0]["source"]

    assert get() == "remote" and get() == "persistence"
    one.call("cache/remove", resource="character", id=1)
    settled(one)
    found = [get() for _ in range(3)]
    assert found[0] == "persistence" and found[1:] == ["remote", "persistence"], found
