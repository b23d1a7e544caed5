"""The code of a session that both clients share: matching replies to requests, and handling the exit of the process."""

import os
import re
from typing import Any, Deque, Dict, FrozenSet, Iterator, List, Mapping, Optional, Sequence

from . import wire
from .errors import LarderClosed, LarderError, from_wire
from .process import Process, Settings

CLOSED = "this client is closed; create a new one"
HANDSHAKE = 0  # the id of the first request, `initialize`; no caller waits for its reply

# The server's default for --max-in-flight, and the number of requests in flight that the client reserves for cancelled
# calls. The server needs a moment to end such a call.
_SERVER_LIMIT = 1024
_RESERVED = 24


class Waiter:
    """A receiver of one reply, of progress events, or of the changes of an observed item or page."""

    size = 0  # bytes of the request

    def finish(self, result: Any, error: Optional[LarderError]) -> None:
        raise NotImplementedError

    def notify(self, event: Mapping[str, Any]) -> None:
        raise NotImplementedError


class ProcessEnded(LarderError):
    """The process exited before it replied. Internal: the client repeats the request with a new process."""


class Session:
    """One larder process from start to exit, with its pending requests and listeners."""

    def __init__(self, settings: Settings, first: bool) -> None:
        self.process = Process(settings)
        self.pending: Dict[int, Waiter] = {}
        self.listeners: Dict[str, Waiter] = {}  # keyed by progress token or observer name
        # Known after the handshake: the names of the resources, and of the methods that make no request to an API.
        self.resources: List[str] = []
        self.local_methods: FrozenSet[str] = frozenset()
        self.ended: Optional[str] = None  # why the session has ended, with the exit code; None before its end
        self.closing = False
        self.exit_timeout = 2.0  # seconds
        self._lines = wire.Lines()
        self._first, self._answered, self._wrote_invalid_output, self._abort_reason = first, False, False, ""

    @staticmethod
    def handshake() -> bytes:
        # The server exits when the process with this id exits, even if a forked child still holds the pipe open.
        return wire.request(HANDSHAKE, "initialize", {"processId": os.getpid()})

    def accept(self, lines: Sequence[bytes]) -> None:
        """Handles lines of the process's output. Kills the process if a line is not a valid message; never raises."""
        try:
            for line in lines:
                if line:
                    self._take(wire.message(line))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            # After an invalid message, replies cannot be matched to requests. Killing the process releases all callers.
            self._wrote_invalid_output = True
            self.abort(f"it wrote an invalid message ({error})")

    def _take(self, message: Dict[str, Any]) -> None:
        if "method" in message:
            self._tell(message["method"], message.get("params") or {})
            return
        id = message.get("id")
        if id is None and self.pending:
            # A reply without an id means that a request was too long to be read. That must be the largest request.
            id = max(list(self.pending.items()), key=lambda one: one[1].size)[0]
        waiter = self.pending.pop(id, None) if isinstance(id, int) else None
        if waiter is None:
            if id == HANDSHAKE:
                self.handle_handshake(message.get("result"))
            return  # The caller no longer waits.
        self._answered = True
        error = message.get("error")
        if error is None:
            waiter.finish(message.get("result"), None)
        else:
            waiter.finish(None, from_wire(error))

    def handle_handshake(self, result: Any) -> None:
        """Stores the capabilities from the result of `initialize`. `result` is None if `initialize` failed."""
        self.resources = _names(result, "resources")
        self.local_methods = frozenset(_names(result, "localMethods"))

    def is_local(self, method: str, params: Optional[Mapping[str, Any]]) -> bool:
        """Whether the server answers this call without a request to an API. The server never refuses such a call as
        `busy`. False before the reply to the handshake, except for calls with the cache policy `localOnly`."""
        _, slash, verb = method.rpartition("/")
        if method in self.local_methods or f"*{slash}{verb}" in self.local_methods:
            return True
        return (params or {}).get("cachePolicy") == "localOnly"

    def _tell(self, method: str, params: Mapping[str, Any]) -> None:
        name = params.get("token" if method == "$/progress" else "observer")
        listener = self.listeners.get(name) if isinstance(name, str) else None
        if listener:
            listener.notify(params.get("value") or {} if method == "$/progress" else params)

    def abort(self, reason: str) -> None:
        """Kills the process because the connection is unusable. After several calls, the session reports the reason of
        the first call."""
        self._abort_reason = self._abort_reason or reason
        self.process.kill()

    def end(self) -> None:
        """Waits for the exit of the process, and fails all pending requests and listeners."""
        if not self.ended:
            code = self.process.wait(self.exit_timeout)
            self.process.close_input()
            self.process.abandon.detach()
            reason = f": {self._abort_reason}" if self._abort_reason else ""
            self.ended = f"the larder process exited with code {code}{reason}"
        left = [*self.pending.values(), *self.listeners.values()]
        self.pending.clear()
        self.listeners.clear()
        for waiter in left:
            waiter.finish(None, ProcessEnded(self.ended))

    def unobserve(self, dropped: Sequence["DroppedObserver"], ids: Iterator[int]) -> bytes:
        """Returns the `unobserve` requests for the dropped observers of this session. No caller awaits the replies."""
        own = [observer for observer in dropped if observer.session is self and observer.name in self.listeners]
        for observer in own:
            self.listeners.pop(observer.name, None)
        return b"".join(wire.request(next(ids), observer.method, {"observer": observer.name}) for observer in own)

    @property
    def is_restartable(self) -> bool:
        """Whether the client may start a new process. True after a crash or `abort`. False after `close()`, if the
        process refused its options or wrote an invalid message, or if a restarted process never replied."""
        if self.closing or self._wrote_invalid_output:
            return False
        return self._answered or (self._first and (self.process.code or 0) < 0)

    def closed(self) -> LarderClosed:
        # After `close()` the error states only that the client is closed; `close()` itself returns the exit code.
        reason = None if self.closing else self.ended
        return LarderClosed(reason or CLOSED, self.process.last_log_lines, self.process.code)


def _names(result: Any, kind: str) -> List[str]:
    capabilities = result.get("capabilities") if isinstance(result, dict) else None
    names = capabilities.get(kind) if isinstance(capabilities, dict) else None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


class DroppedObserver:
    """The record of an observer that was dropped without `close()`. The garbage collector only puts the record into a
    queue. The next request of the client also sends the `unobserve` request."""

    def __init__(self, resource: str) -> None:
        self.method = f"{resource}/unobserve"
        self.session: Optional[Session] = None
        self.name = ""


def drain(dropped: Deque[DroppedObserver]) -> List[DroppedObserver]:
    taken: List[DroppedObserver] = []
    try:
        while True:
            taken.append(dropped.popleft())
    except IndexError:
        return taken


def request_limit(args: Sequence[str], asked: Optional[int] = None) -> int:
    """Returns the maximum number of requests in flight: `asked`, or a default at which the server never answers `busy`.
    Raises `ValueError` if `asked` is less than one, because every call would wait forever."""
    if asked is not None:
        if not asked >= 1:
            raise ValueError(f"max_in_flight must be at least 1, not {asked!r}")
        return asked
    text = " ".join(args)
    found = re.findall(r"--max-in-flight[ =](\d+)", text)
    limit = int(found[-1]) if found else _SERVER_LIMIT
    return max(1, limit - min(_RESERVED, limit // 8))
