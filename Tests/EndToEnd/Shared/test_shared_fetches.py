"""Only one process fetches an entry from the API. The other processes use its result, even on machines with empty
caches."""

import pytest

from harness import GRAPHQL_CATALOG, eventually
from machines import settled, stats

PAGES, ITEMS = 42, 826


class TestCoalescedFetches:
    def test_misses_of_two_processes_cause_one_request(self, machines, upstream):
        hold = upstream.hold()
        both = [machines(name, waits=False) for name in ("one", "two")]
        asked = [[larder.send("character/get", {"id": 1}) for _ in range(100)] for larder in both]
        hold.wait(1)
        hold.release()
        for larder, ids in zip(both, asked):
            for id in ids:
                assert larder.wait(id)["result"]["item"]["name"] == "Rick Sanchez"
        machines.check(upstream.count(), 1, {2})
        # The second process found the value at its first read or while it waited.
        assert sum(stats(larder)["waited"] + stats(larder)["hits"] for larder in both) >= 1 or machines.late()

    def test_request_during_a_fetch_of_another_process_waits_for_its_result(self, machines, upstream):
        one, two = machines("one"), machines("two")
        hold = upstream.hold()
        first = one.send("character/get", {"id": 1})
        hold.wait(1)
        others = [two.send("character/get", {"id": 1}) for _ in range(100)]
        two.call("cache/stats")
        hold.release()
        assert one.wait(first)["result"]["source"] == "remote"
        for result in [two.wait(id)["result"] for id in others]:
            assert result["source"] == "memory" or machines.finds(result)
        machines.check(upstream.count(), 1, {2})

    def test_list_and_getMany_fetches_of_two_processes_are_coalesced(self, machines, upstream):
        one, two = machines("one"), machines("two")
        hold = upstream.hold()
        first = [one.send("character/list", {"page": 2}), one.send("character/getMany", {"ids": [1, 2, 3]})]
        hold.wait(2)
        second = [two.send("character/list", {"page": 2}), two.send("character/getMany", {"ids": [1, 2, 3]})]
        two.call("cache/stats")
        hold.release()
        for larder, ids in ((one, first), (two, second)):
            page, many = (larder.wait(id)["result"] for id in ids)
            assert [item["id"] for item in page["items"]] == list(range(21, 41))
            assert [item["id"] for item in many["items"]] == [1, 2, 3]
        machines.check(upstream.count(), 2, range(3, 7))

    def test_failed_fetch_passes_the_fetch_lease_to_the_next_process(self, machines, upstream):
        one, two = machines("one"), machines("two")
        hold = upstream.hold(times=1)
        first = one.send("character/get", {"id": 1})
        hold.wait(1)
        upstream.delete("character", 1)
        second = two.send("character/get", {"id": 1})
        two.call("cache/stats")
        hold.release()
        assert one.refusal(one.wait(first)).kind == two.refusal(two.wait(second)).kind == "notFound"
        assert upstream.count() == 2

    def test_stale_entry_is_returned_without_waiting_for_the_fetch_lease(self, things, api):
        cache = {"freshFor": "1h", "staleWhileRevalidate": True}
        one, two = things("one", cache=cache), things("two", cache=cache)
        for larder in (one, two):
            assert things.version(larder) == 1
        api.version = 2
        api.gate.clear()
        begun = one.call("thing/get", id="x", maxAge=0)
        api.wait(2)
        waits = two.call("thing/get", id="x", maxAge=0)
        assert (begun["item"]["version"], begun["stale"]) == (waits["item"]["version"], waits["stale"]) == (1, True)
        api.gate.set()
        eventually(lambda: [things.version(larder) for larder in (one, two)] == [2, 2], "the refresh in the background")


