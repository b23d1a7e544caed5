"""The cache methods, the recent searches, and unusable disks."""

import contextlib
import sqlite3
import stat

import pytest


class TestStats:
    def test_cache_stats_have_all_counters(self, larder):
        stats = larder.call("cache/stats")
        assert set(stats) == {"memory", "persistence", "remote", "resources"}
        counters = {"entries", "bytes", "limit", "hits", "misses", "evictions"}
        assert counters <= set(stats["memory"])
        assert counters | {"damaged", "path", "state"} <= set(stats["persistence"])
        assert {"requests", "failures", "retries", "coalesced", "notModified"} <= set(stats["remote"])

    def test_cache_stats_count_hits_entries_and_requests(self, larder, home):
        for id in (1, 1, 2, 1):
            larder.call("character/get", id=id)
        larder.fails("character/get", id=99999)
        stats = larder.call("cache/stats")
        assert (stats["memory"]["entries"], stats["memory"]["hits"]) == (2, 2)
        assert stats["persistence"]["entries"] == 2
        assert stats["persistence"]["path"] == str(home / "cache" / "cache.sqlite")
        assert stats["remote"]["requests"] == 3
        assert 0 < stats["memory"]["bytes"] <= stats["memory"]["limit"] == 64 << 20
        assert stats["resources"]["character"]["hits"] == 2
        assert stats["resources"]["character"]["misses"] == 3

    def test_memory_and_disk_limits_are_set_by_options(self, start):
        stats = start("--memory", "1MiB", "--disk", "2MiB").call("cache/stats")
        assert (stats["memory"]["limit"], stats["persistence"]["limit"]) == (1 << 20, 2 << 20)

    def test_items_evicted_from_memory_stay_on_disk(self, start, upstream):
        larder = start("--memory", "40KiB")
        for page in (1, 2, 3):
            larder.call("character/list", page=page)
        stats = larder.call("cache/stats")
        assert stats["memory"]["evictions"] > 0 and stats["memory"]["bytes"] <= 40 << 10
        for id in range(1, 61):
            assert larder.call("character/get", id=id)["source"] in ("memory", "persistence")
        assert upstream.count() == 3


class TestInvalidate:
    def test_invalidated_item_is_fetched_again_and_kept_as_fallback(self, served, upstream):
        first = served.call("character/get", id=1)
        assert served.call("cache/invalidate", resource="character", id=1) == {"invalidated": 1}
        upstream.fail(status=500)
        result = served.call("character/get", id=1)
        assert result["item"] == first["item"] and result["stale"] is True and "fallback" in result
        upstream.heal()
        assert served.call("character/get", id=1)["source"] == "remote"
        assert served.call("character/get", id=1)["source"] == "memory"

    def test_invalidation_reaches_the_disk(self, served, upstream):
        served.call("character/get", id=1)
        served.call("cache/invalidate", resource="character")
        served.close()
        assert served.again().call("character/get", id=1)["source"] == "remote"

    def test_invalidation_selects_by_resource_ids_and_age(self, larder):
        larder.call("character/getMany", ids=[1, 2, 3])
        larder.call("location/get", id=1)
        assert larder.call("cache/invalidate", resource="character", ids=[1, 2]) == {"invalidated": 2}
        assert larder.call("cache/invalidate", olderThan="1h") == {"invalidated": 0}
        assert larder.call("character/get", id=3)["source"] == "memory"
        assert larder.call("location/get", id=1)["source"] == "memory"
        assert larder.call("character/get", id=1)["source"] == "remote"


