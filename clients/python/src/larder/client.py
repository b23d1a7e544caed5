"""The blocking client: one larder process, used by any number of threads."""

import threading
import time
from types import TracebackType
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Type, Union

from . import wire
from .caller import Caller
from .calls import Call, Duration, Result
from .channel import Channel
from .core.base import ClientBase, grace_after
from .core.queries import Query, query_call
from .errors import LarderClosed, LarderError, NoReply
from .process import deadline_after
from .resources import Cache, Recents, Resource
from .session import CLOSED, ProcessEnded


_RETRY = "retry after the handler has returned"


class _Watch(NamedTuple):
    channel: Channel
    caller: Caller


class Larder(ClientBase[Channel, Resource]):
    """A blocking client that starts `larder` as a child process.

    args           command-line arguments of the process, for example ["--catalog", "api.jsonc"]
    binary         path of the program; by default the environment variable LARDER_BIN, the program installed by a
                   wheel of this package, or `larder` on PATH
    env            environment variables for the process, in addition to those of this process
    timeout        seconds to wait for a reply before `NoReply` is raised; None means no limit
    stderr         destination of the process's log lines: None for `sys.stderr`, a text file, or
                   `subprocess.DEVNULL`. A slow destination never blocks the process.
    max_in_flight  maximum number of requests in flight; further requests wait in the client. The default is a little
                   below the limit of the process.

    Several threads may call at once. Resources are attributes: `larder.character.get(1)`. A resource whose name the
    client already uses is available in brackets: `larder["status"]`.
    """

    _no_process_label = "not started in this process"

    def _prepare(self) -> None:
        self.recents = Recents(self)
        self.cache = Cache(self)
        self._make_locks()
        self._current()

    def _make_locks(self) -> None:
        # Reentrant, because a signal handler may call the client while its own thread holds a lock.
        self._state = threading.RLock()
        self._starting = threading.RLock()
        self._room = threading.Condition(self._state)
        self._waiting_for_room = 0

    # Requests

    def call(self, method: str, /, **params: Any) -> Any:
        """Calls any JSON-RPC method and returns its result unchanged. Raises `LarderError` for an error reply."""
        return self.request(method, params)

    def request(
        self,
        method: str,
        params: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
        on_event: Optional[Callable[[Mapping[str, Any]], None]] = None,
    ) -> Any:
        """Calls any JSON-RPC method with `params` as one mapping.

        `timeout` is in seconds and for this request only; `math.inf` means no limit. `on_event` is called in this
        thread with each `$/progress` value of the request."""
        try:
            return self._ask(method, params, timeout, on_event)
        except ProcessEnded:
            pass
        # All methods can be repeated. There is no third attempt: this request may have crashed both processes.
        try:
            return self._ask(method, params, timeout, on_event)
        except ProcessEnded:
            channel = self._channel
            raise (channel.closed() if channel else LarderClosed(CLOSED)) from None

    def _run(self, call: "Call[Result]") -> Result:
        found = self.request(call.method, call.params, timeout=call.timeout, on_event=call.on_event)
        return call.shape(found)

    def resource(self, name: str) -> Resource:
        """Returns the catalog's resource with the given name."""
        return Resource(self, name)

    def status(self) -> Dict[str, Any]:
        """Returns the server's version, catalog and resources, and the problems that degrade the server
        (`server/status`)."""
        status: Dict[str, Any] = self.call("server/status")
        return status

    def query(
        self,
        sql: str,
        params: Union[Sequence[Any], Mapping[str, Any], None] = None,
        *,
        max_rows: Optional[int] = None,
        timeout: Optional[float] = None,
        coverage: Optional[str] = None,
        max_age: Optional[Duration] = None,
    ) -> Query:
        """Runs an SQL statement over the cached items, without requests to an API (`cache/query`).

        Each resource is a table. `params` are the values for `?` as a list, or for `:name` as a mapping. `max_rows` is
        1000 by default. `timeout` is the maximum time of the statement in seconds, 5 by default. With
        `coverage="synced"`, `NotSynced` is raised unless each table is a complete local copy; `max_age` also limits the
        age of the copies."""
        return self._run(query_call(sql, params, max_rows, timeout, coverage, max_age))

    # Closing

    def close(self, grace: float = 35.0) -> int:
        """Closes the client: sends no more requests, waits for the replies in flight and for the exit of the process.
        The process waits at most 30 seconds for its requests. It is killed if it has not exited after `grace` seconds.
        Returns the exit code. A second call has no effect."""
        with self._starting:
            self._closed = True
            channel = self._channel
        if channel is None:
            return 0
        deadline = deadline_after(grace)
        channel.abandon_interrupted_calls()
        if channel.is_in_critical_section:
            # A signal handler calls `close` and has interrupted a method of the client, which cannot continue yet.
            channel.closing = True
            channel.process.close_input()
            return channel.process.wait(min(grace, 1.0))
        end = Caller(self._state)
        if not channel.writing.acquire(timeout=min(grace, threading.TIMEOUT_MAX)):
            # Another thread holds the lock: it writes a request that the process does not read.
            channel.process.kill()
            channel.writing.acquire()
        try:
            channel.closing = True
            channel.exit_timeout = max(grace, 0.1)
            channel.listeners[f"end {id(end)}"] = end
            channel.process.close_input()
        finally:
            channel.writing.release()
        if not channel.ended and not channel.wait(end, deadline):
            channel.process.kill()
            channel.wait(end, time.monotonic() + 1.0)
        if not channel.ended:
            channel.exit_timeout = 0.0
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

    # Internals

    def _current(self) -> Channel:
        """Returns the channel for the next request. Starts a new process after a crash."""
        channel = self._channel
        if channel is not None and not channel.ended and not self._closed:
            return channel
        with self._starting:
            channel = self._channel
            if self._closed:
                raise channel.closed() if channel else LarderClosed(CLOSED)
            if channel is not None and not channel.ended:
                return channel
            if channel is not None and not channel.is_restartable:
                raise channel.closed()
            channel = Channel(self._settings, channel is None, self._room, self._state)
            try:
                channel.write(channel.handshake(), None)
            except ProcessEnded:
                pass  # The first request raises the error.
            self._channel = channel
            if self._closed:  # A signal handler closed the client during the start.
                channel.process.abandon()
                raise LarderClosed(CLOSED)
            return channel

    def _ask(
        self,
        method: str,
        params: Optional[Mapping[str, Any]],
        timeout: Optional[float],
        on_event: Optional[Callable[[Mapping[str, Any]], None]],
    ) -> Any:
        channel = self._current()
        channel.refuse_in_critical_section()
        id = next(self._ids)
        caller = Caller(self._state)
        if on_event is not None:
            token = f"progress {id}"
            params = {**(params or {}), "workDoneToken": token}
        line = wire.request(id, method, params)
        caller.size = len(line)
        deadline = deadline_after(timeout)
        try:
            self._admit(channel, id, caller, method, params, deadline)
            if timeout is None:  # The client's timeout starts when the request is sent, not when it was queued.
                deadline = deadline_after(timeout := self.timeout)
            if on_event is not None:
                channel.listeners[token] = caller
            if self._dropped_observers:
                channel.end_dropped(self._dropped_observers, self._ids, deadline)
            channel.write(line, deadline)
            while True:
                if not channel.wait(caller, deadline):
                    raise NoReply(f"no reply to {method} within {timeout:g} seconds; raise the timeout")
                while caller.events:
                    event = caller.events.popleft()
                    if on_event is not None:
                        on_event(event)
                if caller.done and not caller.events:
                    break
        except BaseException as error:
            # The request timed out, the user interrupted it, or its callback raised an error.
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
                if channel.is_led_by_this_thread:
                    raise LarderError(f"{method} refused: a signal handler cannot wait for a free slot; {_RETRY}")
                self._waiting_for_room += 1
                try:
                    # Each thread with a request in flight notifies this condition when its request is done.
                    left = None if deadline is None else deadline - time.monotonic()
                    if not self._room.wait_for(lambda: channel.ended or may_go(), left):
                        raise NoReply(f"{method} timed out before it was sent: too many requests in flight; retry")
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
        """Returns the next event; None if the deadline has passed or the process has exited."""
        if not watch.caller.events:
            watch.channel.refuse_in_critical_section()
            watch.channel.wait(watch.caller, deadline)
        return watch.caller.events.popleft() if watch.caller.events else None

    def _unwatch(self, watch: "_Watch", name: str) -> None:
        watch.channel.listeners.pop(name, None)
        if not watch.caller.done:
            watch.caller.finish(None, None)

    def _after_fork(self) -> None:
        """Leaves the larder process to the parent after a fork. The child's next call starts another larder process."""
        self._make_locks()
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.detach_after_fork(self._state)
