"""Processes killed while they write, and files that fail during use: no reply is lost, corrupt or of another item."""

import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import stat
import tempfile

import pytest

from harness import ROOT, Larder, binary, eventually

NOBODY = 65534
ROUNDS = 200 if os.environ.get("LARDER_SOAK") == "1" else 20


def cache(home):
    return home / "cache" / "cache.sqlite"


def degraded(larder):
    return [f"{part['part']}: {part['reason']}" for part in larder.call("server/status")["degraded"]]


def expected_names():
    """Returns the name of each character by id."""
    data = json.loads((ROOT / "Fixtures" / "upstream" / "data.json").read_text(encoding="utf-8"))
    return {row["id"]: row["name"] for row in data["character"]}


class TestKill:
    def test_kill_at_any_moment_leaves_a_valid_cache_file(self, home, upstream):
        """Two processes write the same items and pages until each is killed at a random moment."""
        dice = random.Random(1)
        names = expected_names()
        both = [Larder(home, upstream=upstream) for _ in range(2)]
        try:
            for round in range(ROUNDS):
                for larder in both:
                    for _ in range(dice.randint(1, 30)):
                        if dice.random() < 0.3:
                            larder.send("character/list", {"page": dice.randint(1, 3), "cachePolicy": "remoteFirst"})
                        elif dice.random() < 0.1:
                            larder.send("cache/invalidate", {"resource": "character"})
                        else:
                            ids = dice.sample(range(1, 61), dice.randint(1, 5))
                            larder.send("character/getMany", {"ids": ids, "cachePolicy": "remoteFirst"})
                victim = round % 2
                for _ in range(dice.randint(0, 12)):
                    if both[victim].left or both[victim].process.poll() is not None:
                        break
                    both[1 - victim].call("server/status")
                both[victim].process.send_signal(signal.SIGKILL)
                both[victim].process.wait()
                self.close(both[victim])
                self.check(home, names)
                both[victim] = Larder(home, upstream=upstream)
                answer = both[victim].call("character/get", id=dice.randint(1, 60))
                assert answer["item"]["name"] == names[answer["item"]["id"]]
                assert degraded(both[victim]) == []
            for larder in both:
                assert degraded(larder) == []
        finally:
            for larder in both:
                larder.close()
        self.check(home, names)
        left = sorted(path.name for path in cache(home).parent.iterdir())
        assert left == ["cache.key", "cache.sqlite"], "no damaged file was set aside"

    @staticmethod
    def close(larder):
        larder.end_input()
        larder._reader.join()
        larder.process.stdout.close()

    @staticmethod
    def check(home, names):
        """Checks the cache file with Python's SQLite while a process that was not killed continues to write."""
        if not cache(home).exists():
            return
        connection = sqlite3.connect(cache(home), timeout=10)
        try:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
                return
            # Read everything in one transaction, because the other process may write a page between two statements.
            connection.execute("BEGIN")
            for id, text in connection.execute("SELECT id, json FROM items"):
                item = json.loads(text)
                assert (str(item["id"]), item["name"]) == (id, names[item["id"]])
            # A page and its items are written in one transaction.
            kept = {id for (id,) in connection.execute("SELECT id FROM items")}
            for ids, info in connection.execute("SELECT ids, info FROM pages"):
                assert set(json.loads(ids)) <= kept and json.loads(info)["current"]
        finally:
            connection.close()

    def test_completed_writes_survive_a_kill(self, start, home):
        larder = start()
        for id in range(1, 31):
            larder.call("character/get", id=id)
        larder.call("cache/stats")
        larder.process.kill()
        larder.process.wait()
        again = start()
        for id in range(1, 31):
            assert again.call("character/get", id=id, cachePolicy="localOnly")["source"] == "persistence"


