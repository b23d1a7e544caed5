"""A cache folder that is overwritten while processes use it: no process crashes, and no wrong item is returned."""

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import threading

import pytest

from harness import ROOT, eventually

PEOPLE = range(1, 61)


@pytest.fixture(scope="module")
def names():
    data = json.loads((ROOT / "Fixtures" / "upstream" / "data.json").read_text(encoding="utf-8"))
    return {row["id"]: row["name"] for row in data["character"]}


def filled(start, home):
    """Returns a process with an open cache file, after a backup of the file, its log and the log's index."""
    larder = start()
    for page in (1, 2, 3):
        larder.call("character/list", page=page)
    larder.call("cache/stats")
    subprocess.run(["cp", "-a", home / "cache", home / "backup"], check=True)
    assert (home / "backup" / "cache.sqlite-shm").exists()
    return larder


def index(home):
    return home / "cache" / "cache.sqlite-shm"


def test_process_survives_a_truncated_wal_index(start, home):
    larder = filled(start, home)
    other = start()
    other.call("character/get", id=1)
    for size in (0, 100, 4096, 0):
        os.truncate(index(home), size)
        assert larder.call("character/get", id=1)["item"]["id"] == 1
        assert other.call("character/get", id=2)["item"]["id"] == 2
        assert larder.call("cache/invalidate", resource="character", id=1)["invalidated"] == 1
        assert other.call("character/get", id=1, cachePolicy="localOnly")["stale"] is True, "the change is seen"
        assert larder.call("character/get", id=1)["source"] == "remote"
    for process in (larder, other):
        assert process.call("cache/stats")["persistence"]["state"] == "ok"
    with sqlite3.connect(home / "cache" / "cache.sqlite") as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    file.close()


def test_process_survives_a_truncated_and_deleted_wal_index(start, home):
    larder = filled(start, home)
    os.truncate(index(home), 0)
    os.unlink(index(home))
    for id in PEOPLE:
        assert larder.call("character/get", id=id)["item"]["id"] == id
    larder.call("cache/stats")


def test_cache_file_with_a_deleted_wal_index_is_no_longer_used(start, home):
    """A process stops using a cache file whose log index was deleted. Its writes would be invisible to other processes
    and corrupt the file."""
    larder = filled(start, home)
    os.truncate(index(home), 0)
    os.unlink(index(home))
    for id in PEOPLE:
        assert larder.call("character/get", id=id, cachePolicy="remoteFirst")["item"]["id"] == id
    assert larder.call("cache/stats")["persistence"]["state"] == "unavailable"
    other = start()
    for id in PEOPLE:
        assert other.call("character/get", id=id)["item"]["id"] == id
    other.call("cache/remove", resource="character")
    for process in (other, larder):
        assert process.close() == 0
    assert not list((home / "cache").glob("*.corrupt-*"))
    with sqlite3.connect(home / "cache" / "cache.sqlite") as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert file.execute("SELECT count(*) FROM items").fetchone() == (0,)
    file.close()


def test_wal_index_in_a_folder_with_a_newline_in_its_name_is_found(start, home):
    odd = home / "odd\nfolder"
    first, second = start(cache_dir=odd), start(cache_dir=odd)
    for round in range(5):
        for larder in (first, second):
            for id in (1, 2, 3):
                assert larder.call("character/get", id=id, cachePolicy="remoteFirst")["item"]["id"] == id
            larder.call("cache/stats")
        os.truncate(odd / "cache.sqlite-shm", 0)
    first.call("cache/remove", resource="character")
    # An index with such a name is not watched. Changes by other processes are checked periodically, not at each hit.
    kept = {"id": 1, "cachePolicy": "localOnly"}
    eventually(lambda: "error" in second.wait(second.send("character/get", kept)), "the removal")
    assert second.fails("character/get", id=1, cachePolicy="localOnly").kind == "notCached"
    for larder in (first, second):
        assert larder.call("cache/stats")["persistence"]["state"] == "ok"
    assert not list(odd.glob("*.corrupt-*"))


