"""The blocking client: one larder process, any number of threads that ask it."""

import threading
import time
from types import TracebackType
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Type

from . import wire
from .caller import Caller
from .calls import Call, Result
from .channel import Channel
from .core.base import ClientBase, grace_after
from .errors import LarderClosed, LarderError, NoReply
from .process import moment
from .resources import Cache, Recents, Resource
from .session import ProcessEnded


class _Watch(NamedTuple):
    channel: Channel
    caller: Caller


class Larder(ClientBase[Channel, Resource]):
    """Starts `larder` as a child process and asks it.

    args           command-line arguments for the process, as ["--catalog", "api.jsonc"]
    binary         the program; else the environment variable LARDER_BIN, else the one that came with this package in
                   a wheel, else `larder` on PATH
    env            variables for the process, over those of this process
    timeout        seconds to wait for a reply before `NoReply` is raised; None waits for ever
    stderr         where the process's log lines go: None for this process's `sys.stderr`, a text file, or
                   `subprocess.DEVNULL`. They are read at once in any case, so the process never waits for it.
    max_in_flight  how many requests are sent before the first of them is answered; others wait here. The default is a
                   little less than what the process takes.

    Several threads may call at once. Resources are attributes: `larder.character.get(1)`; one whose name is taken by
    something else here is `larder["status"]`.
    """

    _absence = "not started in this process"

    def _prepare(self) -> None:
        self.recents = Recents(self)
        self.cache = Cache(self)
        self._make_locks()
        self._current()

    def _make_locks(self) -> None:
        # A signal handler may call while this very thread holds one of them.
        self._state = threading.RLock()
        self._starting = threading.RLock()
        self._room = threading.Condition(self._state)
        self._waiting_for_room = 0

    # Asking

    def call(self, method: str, /, **params: Any) -> Any:
        """The result of any method, as the wire has it; raises the error's exception."""
        return self.request(method, params)

    def request(
        self,
        method: str,
        params: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
        on_event: Optional[Callable[[Mapping[str, Any]], None]] = None,
    ) -> Any:
        """As `call`, with the params as one mapping and a `timeout` (seconds; `math.inf` for none) for this request
        alone. `on_event` is called here with each `$/progress` of the request, which then has a token."""
        try:
            return self._ask(method, params, timeout, on_event)
        except ProcessEnded:
            pass
        # All methods can be asked twice. A second process that ends, too, may do so because of this very request.
        try:
            return self._ask(method, params, timeout, on_event)
        except ProcessEnded:
            channel = self._channel
            raise (channel.closed() if channel else LarderClosed("this larder is closed")) from None

    def _run(self, call: "Call[Result]") -> Result:
        found = self.request(call.method, call.params, timeout=call.timeout, on_event=call.on_event)
        return call.shape(found)

    def resource(self, name: str) -> Resource:
        """The resource of this name in the catalog."""
        return Resource(self, name)

    def status(self) -> Dict[str, Any]:
        """The server's version, catalog and resources, and which of its parts work less well than they should."""
        status: Dict[str, Any] = self.call("server/status")
        return status

    # The end

    def close(self, grace: float = 35.0) -> int:
        """Ends the process as it likes to end: no more requests, every reply to those in flight (it takes at most 30
        seconds for them), then its exit. What has not ended after `grace` seconds is killed. Returns the exit code;
        a second call does nothing more."""
        with self._starting:
            self._closed = True
            channel = self._channel
        if channel is None:
            return 0
        deadline = moment(grace)
        channel.leave_calls_below()
        if channel.is_torn:
            # We were called in the midst of what this thread does here, and it cannot go on before we return.
            channel.closing = True
            channel.process.close_input()
            return channel.process.wait(min(grace, 1.0))
        end = Caller(self._state)
        if not channel.writing.acquire(timeout=min(grace, threading.TIMEOUT_MAX)):
            # Somebody has been writing all that time to a process that does not read.
            channel.process.kill()
            channel.writing.acquire()
        try:
            channel.closing = True
            channel.patience = max(grace, 0.1)
            channel.listeners[f"end {id(end)}"] = end
            channel.process.close_input()
        finally:
            channel.writing.release()
        if not channel.ended and not channel.wait(end, deadline):
            channel.process.kill()
            channel.wait(end, time.monotonic() + 1.0)
        if not channel.ended:
            channel.patience = 0.0
            with channel.writing:
                channel.end()
        return channel.process.wait(0.0)

    def __enter__(self) -> "Larder":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close(grace_after(kind))

    # Inside

    def _current(self) -> Channel:
        """The process that is to be asked; a new one where the last one crashed."""
        channel = self._channel
        if channel is not None and not channel.ended and not self._closed:
            return channel
        with self._starting:
            channel = self._channel
            if self._closed:
                raise channel.closed() if channel else LarderClosed("this larder is closed")
            if channel is not None and not channel.ended:
                return channel
            if channel is not None and not channel.may_be_replaced:
                raise channel.closed()
            channel = Channel(self._settings, channel is None, self._room, self._state)
            try:
                channel.write(channel.handshake(), None)
            except ProcessEnded:
                pass  # The first request will tell.
            self._channel = channel
            if self._closed:  # in a signal handler, while it was being started
                channel.process.abandon()
                raise LarderClosed("this larder is closed")
            return channel

    def _ask(
        self,
        method: str,
        params: Optional[Mapping[str, Any]],
        timeout: Optional[float],
        on_event: Optional[Callable[[Mapping[str, Any]], None]],
    ) -> Any:
        channel = self._current()
        channel.refuse_if_torn()
        id = next(self._ids)
        caller = Caller(self._state)
        if on_event is not None:
            token = f"progress {id}"
            params = {**(params or {}), "workDoneToken": token}
        line = wire.request(id, method, params)
        caller.size = len(line)
        deadline = moment(timeout)
        try:
            self._admit(channel, id, caller, method, params, deadline)
            if timeout is None:  # The client's is for what the process does, and not for the wait before that.
                deadline = moment(timeout := self.timeout)
            if on_event is not None:
                channel.listeners[token] = caller
            if self._abandoned:
                channel.end_abandoned(self._abandoned, self._ids, deadline)
            channel.write(line, deadline)
            while True:
                if not channel.wait(caller, deadline):
                    raise NoReply(f"no reply to {method} within {timeout:g} seconds")
                while caller.events:
                    event = caller.events.popleft()
                    if on_event is not None:
                        on_event(event)
                if caller.done and not caller.events:
                    break
        except BaseException as error:
            # The time is over, the user has interrupted it, or its own callback has failed.
            if channel.pending.pop(id, None) and not isinstance(error, ProcessEnded):
                channel.cancel(id)
            raise
        finally:
            if on_event is not None:
                channel.listeners.pop(token, None)
            if self._waiting_for_room:
                with self._state:
                    self._room.notify()
        if caller.error is not None:
            raise caller.error
        return caller.result

    def _admit(
        self,
        channel: Channel,
        id: int,
        caller: Caller,
        method: str,
        params: Optional[Mapping[str, Any]],
        deadline: Optional[float],
    ) -> None:
        def may_go() -> bool:
            return len(channel.pending) < self._limit or channel.is_local(method, params)

        with self._state:
            if len(channel.pending) >= self._limit and not may_go():
                if channel.is_mine:
                    raise LarderError(f"too many requests are in flight to ask {method} where a call was interrupted")
                self._waiting_for_room += 1
                try:
                    # Those who have sent their request read, and say when one is answered.
                    left = None if deadline is None else deadline - time.monotonic()
                    if not self._room.wait_for(lambda: channel.ended or may_go(), left):
                        raise NoReply(f"too many requests are in flight: {method} could not be sent in time")
                finally:
                    self._waiting_for_room -= 1
            channel.pending[id] = caller

    # Observing

    def _watch(self, name: str) -> "_Watch":
        channel = self._current()
        caller = Caller(self._state)
        channel.listeners[name] = caller
        return _Watch(channel, caller)

    def _next_event(self, watch: "_Watch", deadline: Optional[float]) -> Optional[Mapping[str, Any]]:
        """None where the time is over, or the process."""
        if not watch.caller.events:
            watch.channel.refuse_if_torn()
            watch.channel.wait(watch.caller, deadline)
        return watch.caller.events.popleft() if watch.caller.events else None

    def _unwatch(self, watch: "_Watch", name: str) -> None:
        watch.channel.listeners.pop(name, None)
        if not watch.caller.done:
            watch.caller.finish(None, None)

    def _after_fork(self) -> None:
        """The process is our parent's. The next call starts one of this process's own."""
        self._make_locks()
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.disown(self._state)
