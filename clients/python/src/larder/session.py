"""The core below both clients: who waits for what from one process, and what became of it."""

import os
import re
from typing import Any, Deque, Dict, FrozenSet, Iterator, List, Mapping, Optional, Sequence

from . import wire
from .errors import LarderClosed, LarderError, from_wire
from .process import Process, Settings

HANDSHAKE = 0  # the id of the request that says whose child the process is; nobody waits for its reply

# What the server admits if it is not told otherwise, and how many of these we leave: to calls that were cancelled, and
# end there a moment later.
_ADMITTED = 1024
_SPARE = 24


class Waiter:
    """Somebody who waits: for one reply, for the progress before it, or for the changes of what is observed."""

    size = 0  # of the request, in bytes

    def finish(self, result: Any, error: Optional[LarderError]) -> None:
        raise NotImplementedError

    def tell(self, event: Mapping[str, Any]) -> None:
        raise NotImplementedError


class ProcessEnded(LarderError):
    """Inside alone: the process is gone that was asked. The request may be tried with its successor."""


class Session:
    """One process from its start to its end, with those who wait for it."""

    def __init__(self, settings: Settings, first: bool) -> None:
        self.process = Process(settings)
        self.pending: Dict[int, Waiter] = {}
        self.listeners: Dict[str, Waiter] = {}  # by the token of their progress or the name of their observer
        # From the reply to the handshake, once it was read: the names of resources, and of methods that ask no API.
        self.resources: List[str] = []
        self.local_methods: FrozenSet[str] = frozenset()
        self.ended: Optional[str] = None  # how the process ended, once it has
        self.closing = False
        self.patience = 2.0  # seconds between its last reply and its end
        self._lines = wire.Lines()
        self._first, self._answered, self._babbles, self._broken = first, False, False, ""

    @staticmethod
    def handshake() -> bytes:
        # A parent that is killed may leave behind children of its own that hold the pipe open.
        return wire.request(HANDSHAKE, "initialize", {"processId": os.getpid()})

    def accept(self, lines: Sequence[bytes]) -> None:
        """Takes what was read. Raises nothing: a process that writes what is no message is ended."""
        try:
            for line in lines:
                if line:
                    self._take(wire.message(line))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            # Nothing can be matched any more, so nobody may wait on.
            self._babbles = True
            self.give_up(f"wrote what is no reply ({error}), and was ended")

    def _take(self, message: Dict[str, Any]) -> None:
        if "method" in message:
            self._tell(message["method"], message.get("params") or {})
            return
        id = message.get("id")
        if id is None and self.pending:
            # The server could not see the id, which happens to a message longer than it takes: the longest one.
            id = max(list(self.pending.items()), key=lambda one: one[1].size)[0]
        waiter = self.pending.pop(id, None) if isinstance(id, int) else None
        if waiter is None:
            if id == HANDSHAKE:
                self.greet(message.get("result"))
            return  # Its caller has gone.
        self._answered = True
        error = message.get("error")
        if error is None:
            waiter.finish(message.get("result"), None)
        else:
            waiter.finish(None, from_wire(error))

    def greet(self, greeting: Any) -> None:
        """Takes the result of the handshake; None if there was none."""
        self.resources = _names(greeting, "resources")
        self.local_methods = frozenset(_names(greeting, "localMethods"))

    def is_local(self, method: str, params: Optional[Mapping[str, Any]]) -> bool:
        """Whether the server answers without an API, and so is never too busy for it. Before the reply to the
        handshake no method is known to be local."""
        _, slash, verb = method.rpartition("/")
        if method in self.local_methods or f"*{slash}{verb}" in self.local_methods:
            return True
        return (params or {}).get("cachePolicy") == "localOnly"

    def _tell(self, method: str, params: Mapping[str, Any]) -> None:
        name = params.get("token" if method == "$/progress" else "observer")
        listener = self.listeners.get(name) if isinstance(name, str) else None
        if listener:
            listener.tell(params.get("value") or {} if method == "$/progress" else params)

    def give_up(self, why: str) -> None:
        """The process can no longer be talked to."""
        self._broken = self._broken or why
        self.process.kill()

    def end(self) -> None:
        """After the last reply: learns how the process ended, and tells everybody who waits."""
        if not self.ended:
            code = self.process.wait(self.patience)
            self.process.close_input()
            self.process.abandon.detach()
            self.ended = f"the larder process {self._broken or 'ended'} with code {code}"
        left = [*self.pending.values(), *self.listeners.values()]
        self.pending.clear()
        self.listeners.clear()
        for waiter in left:
            waiter.finish(None, ProcessEnded(self.ended))

    def unobserve(self, abandoned: Sequence["Abandoned"], ids: Iterator[int]) -> bytes:
        """Requests that end those of this process. Nobody awaits their replies."""
        there = [one for one in abandoned if one.session is self and one.name in self.listeners]
        for one in there:
            self.listeners.pop(one.name, None)
        return b"".join(wire.request(next(ids), one.method, {"observer": one.name}) for one in there)

    @property
    def may_be_replaced(self) -> bool:
        """A process that crashed, or that this client itself had to end, is started again, but not one that refuses its
        options, that writes what is no reply, or that crashes again before it has answered anything."""
        if self.closing or self._babbles:
            return False
        return self._answered or (self._first and (self.process.code or 0) < 0)

    def closed(self) -> LarderClosed:
        # Who has closed it wants to hear of that: how the process ended is `close()`'s to say.
        why = None if self.closing else self.ended
        return LarderClosed(why or "this larder is closed", self.process.last_words, self.process.code)


def _names(greeting: Any, kind: str) -> List[str]:
    capabilities = greeting.get("capabilities") if isinstance(greeting, dict) else None
    names = capabilities.get(kind) if isinstance(capabilities, dict) else None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


class Abandoned:
    """What is to be ended of an observer that is dropped without `close()`. The garbage collector comes in the midst of
    anything: it notes this alone, and the next request takes it along."""

    def __init__(self, resource: str) -> None:
        self.method = f"{resource}/unobserve"
        self.session: Optional[Session] = None
        self.name = ""


def take_all(abandoned: Deque[Abandoned]) -> List[Abandoned]:
    taken: List[Abandoned] = []
    try:
        while True:
            taken.append(abandoned.popleft())
    except IndexError:
        return taken


def admitted(args: Sequence[str], asked: Optional[int] = None) -> int:
    """How many requests may be with the server at once: what was asked for, else so many that it refuses none of them
    as `busy`. Raises `ValueError` for fewer than one: every call would wait for ever."""
    if asked is not None:
        if not asked >= 1:
            raise ValueError(f"max_in_flight is at least 1, not {asked!r}")
        return asked
    text = " ".join(args)
    found = re.findall(r"--max-in-flight[ =](\d+)", text)
    limit = int(found[-1]) if found else _ADMITTED
    return max(1, limit - min(_SPARE, limit // 8))