class TestRemove:
    def test_removal_with_an_id_removes_only_that_item(self, served, upstream):
        served.call("character/get", id=1)
        served.call("character/get", id=2)
        assert served.call("cache/remove", resource="character", id=1) == {"removed": 1}
        assert served.call("cache/remove", resource="character", id=1) == {"removed": 0}
        assert served.fails("character/get", id=1, cachePolicy="localOnly").kind == "notCached"
        assert served.call("character/get", id=2)["source"] == "memory"
        assert served.again().fails("character/get", id=1, cachePolicy="localOnly").kind == "notCached"

    def test_all_entries_of_a_resource_are_removed(self, larder):
        larder.call("character/getMany", ids=[1, 2, 3])
        larder.call("location/get", id=1)
        assert larder.call("cache/remove", resource="character")["removed"] >= 3
        assert larder.call("location/get", id=1)["source"] == "memory"
        assert larder.fails("character/get", id=2, cachePolicy="localOnly").kind == "notCached"

    def test_removal_without_params_removes_all_entries(self, larder):
        larder.call("character/list")
        larder.call("location/get", id=1)
        assert larder.call("cache/remove")["removed"] >= 21
        assert larder.call("cache/stats")["memory"]["entries"] == 0
        assert larder.call("cache/stats")["persistence"]["entries"] == 0
        assert larder.fails("character/list", cachePolicy="localOnly").kind == "notCached"

    @pytest.mark.parametrize("method", ["cache/remove", "cache/invalidate"])
    @pytest.mark.parametrize(
        "params, named",
        [({"resource": "planet"}, "resource"), ({"id": 1}, "resource"), ({"olderThan": "soon"}, "olderThan")],
    )
    def test_invalid_selectors_change_nothing(self, larder, method, params, named):
        larder.call("character/get", id=1)
        error = larder.fails(method, **params)
        assert error.code == -32602 and named in error.message
        assert larder.call("character/get", id=1)["source"] == "memory"


class TestRecents:
    def test_recents_are_newest_first_unique_and_at_most_five(self, larder):
        for text in ["a", "b", "c", "d", "e", "f", "B"]:
            last = larder.call("recents/add", text=text)
        assert last == larder.call("recents/list") == {"recents": ["B", "f", "e", "d", "c"]}
        assert larder.call("recents/remove", text="F") == {"recents": ["B", "e", "d", "c"]}
        assert larder.call("recents/clear") == {"recents": []}

    def test_recents_are_separate_for_each_scope(self, larder):
        larder.call("recents/add", text="a")
        larder.call("recents/add", text="b", scope="other")
        assert larder.call("recents/list") == larder.call("recents/list", scope="default") == {"recents": ["a"]}
        assert larder.call("recents/list", scope="other") == {"recents": ["b"]}
        larder.call("recents/clear", scope="other")
        assert larder.call("recents/list") == {"recents": ["a"]}

    def test_recents_survive_a_restart_and_an_emptied_cache(self, start):
        first = start()
        first.call("recents/add", text="kept")
        first.call("cache/remove")
        first.close()
        assert start().call("recents/list") == {"recents": ["kept"]}

    def test_empty_recent_text_is_refused(self, larder):
        for text in ("", "   "):
            assert larder.fails("recents/add", text=text).code == -32602


class TestTwoProcesses:
    @staticmethod
    def wait_for_writes(larder):
        """Waits until all pending writes are in the cache file. The reply to `cache/stats` comes only then."""
        assert larder.call("cache/stats")["persistence"]["state"] == "ok"

    def test_item_cached_by_one_process_is_read_by_the_other(self, start, upstream):
        one, other = start(), start()
        one.call("character/get", id=1)
        self.wait_for_writes(one)
        assert other.call("character/get", id=1)["source"] == "persistence"
        assert upstream.count() == 1

    def test_removal_in_one_process_applies_to_the_other(self, start):
        one, other = start(), start()
        one.call("character/get", id=1)
        self.wait_for_writes(one)
        other.call("character/get", id=1)
        one.call("cache/remove")
        assert other.fails("character/get", id=1, cachePolicy="localOnly").kind == "notCached"

    def test_invalidation_in_one_process_applies_to_the_other(self, start):
        one, other = start(), start()
        one.call("character/list")
        self.wait_for_writes(one)
        assert other.call("character/list")["source"] == "persistence"
        assert one.call("cache/invalidate", resource="character", id=3) == {"invalidated": 1}
        assert other.call("character/get", id=2)["source"] in ("memory", "persistence")
        assert other.call("character/get", id=3)["source"] == "remote"

    def test_item_replaced_in_one_process_is_seen_in_the_other(self, start, upstream):
        one, other = start(), start()
        one.call("character/get", id=1)
        self.wait_for_writes(one)
        other.call("character/get", id=1)
        for name in ("Pickle Rick", "Tiny Rick", "Toxic Rick"):
            upstream.edit("character", 1, name=name)
            one.call("character/get", id=1, cachePolicy="remoteFirst")
            self.wait_for_writes(one)
            assert other.call("character/get", id=1)["item"]["name"] == name
            assert other.call("character/get", id=1)["source"] == "memory"

    def test_two_processes_see_each_others_updates(self, start, upstream):
        both = [start(), start()]
        for round in range(20):
            upstream.edit("character", 1, name=str(round))
            both[round % 2].call("character/get", id=1, cachePolicy="remoteFirst")
            self.wait_for_writes(both[round % 2])
            for larder in both:
                assert larder.call("character/get", id=1)["item"]["name"] == str(round)


