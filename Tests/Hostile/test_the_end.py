"""The process always exits: at once after a second signal, and within a limit after the first one or the end of
input."""

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
    """A preloaded library. As soon as a file of a certain name exists, each write to a disk hangs."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if sys.platform != "linux" or not compiler:
        pytest.skip("needs a C compiler, and LD_PRELOAD")
    library = tmp_path_factory.mktemp("stuck") / "stuck_disk.so"
    source = pathlib.Path(__file__).parent / "stuck_disk.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture
def stuck(start, home, stuck_disk):
    """`stuck(*options)` starts a process whose disk hangs while it saves an item."""

    def stuck(*options):
        sign = home / "stuck"
        larder = start(*options, prepare=reset_signals, env={"LD_PRELOAD": str(stuck_disk), "STUCK_DISK": str(sign)})
        assert larder.call("character/get", id=1)["source"] == "remote"
        eventually(lambda: larder.call("cache/stats")["persistence"]["entries"] == 1, "the item to be saved")
        sign.touch()
        assert larder.call("character/get", id=2)["source"] == "remote"
        return larder

    return stuck


def reset_signals():
    """Restores the default actions. A shell ignores some signals in background processes, and children inherit that."""
    for number in (*SIGNALS, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def fill(process, text):
    """Writes until Larder accepts no more: its reader has stopped."""
    os.set_blocking(process.stdin.fileno(), False)
    while select.select([], [process.stdin], [], 1)[1]:
        try:
            os.write(process.stdin.fileno(), text)
        except BlockingIOError:
            pass


class TestStuckDisk:
    def test_process_exits_at_the_end_of_input_despite_a_stuck_disk(self, stuck):
        larder = stuck("--drain", "1s")
        asked = [larder.send("character/get", {"id": 2}), larder.send("cache/remove")]
        larder.end_input()
        assert larder.wait(asked[0])["result"]["source"] == "memory"
        # The work never finishes, but the request is answered.
        assert larder.wait(asked[1])["error"]["code"] == -32800
        assert larder.process.wait(PATIENCE) == HUNG
        assert "hangs" in larder.stderr()

    @pytest.mark.long
    @pytest.mark.parametrize("number", SIGNALS)
    def test_process_exits_after_one_signal_despite_a_stuck_disk(self, stuck, number):
        larder = stuck("--drain", "1s")
        asked = larder.send("cache/remove")
        larder.alive()
        larder.process.send_signal(number)
        assert larder.wait(asked)["error"]["code"] == -32800
        assert larder.process.wait(PATIENCE) == HUNG

    def test_process_exits_at_once_after_two_signals_despite_a_stuck_disk(self, stuck):
        larder = stuck("--drain", "1h")
        # The system merges two signals sent at once. Send the second until it arrives separately.
        while larder.process.poll() is None:
            larder.process.send_signal(signal.SIGTERM)
        assert larder.process.returncode == -signal.SIGTERM

    @pytest.mark.long
    def test_process_exits_after_the_exit_notification_despite_a_stuck_disk(self, stuck):
        larder = stuck("--drain", "1s")
        assert larder.wait(larder.send("shutdown"))["result"] is None
        larder.notify("exit")
        assert larder.process.wait(PATIENCE) == HUNG

    @pytest.mark.long
    def test_call_command_exits_despite_a_stuck_disk(self, home, stuck_disk, upstream):
        sign = home / "stuck"
        sign.touch()
        command = [binary(), "call", "character/get", "id=1", "--drain", "0s", "--cache-dir", str(home / "cache")]
        command += ["--base-url", f"rickandmorty={upstream.url}"]
        extra = {"LD_PRELOAD": str(stuck_disk), "STUCK_DISK": str(sign)}
        done = subprocess.run(command, capture_output=True, env=environment(home, extra), timeout=PATIENCE)
        assert json.loads(done.stdout)["item"]["id"] == 1
        assert done.returncode == HUNG


class TestUnreadOutput:
    """Tests how a process exits if its stdout is an open pipe that no program reads."""

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

    def test_process_exits_at_the_end_of_input_despite_unread_output(self, unread, home):
        process = unread("--drain", "1s")
        process.stdin.write(request("rpc.discover").encode() * 30)
        process.stdin.close()
        assert process.wait(PATIENCE) == LOST
        assert "lost" in (home / "stderr").read_text()

    @pytest.mark.long
    def test_process_exits_if_client_closes_its_input_and_reads_no_output(self, unread, home):
        """The thread that reads the input waits for room in the output, so it does not notice the end of the input."""
        process = unread("--drain", "1s", "--max-queue", "64KiB")
        fill(process, request("rpc.discover").encode() * 100)
        process.stdin.close()
        assert process.wait(PATIENCE) == LOST

    @pytest.mark.long
    def test_process_with_a_file_as_input_exits_despite_unread_output(self, unread, home):
        (home / "requests").write_text(request("rpc.discover") * 10_000)
        with open(home / "requests", "rb") as requests:
            process = unread("--drain", "1s", "--max-queue", "64KiB", stdin=requests)
        assert process.wait(PATIENCE) == LOST

    def test_process_exits_at_once_after_two_signals_despite_unread_output(self, unread):
        process = unread("--drain", "1h", "--max-queue", "64KiB")
        fill(process, request("rpc.discover").encode() * 100)
        while process.poll() is None:
            process.send_signal(signal.SIGTERM)
        assert process.returncode == -signal.SIGTERM

    @pytest.mark.long
    def test_slow_client_gets_all_output_before_the_exit(self, unread):
        process = unread("--drain", "1s", "--max-queue", "64KiB")
        process.stdin.write(request("rpc.discover").encode() * 30)
        process.stdin.close()
        size = len(process.stdout.readline())
        # A pipe holds 64 KiB: each read makes room within the second that the process waits.
        got = size
        while piece := os.read(process.stdout.fileno(), 1 << 16):
            got += len(piece)
            select.select([], [], [], 0.2)
        assert got == 30 * size
        assert process.wait(PATIENCE) == 0


class TestSignals:
    def test_hangup_signal_ends_a_process_on_a_terminal(self, home, places):
        ours, theirs = os.openpty()
        with subprocess.Popen(
            [binary(), *places], stdin=theirs, stdout=subprocess.PIPE, env=environment(home), preexec_fn=reset_signals
        ) as process:
            os.write(ours, request("character/get", {"id": 1, "cachePolicy": "localOnly"}).encode())
            assert b"notCached" in process.stdout.readline()
            process.send_signal(signal.SIGHUP)
            assert process.wait(PATIENCE) == 0
        os.close(ours)
        os.close(theirs)

    def test_hangup_signal_is_ignored_under_nohup(self, start):
        larder = start(prepare=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        larder.alive()
        larder.process.send_signal(signal.SIGHUP)
        larder.alive()

    def test_quit_signal_keeps_its_default_action(self, home, places):
        def leave_no_core():
            reset_signals()
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
    def test_watchdog_ends_the_process_if_the_parent_blocked_all_signals(self, stuck_disk, start, home):
        """The watchdog's signal arrives even if the process inherited a full signal mask."""
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
