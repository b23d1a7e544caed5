"""Removals and invalidations reach the shared level at once. Other machines keep the entries in their own caches."""

import pytest

from harness import eventually
from machines import SECRET, degraded, settled, stats


def remove(larder, **selection):
    larder.call("cache/remove", resource="thing", **(selection or {"id": "x"}))


@pytest.fixture
def kept(things, api, redis):
    """A machine that has stored the thing `x`. The thing has changed in the API since."""
    one = things("one")
    assert things.version(one) == 1
    eventually(lambda: stats(one)["written"] == 1 or things.machines.late(), "the stored value")
    api.version = 2
    return one


def newcomer(redis, things):
    redis("FLUSHALL")
    things("four").send("thing/get", {"id": "another"})
    # The new machine has sent its request to the API, so it has written new generations.
    things.api.wait(3)


class TestFetchesInProgress:
    """The response of a running fetch arrives after another machine has removed or invalidated the entry."""

    SELECTIONS = {"id": {"resource": "thing", "id": "x"}, "resource": {"resource": "thing"}, "everything": {}}
    LOSSES = {
        "nothing": lambda redis, things: None,
        "the generations": lambda redis, things: redis("DEL", "none", *redis.keys("g")),
        "everything, and a new machine has come": newcomer,
    }

    def fetch_during(self, things, api, redis, act):
        one, two = things("one"), things("two")
        things.version(two, id="other")
        api.gate.clear()
        asked = one.send("thing/get", {"id": "x"})
        api.wait(2)
        api.version = 2
        act(two)
        api.gate.set()
        assert one.wait(asked)["result"]["item"]["version"] == 1
        settled(one)
        found = things("three").call("thing/get", id="x")
        assert (found["item"]["version"], found["source"]) == (2, "remote")

    @pytest.mark.parametrize("loss", LOSSES)
    @pytest.mark.parametrize("selection", SELECTIONS)
    def test_removal_is_not_undone_by_a_running_fetch(self, things, api, redis, selection, loss):
        def act(larder):
            larder.call("cache/remove", **self.SELECTIONS[selection])
            if loss != "nothing" and selection == "id":
                # The tombstone is lost as well; the new generations replace it.
                redis("DEL", "none", *redis.keys("i"))
            self.LOSSES[loss](redis, things)

        self.fetch_during(things, api, redis, act)

    @pytest.mark.parametrize("selection", SELECTIONS)
    def test_invalidation_is_not_undone_by_a_running_fetch(self, things, api, redis, selection):
        chosen = self.SELECTIONS[selection]
        self.fetch_during(things, api, redis, lambda larder: larder.call("cache/invalidate", **chosen))


@pytest.mark.parametrize("selection", [{"id": "x"}, {"ids": ["x", "y"]}, {}, {"pages": True}], ids=str)
def test_removed_entry_is_not_found_in_the_shared_level(things, kept, selection):
    remove(things("two"), **selection)
    found = things("three").call("thing/get", id="x")
    assert (found["item"]["version"], found["source"]) == (2, "remote")


@pytest.mark.parametrize("selection", [{"id": "x"}, {}], ids=str)
def test_invalidated_shared_entry_is_fetched_again_and_used_if_the_api_fails(things, api, kept, selection):
    kept.call("cache/invalidate", resource="thing", **selection)
    two = things("two", of_api={"timeout": "1s"})
    api.gate.clear()
    found = two.call("thing/get", id="x")
    assert (found["item"]["version"], found["stale"]) == (1, True) and "fallback" in found, found
    api.gate.set()
    assert things.version(things("three")) == 2


def test_removal_keeps_entries_in_the_local_cache_of_other_machines(things, kept):
    two = things("two")
    assert things.version(two) == 1
    remove(kept)
    assert two.call("thing/get", id="x")["source"] == "memory"
    settled(two)
    found = things("two").call("thing/get", id="x")
    assert (found["item"]["version"], found["source"]) == (1, "persistence")


def test_entry_removed_on_one_machine_is_used_on_another_until_stale(things, kept):
    two = things("two", cache={"freshFor": 0.05})
    things.version(two)
    remove(kept)
    eventually(lambda: things.version(two) == 2, "the entry to become stale")


