"""Output that cannot be written: exit code 74 (EX_IOERR) and a message on stderr. A closed pipe is not an error."""

import os
import signal
import subprocess
import sys

import pytest

from harness import CASSETTES, PATIENCE, binary, environment, request

LOST = 74
COMMANDS = [
    ["--help"],
    ["--version"],
    ["call", "character/get", "id=1", "--replay", str(CASSETTES)],
    ["cache", "stats"],
    ["cache", "path"],
    ["cache", "clear"],
]

full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


@pytest.fixture
def shell(home, places):
    """`shell(script, *args)` runs larder from a shell script; `"$@"` in the script is the larder command."""

    def shell(script, *args, input=b""):
        return subprocess.run(
            ["sh", "-c", script, "sh", binary(), *args, *places],
            input=input, capture_output=True, env=environment(home), timeout=PATIENCE,
        )

    return shell


@full
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
@pytest.mark.parametrize("where", ["> /dev/full", ">&-"], ids=["full", "closed"])
def test_command_reports_lost_output(shell, command, where):
    done = shell(f'"$@" {where}', *command)
    assert (done.returncode, done.stdout) == (LOST, b""), done
    assert done.stderr.startswith(b"larder: cannot write to stdout: ") and done.stderr.endswith(b"\n"), done


@full
@pytest.mark.parametrize("where", ["> /dev/full", ">&-"], ids=["full", "closed"])
def test_session_reports_lost_replies(shell, where):
    done = shell(f'"$@" {where}', input=request("server/status").encode() * 3)
    assert done.returncode == LOST, done
    assert done.stderr.startswith(b"larder: error: cannot write replies to stdout: "), done
    assert done.stderr.count(b"\n") == 1, done


@pytest.mark.skipif(sys.platform != "linux", reason="depends on `ulimit -f` of dash")
@pytest.mark.parametrize("command", [["--help"], []], ids=["command", "session"])
def test_output_lost_to_a_file_size_limit_is_reported(shell, home, command):
    """The default action of SIGXFSZ, the signal for this limit, would be to kill the process."""
    out = home / "out"
    done = shell(f'ulimit -f 1; "$@" > {out}', *command, input=request("rpc.discover").encode() * 3)
    assert done.returncode == LOST, done
    assert b"File too large" in done.stderr, done


@pytest.mark.parametrize("command", COMMANDS[:3] + [[]], ids=["help", "version", "call", "session"])
@pytest.mark.parametrize("disposition", [signal.SIG_DFL, signal.SIG_IGN], ids=["default", "ignored"])
def test_closed_output_pipe_is_not_reported_as_an_error(home, places, command, disposition):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [binary(), *command, *places],
        input=request("server/status").encode(), stdout=write, stderr=subprocess.PIPE, env=environment(home),
        preexec_fn=lambda: signal.signal(signal.SIGPIPE, disposition), timeout=PATIENCE,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b""), done


def test_non_blocking_pipe_receives_all_output(home):
    """A parent may have made the pipe non-blocking. Larder waits until the pipe has room."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    filler = 0
    try:
        while True:
            filler += os.write(write, b"x" * 4096)
    except BlockingIOError:
        pass
    with subprocess.Popen([binary(), "--help"], stdout=write, env=environment(home)) as process:
        os.close(write)
        got = b""
        while piece := os.read(read, 1 << 16):
            got += piece
        assert process.wait(PATIENCE) == 0
    os.close(read)
    assert got[filler:].startswith(b"larder ") and got.endswith(b"\n")
