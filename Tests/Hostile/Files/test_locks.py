"""Locks that another process never releases: neither a call nor the exit waits for them for long."""

import fcntl
import os
import sqlite3
import subprocess
import sys
import time

import pytest

from harness import RPCError, eventually


@pytest.fixture
def locked(home):
    """`locked(folder)` locks a folder by another file description until `free` is called or the test ends."""
    held = []

    class Locked:
        def __init__(self, folder):
            folder.mkdir(exist_ok=True)
            self.descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(self.descriptor, fcntl.LOCK_EX)
            held.append(self)

        def free(self):
            if self.descriptor is not None:
                os.close(self.descriptor)
                self.descriptor = None

    yield Locked
    for lock in held:
        lock.free()


def state(larder):
    return larder.call("cache/stats")["persistence"]["state"]


def recents(larder, text):
    """Returns the result of recents/add as soon as it succeeds."""

    def added():
        try:
            return larder.call("recents/add", text=text)["recents"]
        except RPCError as error:
            assert error.code == -32603 and "lock" in error.message
            return None

    return eventually(added, "the recent searches")


def test_locked_cache_folder_without_a_file_does_not_delay_calls(start, home, locked):
    lock = locked(home / "cache")
    larder = start()
    for id in (1, 2, 1, 2):
        assert larder.call("character/get", id=id)["item"]["id"] == id
    eventually(lambda: state(larder) == "failing", "the state to change")
    assert larder.call("cache/remove", resource="location")["removed"] == 0
    assert larder.call("character/search")["count"] == 2, "the memory cache is searched"
    assert larder.close() == 0, "the exit does not wait for the lock"
    assert "locked" in larder.stderr() and not (home / "cache" / "cache.sqlite").exists()
    lock.free()
    again = start()
    again.call("character/get", id=1)
    assert state(again) == "ok"


def test_cache_is_used_after_the_lock_is_released(start, home, locked):
    lock = locked(home / "cache")
    larder = start()
    larder.call("character/get", id=1)
    eventually(lambda: state(larder) == "failing", "the state to change")
    lock.free()
    eventually(lambda: state(larder) == "ok", "the state to change")
    larder.close()
    assert start().call("character/get", id=1)["source"] == "persistence"


def test_damaged_cache_file_in_a_locked_folder_does_not_delay_calls(start, home, locked):
    (home / "cache").mkdir()
    (home / "cache" / "cache.sqlite").write_bytes(b"This is no database at all. " * 1000)
    lock = locked(home / "cache")
    larder = start()
    for id in range(1, 9):
        assert larder.call("character/get", id=id)["source"] == "remote"
    assert state(larder) == "failing"
    lock.free()
    eventually(lambda: state(larder) == "rebuilt", "the state to change")
    larder.close()
    assert start().call("character/get", id=8)["source"] == "persistence"


def test_recent_searches_in_a_locked_folder_are_refused(start, home, locked):
    lock = locked(home / "data")
    larder = start()
    began = [larder.send("recents/add", {"text": text}) for text in "abcdefghijklmnop"]
    assert larder.call("character/get", id=1)["item"]["id"] == 1
    for id in began:
        refused = larder.refusal(larder.wait(id))
        assert refused.code == -32603 and "locked" in refused.message
    lock.free()
    assert recents(larder, "rick") == ["rick"]


def test_damaged_recent_searches_in_a_locked_folder_are_refused(start, home, locked):
    (home / "data").mkdir()
    (home / "data" / "recents.sqlite").write_bytes(b"This is no database at all. " * 1000)
    lock = locked(home / "data")
    larder = start()
    assert larder.fails("recents/list").code == -32603
    assert larder.close() == 0
    assert (home / "data" / "recents.sqlite").exists()
    lock.free()
    assert recents(start(), "rick") == ["rick"]


@pytest.mark.parametrize("mode", ["normal", "exclusive"])
@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
def test_permanently_locked_files_delay_no_call(start, home, mode, is_open):
    larder = start()
    larder.call("character/get", id=1)
    larder.call("recents/add", text="rick")
    larder.call("cache/stats")
    if not is_open:
        larder.close()
    locks = []
    for path in (home / "cache" / "cache.sqlite", home / "data" / "recents.sqlite"):
        connection = sqlite3.connect(path, isolation_level=None, timeout=0)
        # SQLite refuses an exclusive lock while another connection is open.
        connection.execute(f"PRAGMA locking_mode = {'NORMAL' if is_open else mode}")
        connection.execute("BEGIN EXCLUSIVE")
        locks.append(connection)
    if not is_open:
        larder = start()
    for id in range(1, 21):
        assert larder.call("character/get", id=id)["item"]["id"] == id
    eventually(lambda: state(larder) == "failing", "the state to change")
    assert larder.fails("recents/add", text="morty").code == -32603
    assert larder.close() == 0
    for connection in locks:
        connection.execute("ROLLBACK")
        connection.close()
    again = start()
    again.call("character/get", id=1)
    assert state(again) == "ok" and recents(again, "morty") == ["morty", "rick"]


@pytest.fixture
def locked_index():
    """`locked_index(path, first, length)` locks bytes of a file in a separate process until the test ends."""
    holders = []
    text = """
import fcntl, os, sys
descriptor = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
fcntl.lockf(descriptor, fcntl.LOCK_EX, int(sys.argv[3]), int(sys.argv[2]))
print("locked", flush=True)
sys.stdin.read()
"""

    def lock(path, first=0, length=0):
        arguments = [sys.executable, "-c", text, str(path), str(first), str(length)]
        holder = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        holders.append(holder)
        assert holder.stdout.readline() == b"locked\n"

    yield lock
    for holder in holders:
        holder.stdin.close()
        holder.stdout.close()
        holder.wait()


# The whole file, and the lock bytes of writers and checkpointers (https://sqlite.org/walformat.html).
@pytest.mark.parametrize("part", [(0, 0), (120, 1), (121, 1)], ids=["whole", "writer", "checkpoint"])
def test_locked_wal_index_does_not_delay_calls(start, home, locked_index, part):
    """A locked index of the write-ahead log delays no call, although SQLite itself would try for ten seconds."""
    larder = start()
    larder.call("character/get", id=1)
    larder.call("recents/add", text="rick")
    larder.close()
    for path in (home / "cache" / "cache.sqlite-shm", home / "data" / "recents.sqlite-shm"):
        locked_index(path, *part)
    larder = start()
    began = time.monotonic()
    for id in (1, 2):
        assert larder.call("character/get", id=id)["item"]["id"] == id
    assert larder.call("character/search")["count"] >= 1
    larder.call("cache/stats")
    try:
        larder.call("recents/add", text="morty")
    except RPCError as error:
        assert error.code == -32603 and "lock" in error.message
    assert larder.close() == 0
    assert time.monotonic() - began < 10, "shorter than one wait of SQLite"