class TestFailingDisk:
    def test_process_survives_damage_to_its_open_cache_file(self, start, home, upstream):
        larder = start()
        larder.call("character/list")
        larder.call("cache/stats")
        with sqlite3.connect(cache(home)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        size = cache(home).stat().st_size
        with open(cache(home), "r+b") as file:
            file.seek(4096)
            file.write(os.urandom(size - 4096))
        for id in range(21, 41):
            assert larder.call("character/get", id=id)["source"] == "remote"
        assert larder.call("cache/stats")["persistence"]["state"] == "rebuilt"
        assert any("set aside" in reason for reason in degraded(larder))
        larder.close()
        again = start()
        assert again.call("character/get", id=40)["source"] == "persistence"
        assert degraded(again) == []

    def test_process_survives_deletion_of_its_open_cache_file(self, start, home):
        larder = start()
        larder.call("character/get", id=1)
        larder.call("cache/stats")
        shutil.rmtree(home / "cache")
        assert larder.call("character/get", id=1)["source"] == "memory"
        larder.call("character/get", id=2)
        assert larder.call("cache/stats")["persistence"]["state"] == "ok"
        assert stat.S_IMODE(cache(home).stat().st_mode) == 0o600
        larder.close()
        assert start().call("character/get", id=2)["source"] == "persistence"

    def test_locked_cache_file_does_not_delay_replies(self, start, home, upstream):
        larder = start()
        larder.call("character/get", id=1)
        larder.call("cache/stats")
        lock = sqlite3.connect(cache(home), isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        for id in range(2, 22):
            assert larder.call("character/get", id=id)["source"] == "remote"
            assert larder.call("character/get", id=id)["source"] == "memory"
        assert larder.call("cache/invalidate", resource="character", id=3)["invalidated"] == 1
        assert larder.call("character/get", id=3)["source"] == "remote"
        lock.execute("ROLLBACK")
        lock.close()
        larder.close()
        again = start()
        for id in range(1, 22):
            assert again.call("character/get", id=id)["source"] == "persistence"

    def test_cache_writes_lost_because_of_a_lock_are_logged_at_exit(self, start, home):
        larder = start()
        larder.call("character/get", id=1)
        larder.call("cache/stats")
        lock = sqlite3.connect(cache(home), isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        larder.call("character/get", id=2)
        assert larder.close() == 0
        assert "the process exited first" in larder.stderr()
        lock.close()

    @pytest.mark.parametrize("limit", [0, 64 << 10, 200 << 10])
    def test_full_disk_does_not_stop_replies(self, home, upstream, limit):
        """RLIMIT_FSIZE simulates a full disk: no file may grow beyond the limit."""

        def full():
            import resource

            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        with Larder(home, prepare=full, upstream=upstream) as larder:
            for page in (1, 2, 3):
                assert larder.call("character/list", page=page)["source"] == "remote"
            for id in range(1, 61):
                assert larder.call("character/get", id=id)["source"] == "memory"

            def is_told():
                # How much the file holds by now depends on how many writes shared a transaction.
                larder.call("character/list", page=1, maxAge=0)
                return degraded(larder)

            eventually(is_told, "the write that found the disk full")
            larder.call("cache/stats")
        with Larder(home, upstream=upstream) as larder:
            for id in range(1, 61):
                assert larder.call("character/get", id=id)["item"]["id"] == id
            assert degraded(larder) == []

    def test_read_only_cache_folder_does_not_stop_replies(self, upstream):
        """Larder runs as another user if the tests run as root, because root may write anywhere."""
        with tempfile.TemporaryDirectory() as place:
            home = pathlib.Path(place)
            home.chmod(0o755)
            # The build may lie in a folder that the other user cannot enter, for example a home folder.
            program = shutil.copy(binary(), home / "larder")
            with Larder(home, upstream=upstream) as larder:
                larder.call("character/get", id=1)
            folder = home / "cache"
            for path, mode in ((folder, 0o555), (cache(home), 0o444), (home / "data", 0o755)):
                path.mkdir(exist_ok=True) if path.suffix == "" else None
                if os.getuid() == 0:
                    os.chown(path, NOBODY, NOBODY)
                path.chmod(mode)

            def drop_rights():
                if os.getuid() == 0:
                    os.setgroups([])
                    os.setgid(NOBODY)
                    os.setuid(NOBODY)

            try:
                with Larder(home, prepare=drop_rights, program=program, upstream=upstream) as larder:
                    for id in (1, 2):
                        assert larder.call("character/get", id=id)["source"] == "remote"
                        assert larder.call("character/get", id=id)["source"] == "memory"
                    assert larder.call("cache/stats")["persistence"]["state"] == "unavailable"
                    assert any("persistence" in reason for reason in degraded(larder))
            finally:
                folder.chmod(0o755)