def test_tombstone_of_a_removed_shared_entry_expires_soon(things, redis):
    one = things("one", of_api={"timeout": "5s"})
    remove(one)
    lives = [redis("PTTL", name) for name in redis.keys("i")]
    assert len(lives) == 2 and all(60_000 < life <= 65_000 for life in lives), lives
    assert all(redis("GET", name)[:1] == b"x" for name in redis.keys("i"))


def test_entry_deleted_in_the_api_is_removed_from_the_shared_level(machines, upstream):
    one = machines("one")
    one.call("character/get", id=5)
    settled(one)
    upstream.delete("character", 5)
    one = machines("one")
    assert one.fails("character/get", id=5, cachePolicy="remoteFirst").kind == "notFound"
    settled(one)
    assert machines("three").fails("character/get", id=5).kind == "notFound"


class TestUnconfirmedRemovals:
    """The server does not confirm a removal. The process that made it does not read the removed entry again."""

    @pytest.mark.parametrize("selection", [{"id": "x"}, {}], ids=["id", "resource"])
    def test_removal_without_a_redis_connection_applies_in_the_requesting_process(self, things, kept, proxy, selection):
        two = things("two", url=proxy.url())
        assert things.version(two) == 1
        proxy.cut()
        remove(two, **selection)
        proxy.mend()
        assert things.version(two) == 2

    def test_removal_in_read_mode_applies_only_in_the_requesting_process(self, things, kept):
        two = things("two", mode="read")
        found = two.call("thing/get", id="x")
        assert (found["item"]["version"], found["source"]) == (1, "shared") or things.machines.has_missed(found)
        remove(two)
        found = two.call("thing/get", id="x")
        assert (found["item"]["version"], found["source"]) == (2, "remote")
        assert things.version(things("three")) == 1, "the level keeps the entry"

    @pytest.mark.parametrize("refusal", ["no memory", "a replica"])
    def test_removal_refused_by_redis_applies_in_the_requesting_process(self, things, kept, redis, refusal):
        redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
        if refusal == "no memory":
            redis("CONFIG", "SET", "maxmemory", "1")
        else:
            redis("REPLICAOF", "127.0.0.1", "1")
        remove(kept, **{})
        assert things.version(kept) == 2
        eventually(lambda: degraded(kept), "the refusal")


def test_full_redis_server_still_removes_and_invalidates_single_entries(things, kept, redis):
    redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
    redis("CONFIG", "SET", "maxmemory", "1")
    remove(kept, id="x")
    found = things("two").call("thing/get", id="x")
    assert (found["item"]["version"], found["source"]) == (2, "remote")


def test_ten_thousand_ids_are_removed_from_the_shared_level(things, kept, redis):
    ids = [str(number) for number in range(10_000)] + ["x"]
    kept.call("cache/remove", resource="thing", ids=ids)
    assert len(redis.keys("i")) == 2 * len(ids) or things.machines.late()
    assert things.version(things("two")) == 2


def test_write_refusal_of_redis_is_still_reported_after_a_reconnection(things, redis):
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


def test_doctor_reports_a_full_redis_server(machines, redis, command):
    redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
    redis("CONFIG", "SET", "maxmemory", "1")
    options = ["--shared", redis.url(), "--shared-mode", "readwrite"]
    options += ["--base-url", f"rickandmorty={machines.upstream.url}"]
    done = command("doctor", *options, "--no-persistence", env={"LARDER_SHARED_SECRET": SECRET})
    assert done.code == 1 and b"maxmemory" in done.stdout, done


def test_cache_commands_read_and_change_the_shared_level(machines, redis, upstream, command):
    """Each command is a separate process without a cache file, so it can find entries only in the shared level."""
    options = ["--no-persistence", "--shared", redis.url(), "--shared-mode", "readwrite"]
    options += ["--base-url", f"rickandmorty={upstream.url}"]

    def run(*words):
        done = command("call", *words, *options, env={"LARDER_SHARED_SECRET": SECRET})
        assert done.code == 0, done
        return done.messages[0]

    def source():
        return run("character/get", "id=1")["source"]

    found = [source(), source()]
    run("cache/remove", "resource=character", "id=1")
    found += [source(), source()]
    assert found == ["remote", "shared"] * 2, found