@pytest.mark.parametrize("limit", [16, 18, 20])
def test_process_without_free_descriptors_survives_a_truncated_wal_index(start, home, upstream, limit):
    larder = start(prepare=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
    for id in (1, 2, 3):
        larder.wait(larder.send("character/get", {"id": id}))
    larder.call("cache/stats")
    hold = upstream.hold("/api/character/")
    held = [larder.send("character/get", {"id": id}) for id in range(20, 40)]
    hold.wait()
    os.truncate(index(home), 0)
    for id in (1, 2, 3):
        larder.wait(larder.send("character/get", {"id": id, "cachePolicy": "localOnly"}))
    hold.release()
    for id in held:
        larder.wait(id)
    larder.alive()


def test_process_survives_a_truncated_wal_index_of_recent_searches(start, home):
    larder = start()
    larder.call("recents/add", text="rick")
    os.truncate(home / "data" / "recents.sqlite-shm", 0)
    assert larder.call("recents/list") == {"recents": ["rick"]}
    assert larder.call("recents/add", text="morty") == {"recents": ["morty", "rick"]}


def restore(home, rounds):
    for _ in range(rounds):
        # The copy fails if a file is recreated between the listing and the copy.
        subprocess.run(["cp", "-a", f"{home}/backup/.", f"{home}/cache/"], capture_output=True)


def work_meanwhile(processes, names, restoring):
    """Causes hits, misses and writes until the restoring ends. Every reply must be right."""
    round = 0
    while restoring.is_alive() or round < 3:
        round += 1
        for larder in processes:
            asked = {}
            for id in PEOPLE:
                policy = ("localFirst", "localOnly", "remoteFirst")[(id + round) % 3]
                asked[larder.send("character/get", {"id": id, "cachePolicy": policy})] = id
            listed = larder.send("character/list", {"page": 1 + round % 3})
            found = larder.send("character/search", {"text": "rick"})
            changed = larder.send("cache/invalidate", {"resource": "character", "id": round % 60 + 1})
            for sent, id in asked.items():
                reply = larder.wait(sent)
                if "error" in reply:
                    assert reply["error"]["data"]["kind"] == "notCached", reply
                else:
                    item = reply["result"]["item"]
                    assert (item["id"], item["name"]) == (id, names[id])
            for item in larder.wait(listed)["result"]["items"]:
                assert item["name"] == names[item["id"]]
            for item in larder.wait(found).get("result", {"items": []})["items"]:
                assert item["name"] == names[item["id"]]
            assert "result" in larder.wait(changed)


@pytest.mark.parametrize("rounds", [20, pytest.param(300, marks=pytest.mark.long)])
def test_repeatedly_restored_cache_folder_gives_right_answers(start, home, names, rounds):
    processes = [filled(start, home), start()]
    restoring = threading.Thread(target=restore, args=(home, rounds))
    restoring.start()
    try:
        work_meanwhile(processes, names, restoring)
    finally:
        restoring.join()
    for larder in processes:
        larder.call("cache/stats")
        larder.alive()
        assert larder.close() == 0
    again = start()
    for id in PEOPLE:
        assert again.call("character/get", id=id)["item"]["name"] == names[id]


def test_entries_of_a_restored_cache_folder_replace_entries_in_memory(start, home, names):
    """The restored file overrides the entries in memory."""
    larder = filled(start, home)
    larder.call("cache/remove")
    assert larder.fails("character/get", id=1, cachePolicy="localOnly").kind == "notCached"
    restore(home, 1)
    for id in PEOPLE:
        assert larder.call("character/get", id=id)["item"]["name"] == names[id]
    assert larder.call("cache/stats")["persistence"]["state"] in ("ok", "rebuilt")


def test_restored_cache_file_with_a_newer_log_gives_right_answers(start, home, names):
    larder = filled(start, home)
    for round in range(5):
        shutil.copyfile(home / "backup" / "cache.sqlite", home / "cache" / "cache.sqlite")
        for id in PEOPLE:
            policy = ("localFirst", "remoteFirst")[(id + round) % 2]
            assert larder.call("character/get", id=id, cachePolicy=policy)["item"]["name"] == names[id]
    larder.call("cache/stats")
