"""What is observed, and the part of an observation that both clients have in common."""

import itertools
import weakref
from typing import Any, Callable, Generic, Mapping, Optional, TypeVar

from ..calls import Call, Calls
from ..results import Change, Id, PageToken
from ..session import Abandoned, Session

L = TypeVar("L", bound=Any)
T = TypeVar("T")

_numbers = itertools.count(1)


class Subscription(Generic[T]):
    """An item or a page whose changes are observed."""

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
    """The name of an observer, and whether it was closed."""

    def __init__(self, larder: L, subscription: Subscription[T]) -> None:
        self._larder, self._subscription = larder, subscription
        self._name = ""
        self._closed = False
        self._mark = Abandoned(subscription.resource)
        self._dropped = weakref.finalize(self, larder._abandoned.append, self._mark)

    def _rename(self) -> str:
        """A new name for each start: after a crash or a late reply, the process may know the last one."""
        self._name = f"observer {next(_numbers)}"
        return self._name

    def _belongs_to(self, session: Optional[Session]) -> None:
        """An observation that is dropped without `close()` is ended in this session."""
        self._mark.session, self._mark.name = session, self._name

    def _closes(self) -> bool:
        """Whether it was open until now. It is closed afterwards."""
        was_open, self._closed = not self._closed, True
        self._dropped.detach()
        return was_open
