"""The target of an observation, and the base class of the observations of both clients."""

import itertools
import weakref
from typing import Any, Callable, Generic, Mapping, Optional, TypeVar

from ..calls import Call, Calls
from ..results import Change, Id, PageToken
from ..session import DroppedObserver, Session

L = TypeVar("L", bound=Any)
T = TypeVar("T")

_numbers = itertools.count(1)


class Subscription(Generic[T]):
    """The item or page that an observation watches."""

    def __init__(
        self, calls: Calls[T], id: Optional[Id], page: Optional[PageToken], filter: Mapping[str, Any]
    ) -> None:
        self._calls, self._id, self._page, self._filter = calls, id, page, filter

    @property
    def resource(self) -> str:
        return self._calls.name

    def start(self, observer: str) -> "Call[Callable[[Mapping[str, Any]], Change[T]]]":
        return self._calls.observe(self._id, self._page, self._filter, observer)

    def end(self, observer: str) -> "Call[None]":
        return self._calls.unobserve(observer)


class ObservationBase(Generic[L, T]):
    """The part of an observation that the blocking and the asyncio client have in common: its name, and whether it is
    closed."""

    def __init__(self, larder: L, subscription: Subscription[T]) -> None:
        self._larder, self._subscription = larder, subscription
        self._name = ""
        self._closed = False
        self._drop_record = DroppedObserver(subscription.resource)
        self._finalizer = weakref.finalize(self, larder._dropped_observers.append, self._drop_record)

    def _new_name(self) -> str:
        """Returns a new observer name. Each start of the observation needs a new name, because the process may still
        know the previous name."""
        self._name = f"observer {next(_numbers)}"
        return self._name

    def _attach_to(self, session: Optional[Session]) -> None:
        """Records the session that must stop observing if this observation is dropped without `close()`."""
        self._drop_record.session, self._drop_record.name = session, self._name

    def _mark_closed(self) -> bool:
        """Marks the observation as closed. Returns whether it was open before."""
        was_open, self._closed = not self._closed, True
        self._finalizer.detach()
        return was_open
