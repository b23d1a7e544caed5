"""The number of locks that the reader thread takes for a memory hit, as documented in ARCHITECTURE.md."""

import pathlib
import shutil
import struct
import subprocess
import sys

import pytest

from harness import eventually, request

FIND = 2  # one for the check for changes by other processes, one for memory
WRITE = 2  # one to start writing the reply, one to end


@pytest.fixture(scope="session")
def counting(tmp_path_factory):
    """A preloaded library that counts the locks taken by the main thread."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if sys.platform != "linux" or not compiler:
        pytest.skip("needs a C compiler, and LD_PRELOAD")
    library = tmp_path_factory.mktemp("locks") / "locks.so"
    source = pathlib.Path(__file__).parent / "locks.c"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture
def warm(start, counting, home):
    """A process with an item in memory and in the file, and a function that returns the number of locks taken so
    far."""
    count = home / "locks"
    larder = start(env={"LD_PRELOAD": str(counting), "LARDER_LOCKS": str(count)})
    assert larder.call("character/get", id=1)["source"] == "remote"
    larder.call("cache/stats")  # The reply comes after the item is in the file.
    assert larder.call("character/get", id=1)["source"] == "memory"
    state = pathlib.Path(f"/proc/{larder.process.pid}/task/{larder.process.pid}/stat")

    def locks():
        # A reply arrives just before the writer releases its lock. Afterwards, the reader thread sleeps until more
        # input.
        eventually(lambda: state.read_text().rpartition(")")[2].split()[0] == "S", "the process to wait for input")
        return struct.unpack("Q", count.read_bytes())[0]

    return larder, locks


def test_memory_hit_takes_two_locks_to_read_and_two_to_reply(warm):
    larder, locks = warm
    before = locks()
    for _ in range(100):
        assert larder.call("character/get", id=1)["source"] == "memory"
    assert locks() - before == 100 * (FIND + WRITE)


def test_replies_to_requests_read_together_are_written_together(warm):
    larder, locks = warm
    before = locks()
    # Up to PIPE_BUF bytes, which a pipe accepts in one write.
    requests = "".join(request("character/get", {"id": 1}, id) for id in range(100, 130))
    assert len(requests) <= 4096
    larder.write(requests)
    for id in range(100, 130):
        assert larder.wait(id)["result"]["source"] == "memory"
    # There is one write for each read. The requests may need a second read if they cross the end of the buffer.
    assert 30 * FIND + WRITE <= locks() - before < 30 * FIND + 3 * WRITE
