"""Whatever hangs, the process ends: after a second signal at once, after the first or the end of the input in time."""

import json
import os
import pathlib
import resource
import select
import shutil
import signal
import subprocess
import sys

import pytest

from harness import PATIENCE, binary, environment, eventually, request

SIGNALS = [signal.SIGTERM, signal.SIGINT]
HUNG = 75
LOST = 74


@pytest.fixture(scope="session")
def stuck_disk(tmp_path_factory):
    """A library under which a write to a disk hangs as soon as there is a file of a certain name."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if sys.platform != "linux" or not compiler:
        pytest.skip("needs a C compiler, and LD_PRELOAD")
    library = tmp_path_factory.mktemp("stuck") / "stuck_disk.so"
    source = pathlib.Path(__file__).parent / "stuck_disk.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture
def stuck(start, home, stuck_disk):
    """stuck(*options): a process whose disk hangs from now on, in the middle of saving an item."""

    def stuck(*options):
        sign = home / "stuck"
        larder = start(*options, prepare=hear_signals, env={"LD_PRELOAD": str(stuck_disk), "STUCK_DISK": str(sign)})
        assert larder.call("character/get", id=1)["source"] == "remote"
        eventually(lambda: larder.call("cache/stats")["persistence"]["entries"] == 1, "the item is saved")
        sign.touch()
        assert larder.call("character/get", id=2)["source"] == "remote"
        return larder

    return stuck


def hear_signals():
    """A shell ignores some in what runs behind, and a process inherits that."""
    for number in (*SIGNALS, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def fill(process, text):
    """Writes as long as anything is taken, and then until the reader has stopped for good."""
    os.set_blocking(process.stdin.fileno(), False)
    while select.select([], [process.stdin], [], 1)[1]:
        try:
            os.write(process.stdin.fileno(), text)
        except BlockingIOError:
            pass


class TestAStuckDisk:
    def test_the_input_ends(self, stuck):
        larder = stuck("--drain", "1s")
        asked = [larder.send("character/get", {"id": 2}), larder.send("cache/remove")]
        larder.end_input()
        assert larder.wait(asked[0])["result"]["source"] == "memory"
        # Its work never ends, and it is answered all the same.
        assert larder.wait(asked[1])["error"]["code"] == -32800
        assert larder.process.wait(PATIENCE) == HUNG
        assert "hangs" in larder.stderr()

    @pytest.mark.long
    @pytest.mark.parametrize("number", SIGNALS)
    def test_a_signal_comes_once(self, stuck, number):
        larder = stuck("--drain", "1s")
        asked = larder.send("cache/remove")
        larder.alive()
        larder.process.send_signal(number)
        assert larder.wait(asked)["error"]["code"] == -32800
        assert larder.process.wait(PATIENCE) == HUNG

    def test_a_signal_comes_twice(self, stuck):
        larder = stuck("--drain", "1h")
        # Two that come at once are one to the system: the second is sent until it has come apart from the first.
        while larder.process.poll() is None:
            larder.process.send_signal(signal.SIGTERM)
        assert larder.process.returncode == -signal.SIGTERM

    @pytest.mark.long
    def test_exit_comes(self, stuck):
        larder = stuck("--drain", "1s")
        assert larder.wait(larder.send("shutdown"))["result"] is None
        larder.notify("exit")
        assert larder.process.wait(PATIENCE) == HUNG

    @pytest.mark.long
    def test_a_single_call(self, home, stuck_disk, upstream):
        sign = home / "stuck"
        sign.touch()
        command = [binary(), "call", "character/get", "id=1", "--drain", "0s", "--cache-dir", str(home / "cache")]
        command += ["--base-url", f"rickandmorty={upstream.url}"]
        extra = {"LD_PRELOAD": str(stuck_disk), "STUCK_DISK": str(sign)}
        done = subprocess.run(command, capture_output=True, env=environment(home, extra), timeout=PATIENCE)
        assert json.loads(done.stdout)["item"]["id"] == 1
        assert done.returncode == HUNG


class TestNobodyReads:
    """The other end of stdout is open, and nobody reads from it."""

    @pytest.fixture
    def unread(self, home, places):
        running = []

        def unread(*options, **streams):
            command = [binary(), *places, *options]
            with open(home / "stderr", "wb") as stderr:
                streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": stderr, **streams}
                process = subprocess.Popen(command, env=environment(home), bufsize=0, **streams)
            running.append(process)
            return process

        yield unread
        for process in running:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    stream.close()

    def test_the_input_ends(self, unread, home):
        process = unread("--drain", "1s")
        process.stdin.write(request("rpc.discover").encode() * 30)
        process.stdin.close()
        assert process.wait(PATIENCE) == LOST
        assert "lost" in (home / "stderr").read_text()

    @pytest.mark.long
    def test_the_input_ends_unread(self, unread, home):
        """The reader of requests waits for the reader of replies, and cannot see the end."""
        process = unread("--drain", "1s", "--max-queue", "64KiB")
        fill(process, request("rpc.discover").encode() * 100)
        process.stdin.close()
        assert process.wait(PATIENCE) == LOST

    @pytest.mark.long
    def test_the_input_is_a_file(self, unread, home):
        (home / "requests").write_text(request("rpc.discover") * 10_000)
        with open(home / "requests", "rb") as requests:
            process = unread("--drain", "1s", "--max-queue", "64KiB", stdin=requests)
        assert process.wait(PATIENCE) == LOST

    def test_a_signal_comes_twice(self, unread):
        process = unread("--drain", "1h", "--max-queue", "64KiB")
        fill(process, request("rpc.discover").encode() * 100)
        while process.poll() is None:
            process.send_signal(signal.SIGTERM)
        assert process.returncode == -signal.SIGTERM

    @pytest.mark.long
    def test_who_reads_slowly_gets_everything(self, unread):
        process = unread("--drain", "1s", "--max-queue", "64KiB")
        process.stdin.write(request("rpc.discover").encode() * 30)
        process.stdin.close()
        size = len(process.stdout.readline())
        # A pipe holds 64 KiB: each piece makes room within the second for which the process waits.
        got = size
        while piece := os.read(process.stdout.fileno(), 1 << 16):
            got += len(piece)
            select.select([], [], [], 0.2)
        assert got == 30 * size
        assert process.wait(PATIENCE) == 0


class TestSignals:
    def test_hanging_up_ends_what_reads_a_terminal(self, home, places):
        ours, theirs = os.openpty()
        with subprocess.Popen(
            [binary(), *places], stdin=theirs, stdout=subprocess.PIPE, env=environment(home), preexec_fn=hear_signals
        ) as process:
            os.write(ours, request("character/get", {"id": 1, "cachePolicy": "localOnly"}).encode())
            assert b"notCached" in process.stdout.readline()
            process.send_signal(signal.SIGHUP)
            assert process.wait(PATIENCE) == 0
        os.close(ours)
        os.close(theirs)

    def test_hanging_up_is_ignored_under_nohup(self, start):
        larder = start(prepare=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        larder.alive()
        larder.process.send_signal(signal.SIGHUP)
        larder.alive()

    def test_quit_is_left_alone(self, home, places):
        def leave_no_core():
            hear_signals()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        with subprocess.Popen(
            [binary(), *places],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(home, {"SWIFT_BACKTRACE": "enable=no"}),
            preexec_fn=leave_no_core,
        ) as process:
            process.stdin.write(request("server/status").encode())
            process.stdin.flush()
            assert process.stdout.readline()
            process.send_signal(signal.SIGQUIT)
            assert process.wait(PATIENCE) == -signal.SIGQUIT

    @pytest.mark.long
    def test_a_parent_that_blocks_all_signals(self, stuck_disk, start, home):
        """The watchdog's comes through, whatever the process inherits."""
        sign = home / "stuck"
        larder = start(
            *("--drain", "0s"),
            env={"LD_PRELOAD": str(stuck_disk), "STUCK_DISK": str(sign)},
            prepare=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)),
        )
        sign.touch()
        larder.call("character/get", id=1)
        larder.end_input()
        assert larder.process.wait(PATIENCE) == HUNG
