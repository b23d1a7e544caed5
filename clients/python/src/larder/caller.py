"""A thread that waits for something from the process."""

import threading
from collections import deque
from threading import get_ident
from typing import TYPE_CHECKING, Any, Deque, Mapping, Optional

from .errors import LarderError
from .session import ProcessEnded, Waiter

_KEPT_EVENTS = 1000  # the newest ones

if TYPE_CHECKING:
    State = threading.RLock
else:
    State = Any


class Caller(Waiter):
    """A thread that waits. What is here changes under the client's `_state` alone."""

    # Most need no more than this: a caller that is alone makes one of these in each call.
    done, parked = False, False
    result: Any = None
    error: Optional[LarderError] = None
    events: Deque[Mapping[str, Any]] = deque([], 0)
    bell: threading.Lock  # free once there is something to see, or to do; there from the first sleep on

    def __init__(self, state: State) -> None:
        self._state, self.thread = state, get_ident()

    @property
    def ready(self) -> bool:
        return self.done or bool(self.events)

    def finish(self, result: Any, error: Optional[LarderError]) -> None:
        with self._state:
            self.result, self.error, self.done = result, error, True
            self.ring()

    def tell(self, event: Mapping[str, Any]) -> None:
        with self._state:
            if not self.events:
                self.events = deque([], _KEPT_EVENTS)
            self.events.append(event)
            self.ring()

    def park(self) -> None:
        self.bell = threading.Lock()
        self.bell.acquire()
        self.parked = True

    def disown(self, state: State) -> None:
        self._state, self.events = state, deque([], 0)
        self.finish(None, ProcessEnded("the process is the parent's"))

    def ring(self) -> None:
        if self.parked:
            self.parked = False
            self.bell.release()
