"""A blocking call of one thread and its result."""

import threading
from collections import deque
from threading import get_ident
from typing import TYPE_CHECKING, Any, Deque, Mapping, Optional

from .errors import LarderError
from .session import ProcessEnded, Waiter

_MAX_EVENTS = 1000  # unread events of one caller; the oldest events are dropped

if TYPE_CHECKING:
    State = threading.RLock
else:
    State = Any


class Caller(Waiter):
    """A blocking call that waits for a reply or events. Its fields change only under the client's `_state` lock."""

    # Class-level defaults keep the constructor cheap: every blocking call makes one of these objects.
    done, parked = False, False
    result: Any = None
    error: Optional[LarderError] = None
    events: Deque[Mapping[str, Any]] = deque([], 0)
    wakeup: threading.Lock  # set by `park`; released to wake the thread for a reply, an event or the leader's role

    def __init__(self, state: State) -> None:
        self._state, self.thread = state, get_ident()

    @property
    def ready(self) -> bool:
        return self.done or bool(self.events)

    def finish(self, result: Any, error: Optional[LarderError]) -> None:
        with self._state:
            self.result, self.error, self.done = result, error, True
            self.wake()

    def notify(self, event: Mapping[str, Any]) -> None:
        with self._state:
            if not self.events:
                self.events = deque([], _MAX_EVENTS)
            self.events.append(event)
            self.wake()

    def park(self) -> None:
        self.wakeup = threading.Lock()
        self.wakeup.acquire()
        self.parked = True

    def detach_after_fork(self, state: State) -> None:
        self._state, self.events = state, deque([], 0)
        self.finish(None, ProcessEnded("the larder process belongs to the parent process"))

    def wake(self) -> None:
        if self.parked:
            self.parked = False
            self.wakeup.release()
