"""Processes that are killed while they write, and files that fail under them: no answer is lost, torn or foreign."""

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
    """The name of every character."""
    data = json.loads((ROOT / "Fixtures" / "upstream" / "data.json").read_text(encoding="utf-8"))
    return {row["id"]: row["name"] for row in data["character"]}


class TestKill:
    def test_a_kill_at_any_moment_leaves_a_sound_file(self, home, upstream):
        """Two processes write over the same items and pages until each in turn is killed at a random moment."""
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
        assert left == ["cache.key", "cache.sqlite"], "nothing was set aside"

    @staticmethod
    def close(larder):
        larder.end_input()
        larder._reader.join()
        larder.process.stdout.close()

    @staticmethod
    def check(home, names):
        """With another program's eyes, as the file stands now, while the other process goes on writing."""
        if not cache(home).exists():
            return
        connection = sqlite3.connect(cache(home), timeout=10)
        try:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
                return
            # One transaction: the other process may write a page between two statements.
            connection.execute("BEGIN")
            for id, text in connection.execute("SELECT id, json FROM items"):
                item = json.loads(text)
                assert (str(item["id"]), item["name"]) == (id, names[item["id"]])
            # A page and its items come into the file together.
            kept = {id for (id,) in connection.execute("SELECT id FROM items")}
            for ids, info in connection.execute("SELECT ids, info FROM pages"):
                assert set(json.loads(ids)) <= kept and json.loads(info)["current"]
        finally:
            connection.close()

    def test_only_the_last_writes_may_be_missing(self, start, home):
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
    def test_a_file_that_breaks_while_it_is_open(self, start, home, upstream):
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

    def test_a_file_that_is_deleted_while_it_is_open(self, start, home):
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

    def test_a_locked_file_delays_no_answer(self, start, home, upstream):
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

    def test_what_a_locked_file_did_not_take_is_said_at_the_end(self, start, home):
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
    def test_a_full_disk(self, home, upstream, limit):
        """RLIMIT_FSIZE stands in for it: no file may become larger."""

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
                # How much the file has taken by now depends on how many writes came into one transaction.
                larder.call("character/list", page=1, maxAge=0)
                return degraded(larder)

            eventually(is_told, "the write that found the disk full")
            larder.call("cache/stats")
        with Larder(home, upstream=upstream) as larder:
            for id in range(1, 61):
                assert larder.call("character/get", id=id)["item"]["id"] == id
            assert degraded(larder) == []

    def test_a_folder_that_must_not_be_written(self, upstream):
        """As another user where the tests run as root, who may write anywhere."""
        with tempfile.TemporaryDirectory() as place:
            home = pathlib.Path(place)
            home.chmod(0o755)
            # The build may lie where that user cannot go, as below a home folder.
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
