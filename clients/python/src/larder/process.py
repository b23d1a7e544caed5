"""The child process: how the program is found, started and ended, and where its log goes."""

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

_KEPT_LOG_LINES = 20
_QUICK = 1.0  # seconds that a process has which nobody closed
_NAP = 1.0  # seconds
_FOR_EVER = 1e6  # seconds

_running: "weakref.WeakSet[Process]" = weakref.WeakSet()


class Settings:
    """With what a process is started, and started again."""

    def __init__(self, args: Sequence[str], binary: Binary, env: Optional[Mapping[str, str]], log: Log) -> None:
        if isinstance(args, (str, bytes, os.PathLike)):
            raise TypeError(f'args is a list, as ["--offline"], and not one text: {args!r}')
        self.args = [os.fspath(arg) for arg in args]
        self.binary, self.log = binary, log
        self.env = dict(env) if env else None


class Process:
    """A larder process. `input` and `output` are descriptors for its stdin and stdout."""

    def __init__(self, settings: Settings) -> None:
        command = [_find(settings.binary), *settings.args]
        try:
            self._child = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **settings.env} if settings.env else None,
                start_new_session=True,  # Ctrl-C on a terminal is for this process to take, and not for its child.
            )
        except OSError as error:
            raise BinaryNotFound(f"cannot start {command[0]}: {error.strerror}") from error
        self._owner = os.getpid()
        self._kept: Deque[str] = deque([], _KEPT_LOG_LINES)
        assert self._child.stdin and self._child.stdout
        self.input, self.output = self._child.stdin.fileno(), self._child.stdout.fileno()
        # Our ends alone: the child's are other open files.
        os.set_blocking(self.input, False)
        os.set_blocking(self.output, False)
        # The thread must not hold this object, whose end is the process's.
        self._log_reader = threading.Thread(
            target=_read_log, args=(self._child.stderr, self._kept, settings.log), name="larder-stderr", daemon=True
        )
        self._log_reader.start()
        # At the end of the interpreter, too.
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
        """The exit code; what has not ended by then is killed."""
        try:
            self._child.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        # A grandchild may hold the pipe open for longer than the process lived.
        self._log_reader.join(1.0)
        return int(self._child.returncode)

    def close_output(self) -> None:
        if self._child.stdout:
            self._child.stdout.close()

    @property
    def last_words(self) -> str:
        return "\n".join(self._kept)

    def forget(self) -> None:
        """In a process that was forked: the child is our parent's. An end of its stdin that stayed open here would let
        it live on after our parent has closed its own."""
        self.abandon.detach()
        for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
            if stream:
                try:
                    os.close(stream.fileno())
                    stream.close()
                except (OSError, ValueError):
                    pass  # It is closed now, and that was all.
        self._child.returncode = 0  # so that nobody waits for it, or warns that it still runs


def _read_log(stderr: BinaryIO, kept: Deque[str], log: Log) -> None:
    rest = b""
    try:
        while chunk := os.read(stderr.fileno(), 1 << 16):
            lines = (rest + chunk).split(b"\n")
            rest = lines.pop()
            _pass_on(lines, kept, log)
    except (OSError, ValueError):
        pass  # It was closed by somebody who no longer wants to know.
    if rest:
        _pass_on([rest], kept, log)
    stderr.close()


def _pass_on(lines: List[bytes], kept: Deque[str], log: Log) -> None:
    texts = [line.decode("utf-8", "replace") for line in lines]
    kept.extend(texts)
    target = sys.stderr if log is None else log
    if target is None or isinstance(target, int) or not texts:
        return
    try:
        target.write("\n".join(texts) + "\n")
        target.flush()
    except (OSError, ValueError):
        pass  # A log that cannot be written must not stop the reading.


def _end_quickly(child: "subprocess.Popen[bytes]", owner: int) -> None:
    """For a client that nobody closed: it is no longer used, or the interpreter ends."""
    if os.getpid() != owner or child.poll() is not None:
        return
    for stream in (child.stdin, child.stdout):
        if stream:
            stream.close()
    try:
        child.wait(_QUICK)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _find(binary: Binary) -> str:
    named = os.fspath(binary) if binary else os.environ.get("LARDER_BIN")
    found = shutil.which(named) if named else _carried() or shutil.which("larder")
    if found:
        return found
    if named:
        raise BinaryNotFound(f"{named} is not a program that can be run")
    raise BinaryNotFound("no larder on PATH: install it, or name it with binary=... or the variable LARDER_BIN")


def _carried() -> Optional[str]:
    """The program that came with this package, in a wheel: a virtual environment that is used by the name of its Python
    has no folder on the PATH. From the packages' folder, pip puts programs there: the second is `--target`'s."""
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = (os.path.join(packages, *steps, "bin", "larder") for steps in (("..", "..", ".."), ()))
    return next(filter(None, map(shutil.which, places)), None)


def _after_fork() -> None:
    for process in list(_running):
        process.forget()
    _running.clear()


os.register_at_fork(after_in_child=_after_fork)


def moment(seconds: Optional[float]) -> Optional[float]:
    """When so many seconds will be over, as `time.monotonic` tells it; None where nobody waits that long."""
    return None if seconds is None or seconds > _FOR_EVER else time.monotonic() + seconds


def over(deadline: Optional[float]) -> bool:
    return deadline is not None and time.monotonic() >= deadline


def nap(deadline: Optional[float]) -> float:
    """How many seconds to wait in one go. A signal that comes in the moment before is only seen after it."""
    return _NAP if deadline is None else max(0.0, min(_NAP, deadline - time.monotonic()))