class TestWarmStart:
    @pytest.mark.parametrize("transport", ["rest", "graphql"])
    def test_second_machine_reads_a_whole_list_from_the_shared_level(self, machines, whole, transport):
        options = ["--catalog", GRAPHQL_CATALOG] if transport == "graphql" else []
        one = machines("one", *options)
        walked = {"pages": PAGES, "items": ITEMS, "fetched": PAGES, "reused": 0, "complete": True}
        assert one.call("character/prefetch") == walked
        settled(one)
        asked = whole.count()
        assert asked == PAGES
        two = machines("two", *options)
        ids = []
        for page in range(1, PAGES + 1):
            result = two.call("character/list", page=page)
            assert machines.finds(result)
            assert (result["stale"], result["page"]["pages"]) == (False, PAGES)
            ids += [item["id"] for item in result["items"]]
        assert ids == list(range(1, ITEMS + 1))
        for id in ids:
            assert two.call("character/get", id=id)["source"] == "memory"
        assert two.call("character/prefetch") == {**walked, "fetched": 0, "reused": PAGES}
        three = machines("three", *options)
        for id in ids:
            result = three.call("character/get", id=id)
            assert result["item"]["id"] == id and machines.finds(result)
        last = machines("four", *options).call("character/prefetch")
        assert last == {**walked, "fetched": last["fetched"], "reused": PAGES - last["fetched"]}
        machines.check(last["fetched"], 0, range(PAGES + 1))
        assert whole.count() == asked or machines.late()

    def test_shared_value_is_copied_to_the_local_levels(self, machines, upstream, redis):
        one = machines("one")
        one.call("character/get", id=1)
        settled(one)
        two = machines("two")
        assert machines.finds(two.call("character/get", id=1))
        assert two.call("character/get", id=1)["source"] == "memory"
        settled(two)
        redis.kill()
        assert machines("two", waits=False).call("character/get", id=1)["source"] == "persistence"
        machines.check(upstream.count(), 1, {2})

    def test_shared_value_keeps_its_fetch_time(self, machines, upstream):
        one = machines("one")
        fetched = one.call("character/get", id=1)
        settled(one)
        found = machines("two").call("character/get", id=1)
        assert found["item"] == fetched["item"]
        assert found == {**fetched, "source": "shared"} or machines.has_missed(found)

    def test_shared_value_keeps_its_etag(self, machines, upstream):
        one = machines("one")
        one.call("character/get", id=1)
        settled(one)
        two = machines("two")
        assert machines.finds(two.call("character/get", id=1))
        assert two.call("character/get", id=1, maxAge=0)["source"] == "remote"
        assert "if-none-match" in upstream.requests()[-1]["headers"]
        assert two.call("cache/stats")["remote"]["notModified"] == 1

    def test_getMany_counts_items_of_the_shared_level(self, machines, upstream):
        one = machines("one")
        one.call("character/getMany", ids=[1, 2, 3])
        settled(one)
        two = machines("two")
        two.call("character/get", id=1)
        result = two.call("character/getMany", ids=[1, 2, 3, 4])
        assert [item["id"] for item in result["items"]] == [1, 2, 3, 4]
        found = result["sources"]["shared"]
        assert result["sources"] == {"memory": 1, "persistence": 0, "shared": found, "remote": 3 - found}
        machines.check(found, 2, {0, 1})
        without = machines("three", url=False).call("character/getMany", ids=[1, 2])
        assert without["sources"] == {"memory": 0, "persistence": 0, "remote": 2}

    def test_items_read_from_memory_are_not_counted_as_shared(self, machines, upstream):
        for name, level in (("one", {"shared": 0}), ("two", {})):
            larder = machines(name) if level else machines(name, url=False)
            larder.call("character/getMany", ids=[1, 2])
            again = larder.call("character/getMany", ids=[1, 2])
            assert again["sources"] == {"memory": 2, "persistence": 0, "remote": 0, **level}

    def test_shared_value_that_is_too_old_is_fetched_again(self, things, api):
        one = things("one", cache={"freshFor": "1s"})
        things.version(one)
        settled(one)
        api.version = 2
        two = things("two", cache={"freshFor": "1s"})
        assert eventually(lambda: things.version(two) == 2, "the end of the freshness")
        assert things.version(things("three", cache={"freshFor": "1s"}), maxAge=0) == 2


class TestReports:
    def test_stats_and_status_report_the_shared_level(self, machines, upstream, redis):
        one = machines("one")
        one.call("character/get", id=1)
        eventually(lambda: stats(one)["written"] == 1 or machines.late(), "the write in the background")
        found = stats(one)
        assert found["url"] == redis.url() and found["mode"] == "readwrite" and found["namespace"] == "default"
        assert (found["hits"], found["misses"]) == (0, 1)
        assert (found["state"], found["failures"], found["reason"]) == ("ok", 0, None) or machines.late()
        two = machines("two", mode="read")
        two.call("character/get", id=1)
        found = stats(two)
        assert (found["mode"], found["hits"] + found["misses"], found["written"]) == ("read", 1, 0)
        machines.check(found["hits"], 1, {0})
        assert all(larder.call("server/status")["degraded"] == [] for larder in (one, two)) or machines.late()

    def test_stats_without_a_shared_level_do_not_mention_it(self, machines):
        assert not machines("one", url=False).call("cache/stats").get("shared")

    def test_explain_reads_the_shared_level_and_changes_nothing(self, machines, upstream, redis):
        one = machines("one")
        one.call("character/get", id=1)
        settled(one)
        before = redis.values()
        two = machines("two")

        def explained(**params):
            asked = {"method": "character/get", "params": {"id": 1, **params}}
            return two.wait(two.send("request/explain", asked))["result"]

        text = str(explained())
        assert "shared" in text, text
        assert upstream.count() == 1 and redis.values() == before and redis.keys("l") == []
        assert set(explained()["entries"][0]["cached"]) == {"memory", "persistence", "shared"}
        # Explain has no shared entry if the policy does not read the level.
        for policy in ("localOnly", "remoteFirst", "none"):
            assert set(explained(cachePolicy=policy)["entries"][0]["cached"]) == {"memory", "persistence"}, policy
        assert "shared" not in str(explained(cachePolicy="localOnly")["steps"])

    def test_explain_omits_a_shared_level_that_is_not_used(self, things):
        asked = {"method": "thing/get", "params": {"id": "x"}}
        never = things("one", cache={"shared": "never"})
        for larder in (never, things("two", url=False)):
            explained = larder.wait(larder.send("request/explain", asked))["result"]
            assert set(explained["entries"][0]["cached"]) == {"memory", "persistence"}, explained
            assert "shared" not in str(explained["steps"]), explained
