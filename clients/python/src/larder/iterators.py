"""The iterators of threads: the pages of a list, the changes of what is observed."""

import time
from typing import TYPE_CHECKING, Any, Dict, Generic, Iterator, List, Optional, TypeVar

from .core.pagination import Pagination
from .core.subscription import ObservationBase, Subscription
from .errors import LarderError, NoReply
from .process import moment
from .results import Change, ListResult

if TYPE_CHECKING:
    from .client import Larder

T = TypeVar("T")


class Pages(Generic[T]):
    """The pages of a list from one on, each fetched when the loop comes to it. A page that was there already ends the
    loop: the cursors of some APIs go round in a circle. A loop continues after the last page that was fetched, also
    after an error; `all()` and `records()` start again each time."""

    def __init__(self, larder: "Larder", pagination: Pagination[T]) -> None:
        self._larder, self._pagination = larder, pagination

    def __iter__(self) -> "Pages[T]":
        return self

    def __next__(self) -> ListResult[T]:
        call = self._pagination.next
        if call is None:
            raise StopIteration
        return self._pagination.note(self._larder._run(call))

    def items(self) -> Iterator[T]:
        """The items of the pages that a loop would come to, one after the other."""
        for page in self:
            yield from page.items

    def all(self) -> List[T]:
        """The items of all pages."""
        return [item for page in self._from_start() for item in page.items]

    def records(self) -> List[Dict[str, Any]]:
        """All items as flat dictionaries, as `pandas.DataFrame` takes them."""
        return [record for page in self._from_start() for record in page.records()]

    def _from_start(self) -> "Pages[T]":
        return Pages(self._larder, self._pagination.from_start())


class Observation(ObservationBase["Larder", T]):
    """An iterator over changes, which begins with the next one. Leave its `with` block, or `close()` it, to end it.
    After a crash of the process it continues with the next one; changes between the two are not reported. After a fork
    it does so in the child. One that is dropped ends with the next request."""

    def __init__(self, larder: "Larder", subscription: Subscription[T]) -> None:
        super().__init__(larder, subscription)
        self._begin()

    def _begin(self) -> None:
        self._watch = self._larder._watch(self._rename())
        self._belongs_to(self._watch.channel)
        try:
            self._shape = self._larder._run(self._subscription.start(self._name))
        except BaseException:
            self._larder._unwatch(self._watch, self._name)
            raise

    def next(self, timeout: Optional[float] = None) -> Change[T]:
        """The next change; raises `NoReply` if none came within `timeout` seconds."""
        deadline = moment(timeout)
        while not self._closed:
            event = self._larder._next_event(self._watch, deadline)
            if event is not None:
                return self._shape(event)
            if self._watch.caller.done and not self._closed:
                self._begin()  # Its process crashed.
            elif deadline is not None and time.monotonic() >= deadline:
                raise NoReply(f"no change within {timeout:g} seconds")
        raise StopIteration

    def __iter__(self) -> "Observation[T]":
        return self

    def __next__(self) -> Change[T]:
        return self.next()

    def close(self) -> None:
        if not self._closes() or self._watch.caller.done:
            return  # If it is done, its process has ended, or belongs to the parent from which this one was forked.
        self._larder._unwatch(self._watch, self._name)
        try:
            self._larder._run(self._subscription.end(self._name))
        except LarderError:
            pass  # The process has ended, and the observer with it; or the catalog no longer has the resource.

    def __enter__(self) -> "Observation[T]":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
