"""Thousands of requests at once: each gets a reply, and memory use stays bounded."""

import json
import os
import select
import subprocess
import sys
import threading

import pytest

from harness import PATIENCE, binary, environment, request


# A new process inherits the peak memory of the process that forked it. This small program forks Larder, so that the
# peak of the test process does not count.
MEASURE = """
import os, subprocess, sys
_, status, usage = os.wait4(subprocess.Popen(sys.argv[1:], stderr=subprocess.DEVNULL).pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss, file=sys.stderr)
"""


def test_ten_thousand_uncached_requests_are_all_answered(patient, upstream):
    """Every request gets a reply; requests beyond the concurrency limit fail at once with the kind `busy`."""
    template = upstream.data.rows["character"][1]
    for n in range(1, 10_001):
        upstream.data.edit("character", n, {**template, "id": n, "name": f"number {n}"})
    hold = upstream.hold("/api/character")
    patient.write("".join(request("character/get", {"id": n}, n) for n in range(1, 10_001)))
    hold.wait(100)
    status = patient.wait(patient.send("server/status", id="status"))["result"]
    assert status["inFlight"] >= 1024
    hold.release()
    answered, busy = 0, 0
    for n in range(1, 10_001):
        reply = patient.wait(n)
        if "result" in reply:
            assert reply["result"]["item"] == {"id": n, "name": f"number {n}", "episode": template["episode"]}
            answered += 1
        else:
            assert reply["error"]["code"] == -31011 and reply["error"]["data"] == {"kind": "busy"}, reply
            busy += 1
    assert answered + busy == 10_000 and answered >= 1024
    patient.alive()
    assert patient.call("character/get", id=1)["item"]["name"] == "number 1"


def peak_memory(process):
    """Returns the peak memory of a process in bytes."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_client_that_does_not_read_does_not_fill_memory(home, places, upstream):
    """A client sends small requests with large replies until the pipe blocks. Then it reads, and no reply is lost."""
    command = [binary(), *places, "--base-url", f"rickandmorty={upstream.url}", "--max-queue", "1MiB"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home), bufsize=0
    ) as process:
        replies = open(process.stdout.fileno(), "rb", buffering=1 << 16, closefd=False)
        process.stdin.write(request("character/list", {}, 0).encode())
        size = len(replies.readline())
        before = peak_memory(process)
        stdin = process.stdin.fileno()
        os.set_blocking(stdin, False)
        poll = select.poll()
        poll.register(stdin, select.POLLOUT)
        count, rest = 0, b""
        while poll.poll(2000):
            if not rest:
                count += 1
                rest = request("character/list", {}, count).encode()
            rest = rest[os.write(stdin, rest) :]
        grown = peak_memory(process) - before
        os.set_blocking(stdin, True)

        def write_rest():
            process.stdin.write(rest)
            process.stdin.close()

        writer = threading.Thread(target=write_rest)
        writer.start()
        ids = [json.loads(line)["id"] for line in replies]
        writer.join()
        assert process.wait(PATIENCE) == 0
    assert sorted(ids) == list(range(1, count + 1))
    assert count * size > 8 << 20, "too few replies for a valid measurement"
    # The output queue, the replies in progress and heap fragmentation.
    assert grown < 6 << 20, f"{grown >> 10} KiB for {count} replies of {size} bytes"


@pytest.mark.skipif(sys.platform != "linux", reason="`ru_maxrss` has another unit there")
def test_requests_read_from_a_file_take_limited_memory(home, places, upstream):
    """Requests are read from a file, which never blocks the reader. A large first message makes the read buffer
    larger."""
    count = 200_000
    with open(home / "requests", "wb") as file:
        file.write(b'{"large":"' + b"x" * 16_000_000 + b'"}\n')
        for id in range(count):
            file.write(request("character/search", {"text": "a"}, id).encode())
    with open(home / "requests", "rb") as requests, open(home / "replies", "wb") as replies:
        measured = subprocess.run(
            [sys.executable, "-c", MEASURE, binary(), *places], stdin=requests, stdout=replies, stderr=subprocess.PIPE,
            env=environment(home), check=True)
    with open(home / "replies", "rb") as replies:
        assert sum(1 for _ in replies) == count + 1
    status, kilobytes = measured.stderr.split()[-2:]
    assert int(status) == 0
    assert int(kilobytes) < 192 * 1024
