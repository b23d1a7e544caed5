"""The blocking client: one larder process, any number of threads that ask it."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
from collections import deque
from concurrent.futures import Future, InvalidStateError
from concurrent.futures import TimeoutError as FutureTimeout
from decimal import Decimal
from types import TracebackType
from typing import Any, Deque, Dict, Mapping, Optional, Sequence, TextIO, Type, Union

from .errors import BinaryNotFound, LarderClosed, LarderError, NoReply, from_wire
from .resources import Cache, Recents, Resource

_KEPT_STDERR_LINES = 20


class _Pending:
    """A request that waits for its reply."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.future: "Future[Any]" = Future()

    def finish(self, result: Any = None, error: Optional[LarderError] = None) -> None:
        try:
            if error is None:
                self.future.set_result(result)
            else:
                self.future.set_exception(error)
        except InvalidStateError:
            pass  # The process ended in the moment that the reply came.


class Larder:
    """Starts `larder` as a child process and asks it.

    args     command-line arguments for the process, as ["--catalog", "api.jsonc"]
    binary   the program; else the environment variable LARDER_BIN, else `larder` on PATH
    env      variables for the process, over those of this process
    timeout  seconds to wait for a reply before `NoReply` is raised; None waits for ever
    stderr   where the process's log lines go: None for this process's `sys.stderr`, a text file, or
             `subprocess.DEVNULL`. They are read at once in any case, so the process never waits for it.

    Several threads may call at once. Resources are attributes: `larder.character.get(1)`; one whose name is taken by
    something else here is `larder.resource("status")`.
    """

    def __init__(
        self,
        args: Sequence[str] = (),
        *,
        binary: Union[str, "os.PathLike[str]", None] = None,
        env: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = 30.0,
        stderr: Union[TextIO, int, None] = None,
    ) -> None:
        self.timeout = timeout
        self.recents = Recents(self)
        self.cache = Cache(self)
        self._ids = itertools.count(1)
        self._pending: Dict[int, _Pending] = {}
        self._state = threading.Lock()  # guards _pending and _ending
        self._ending: Optional[str] = None  # how the process ended, once it has
        self._writing = threading.Lock()
        self._stderr = stderr
        self._last_stderr: Deque[str] = deque(maxlen=_KEPT_STDERR_LINES)
        command = [_find(binary), *args]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **env} if env else None,
            )
        except OSError as error:
            raise BinaryNotFound(f"cannot start {command[0]}: {error.strerror}") from error
        self._log_reader = threading.Thread(target=self._read_stderr, name="larder-stderr", daemon=True)
        self._reader = threading.Thread(target=self._read_replies, name="larder-replies", daemon=True)
        self._log_reader.start()
        self._reader.start()

    # Asking

    def call(self, method: str, /, **params: Any) -> Any:
        """The result of any method, as the wire has it; raises the error's exception."""
        return self.request(method, params)

    def request(
        self, method: str, params: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None
    ) -> Any:
        """As `call`, with the params as one mapping and a `timeout` (seconds) for this request alone."""
        id = next(self._ids)
        message: Dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method}
        if params:
            message["params"] = dict(params)
        line = _encode(message)
        pending = _Pending(len(line))
        with self._state:
            if self._ending:
                raise self._closed()
            self._pending[id] = pending
        limit = self.timeout if timeout is None else timeout
        try:
            self._write(line)
            return pending.future.result(limit)
        except FutureTimeout:
            raise self._withdrawn(id, method, limit) from None
        except KeyboardInterrupt:
            self._cancel(id)
            raise
        finally:
            with self._state:
                self._pending.pop(id, None)

    def resource(self, name: str) -> Resource:
        """The resource of this name in the catalog."""
        return Resource(self, name)

    def __getattr__(self, name: str) -> Resource:
        if name.startswith("_"):
            raise AttributeError(name)
        return Resource(self, name)

    def status(self) -> Dict[str, Any]:
        """The server's version, catalog and resources, and which of its parts work less well than they should."""
        status: Dict[str, Any] = self.call("server/status")
        return status

    # The end

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self, grace: float = 35.0) -> int:
        """Ends the process as it likes to end: no more requests, every reply to those in flight (it takes at most 30
        seconds for them), then its exit. What has not ended after `grace` seconds is killed. Returns the exit code;
        a second call does nothing more."""
        with self._writing:
            try:
                if self._process.stdin:
                    self._process.stdin.close()
            except OSError:
                pass  # It has ended already.
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in (self._reader, self._log_reader):
            # A grandchild may hold a pipe open for longer than the process lived.
            thread.join(1.0)
        return self._process.returncode

    def __enter__(self) -> "Larder":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        interrupted = kind is not None and not issubclass(kind, Exception)
        self.close(grace=1.0 if interrupted else 35.0)

    def __repr__(self) -> str:
        return f"<larder process {self._process.pid}, {'ended' if self._ending else 'running'}>"

    # Inside

    def _write(self, line: bytes) -> None:
        with self._writing:
            stdin = self._process.stdin
            if stdin is None or stdin.closed:
                raise self._closed()
            try:
                stdin.write(line)
                stdin.flush()
            except OSError:
                self._reader.join(2.0)  # It learns the exit code and the last log lines.
                raise self._closed() from None

    def _withdrawn(self, id: int, method: str, limit: Optional[float]) -> LarderError:
        self._cancel(id)
        return NoReply(f"no reply to {method} within {limit:g} seconds")

    def _cancel(self, id: int) -> None:
        try:
            self._write(_encode({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}))
        except LarderClosed:
            pass  # Nothing is left to be cancelled.

    def _read_replies(self) -> None:
        ending = "the larder process ended"
        stdout = self._process.stdout
        assert stdout is not None
        try:
            with stdout:
                for line in stdout:
                    self._accept(_decode(line))
        except Exception as error:
            # Nothing can be matched any more, so nobody may wait on.
            ending = f"the larder process wrote what is no reply ({error}), and was ended"
            self._process.kill()
        code = self._process.wait()
        self._log_reader.join(1.0)
        with self._state:
            self._ending = f"{ending} with code {code}"
            left = list(self._pending.values())
            self._pending.clear()
        for pending in left:
            pending.finish(error=self._closed())

    def _accept(self, message: Dict[str, Any]) -> None:
        if "method" in message:
            return  # A notification: nothing here subscribes to any.
        with self._state:
            id = message.get("id")
            if id is None and self._pending:
                # The server could not see the id, which happens to a message longer than it takes: the longest one.
                id = max(self._pending, key=lambda key: self._pending[key].size)
            pending = self._pending.pop(id, None) if isinstance(id, int) else None
        if pending is None:
            return  # Its caller has gone.
        error = message.get("error")
        if error is None:
            pending.finish(message.get("result"))
        else:
            pending.finish(error=from_wire(error))

    def _read_stderr(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        with stderr:
            for raw in stderr:
                line = raw.decode("utf-8", "replace").rstrip("\n")
                self._last_stderr.append(line)
                self._pass_on(line + "\n")

    def _pass_on(self, line: str) -> None:
        target = sys.stderr if self._stderr is None else self._stderr
        if target is None or isinstance(target, int):
            return
        try:
            target.write(line)
            target.flush()
        except (OSError, ValueError):
            pass  # A log that cannot be written must not stop the reading.

    def _closed(self) -> LarderClosed:
        ending = self._ending or "this larder is closed"
        return LarderClosed(ending, "\n".join(self._last_stderr), self._process.poll())


def _encode(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _decode(line: bytes) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # An integer of more digits than Python reads as one (sys.set_int_max_str_digits).
        return json.loads(line, parse_int=_integer)


def _integer(digits: str) -> Union[int, Decimal]:
    try:
        return int(digits)
    except ValueError:
        return Decimal(digits)


def _find(binary: Union[str, "os.PathLike[str]", None]) -> str:
    named = os.fspath(binary) if binary else os.environ.get("LARDER_BIN")
    found = shutil.which(named or "larder")
    if found:
        return found
    if named:
        raise BinaryNotFound(f"{named} is not a program that can be run")
    raise BinaryNotFound("no larder on PATH: install it, or name it with binary=... or the variable LARDER_BIN")