class TestUnusableDisk:
    GARBAGE = b"This is no database. " * 500

    def degraded(self, larder):
        status = larder.call("server/status")
        for entry in status["degraded"]:
            assert set(entry) >= {"part", "reason", "since"}
        return " ".join(f"{entry['part']} {entry['reason']}" for entry in status["degraded"])

    def test_status_reports_no_degraded_part_if_the_disk_is_usable(self, larder, upstream):
        status = larder.call("server/status")
        assert status["pid"] == larder.process.pid and status["uptime"] >= 0
        assert status["resources"] == ["character", "location", "episode"]
        assert (status["inFlight"], status["degraded"]) == (0, [])
        hold = upstream.hold("/api/character/1")
        asked = larder.send("character/get", {"id": 1})
        hold.wait()
        assert larder.call("server/status")["inFlight"] == 1
        hold.release()
        larder.wait(asked)
        assert larder.call("server/status")["degraded"] == []

    def test_cache_file_is_private_to_its_owner(self, larder, home):
        larder.call("character/get", id=1)
        assert stat.S_IMODE((home / "cache" / "cache.sqlite").stat().st_mode) == 0o600

    def test_cache_file_that_is_not_a_database_is_rebuilt(self, start, home, upstream):
        (home / "cache").mkdir()
        (home / "cache" / "cache.sqlite").write_bytes(self.GARBAGE)
        larder = start()
        assert larder.call("character/get", id=1)["source"] == "remote"
        assert larder.call("character/get", id=1)["source"] == "memory"
        assert self.degraded(larder)
        assert "cache.sqlite" in larder.stderr()
        larder.close()
        again = start()
        assert again.call("character/get", id=1)["source"] == "persistence", "the file was rebuilt"
        assert upstream.count() == 1

    def test_two_processes_rename_a_cache_file_of_an_older_format_only_once(self, start, home):
        larder = start()
        larder.call("character/get", id=1)
        larder.close()
        with contextlib.closing(sqlite3.connect(home / "cache" / "cache.sqlite")) as file:
            file.execute("PRAGMA user_version = 5")
        both = [start(), start()]
        asked = [larder.send("character/get", {"id": id}) for larder, id in zip(both, (1, 2))]
        for larder, id in zip(both, asked):
            assert larder.wait(id)["result"]["source"] in ("remote", "persistence")
            larder.close()
        aside = [file.name for file in (home / "cache").glob("cache.sqlite.corrupt-*")]
        assert len([name for name in aside if not name.endswith(("-wal", "-shm"))]) == 1, aside
        again = start()
        assert [again.call("character/get", id=id)["source"] for id in (1, 2)] == ["persistence"] * 2
        assert again.call("server/status")["degraded"] == []

    def test_cache_works_in_memory_if_the_cache_folder_cannot_be_created(self, start, home, upstream):
        (home / "file").write_text("no folder")
        larder = start(cache_dir=home / "file" / "cache")
        assert larder.call("character/get", id=1)["source"] == "remote"
        assert larder.call("character/get", id=1)["source"] == "memory"
        assert self.degraded(larder) and larder.stderr()
        assert larder.close() == 0
        assert (home / "file").read_text() == "no folder"

    def test_recents_file_that_is_not_a_database_is_renamed_and_replaced(self, start, home):
        (home / "data").mkdir()
        (home / "data" / "recents.sqlite").write_bytes(self.GARBAGE)
        larder = start()
        assert larder.call("recents/add", text="a") == {"recents": ["a"]}
        assert self.degraded(larder)
        larder.close()
        assert self.GARBAGE in [path.read_bytes() for path in (home / "data").iterdir()]
        assert start().call("recents/list") == {"recents": ["a"]}

    def test_status_is_degraded_if_the_recents_folder_cannot_be_created(self, start, home):
        (home / "file").write_text("no folder")
        larder = start(data_dir=home / "file" / "data")
        larder.send("recents/add", {"text": "a"})
        larder.wait(1)
        assert self.degraded(larder)
        assert larder.call("character/get", id=1)["source"] == "remote"

    def test_empty_cache_file_is_used_as_a_new_database(self, start, home):
        (home / "cache").mkdir()
        (home / "cache" / "cache.sqlite").touch()
        larder = start()
        larder.call("character/get", id=1)
        larder.close()
        assert start().call("character/get", id=1)["source"] == "persistence"
