"""The larder process: finding and starting the program, waiting for its exit, and forwarding its log."""

import os
import shutil
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from typing import BinaryIO, Deque, List, Mapping, Optional, Sequence, TextIO, Union

from .errors import BinaryNotFound

Binary = Union[str, "os.PathLike[str]", None]
Log = Union[TextIO, int, None]

_MAX_LOG_LINES = 20
_EXIT_SECONDS = 1.0  # the time to exit for a process whose client was not closed
_MAX_POLL_SECONDS = 1.0
_MAX_TIMEOUT_SECONDS = 1e6  # a longer timeout counts as no timeout

_running: "weakref.WeakSet[Process]" = weakref.WeakSet()


class Settings:
    """The settings with which a client starts its larder processes."""

    def __init__(self, args: Sequence[str], binary: Binary, env: Optional[Mapping[str, str]], log: Log) -> None:
        if isinstance(args, (str, bytes, os.PathLike)):
            raise TypeError(f'args must be a list such as ["--offline"], not a single string: {args!r}')
        self.args = [os.fspath(arg) for arg in args]
        self.binary, self.log = binary, log
        self.env = dict(env) if env else None


class Process:
    """A larder process. `input` and `output` are the non-blocking file descriptors of its stdin and stdout."""

    def __init__(self, settings: Settings) -> None:
        command = [find_binary(settings.binary), *settings.args]
        try:
            self._child = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **settings.env} if settings.env else None,
                start_new_session=True,  # Ctrl-C in the terminal must reach this process, not the larder process.
            )
        except OSError as error:
            reason = f"{error.strerror}; name another program with binary=... or LARDER_BIN"
            raise BinaryNotFound(f"cannot start '{command[0]}': {reason}") from error
        self._owner = os.getpid()
        self._kept: Deque[str] = deque([], _MAX_LOG_LINES)
        assert self._child.stdin and self._child.stdout
        self.input, self.output = self._child.stdin.fileno(), self._child.stdout.fileno()
        # The larder process keeps its blocking ends: each end of a pipe has its own mode.
        os.set_blocking(self.input, False)
        os.set_blocking(self.output, False)
        # A reference from the thread would keep this object alive, and its finalizer would not stop the process.
        self._log_reader = threading.Thread(
            target=_read_log, args=(self._child.stderr, self._kept, settings.log), name="larder-stderr", daemon=True
        )
        self._log_reader.start()
        # Called when this object is garbage collected or the Python interpreter exits.
        self.abandon = weakref.finalize(self, _end_quickly, self._child, self._owner)
        _running.add(self)

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def code(self) -> Optional[int]:
        return self._child.poll()

    def close_input(self) -> None:
        if self._child.stdin and not self._child.stdin.closed:
            self._child.stdin.close()

    def kill(self) -> None:
        self._child.kill()

    def wait(self, seconds: float) -> int:
        """Waits for the exit of the process and returns its exit code. Kills the process after `seconds`."""
        try:
            self._child.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        # The wait is limited, because a child of the larder process may hold the pipe of stderr open.
        self._log_reader.join(1.0)
        return int(self._child.returncode)

    def close_output(self) -> None:
        if self._child.stdout:
            self._child.stdout.close()

    @property
    def last_log_lines(self) -> str:
        return "\n".join(self._kept)

    def detach_after_fork(self) -> None:
        """Closes the copies of the pipes in a forked child. Otherwise the larder process would still run after the
        parent has closed its input, because the child's copy stays open."""
        self.abandon.detach()
        for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
            if stream:
                try:
                    os.close(stream.fileno())
                    stream.close()
                except (OSError, ValueError):
                    pass  # The stream is already closed.
        self._child.returncode = 0  # so that `subprocess` neither waits for the process nor warns about it


def _read_log(stderr: BinaryIO, kept: Deque[str], log: Log) -> None:
    rest = b""
    try:
        while chunk := os.read(stderr.fileno(), 1 << 16):
            lines = (rest + chunk).split(b"\n")
            rest = lines.pop()
            _forward_log(lines, kept, log)
    except (OSError, ValueError):
        pass  # Another thread has closed the stream.
    if rest:
        _forward_log([rest], kept, log)
    stderr.close()


def _forward_log(lines: List[bytes], kept: Deque[str], log: Log) -> None:
    texts = [line.decode("utf-8", "replace") for line in lines]
    kept.extend(texts)
    target = sys.stderr if log is None else log
    if target is None or isinstance(target, int) or not texts:
        return
    try:
        target.write("\n".join(texts) + "\n")
        target.flush()
    except (OSError, ValueError):
        pass  # The log must be read even if its lines cannot be written.


def _end_quickly(child: "subprocess.Popen[bytes]", owner: int) -> None:
    """Stops the process of a client that was not closed, at the client's garbage collection or at the interpreter's
    exit."""
    if os.getpid() != owner or child.poll() is not None:
        return
    for stream in (child.stdin, child.stdout):
        if stream:
            stream.close()
    try:
        child.wait(_EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def find_binary(binary: Binary) -> str:
    """Returns the path of the program. Raises `BinaryNotFound` if there is none."""
    named = os.fspath(binary) if binary else os.environ.get("LARDER_BIN")
    found = shutil.which(named) if named else _bundled() or shutil.which("larder")
    if found:
        return found
    if named:
        raise BinaryNotFound(f"'{named}' is not an executable program; correct binary=... or LARDER_BIN")
    raise BinaryNotFound("larder is not on PATH; install it, pass binary=..., or set LARDER_BIN")


def _bundled() -> Optional[str]:
    """Returns the program that a wheel of this package installed, or None. It may be in a virtual environment that is
    not on PATH, or in the folder of `pip install --target`."""
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = (os.path.join(packages, *steps, "bin", "larder") for steps in (("..", "..", ".."), ()))
    return next(filter(None, map(shutil.which, places)), None)


def _after_fork() -> None:
    for process in list(_running):
        process.detach_after_fork()
    _running.clear()


os.register_at_fork(after_in_child=_after_fork)


def deadline_after(seconds: Optional[float]) -> Optional[float]:
    """Returns the `time.monotonic` value in `seconds` from now; None if there is no timeout or a very long timeout."""
    return None if seconds is None or seconds > _MAX_TIMEOUT_SECONDS else time.monotonic() + seconds


def has_passed(deadline: Optional[float]) -> bool:
    return deadline is not None and time.monotonic() >= deadline


def poll_seconds(deadline: Optional[float]) -> float:
    """Returns the maximum seconds of one wait. The wait is short, because Python handles a signal that arrives just
    before the wait only after it."""
    return _MAX_POLL_SECONDS if deadline is None else max(0.0, min(_MAX_POLL_SECONDS, deadline - time.monotonic()))
