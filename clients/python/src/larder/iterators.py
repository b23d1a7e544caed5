"""The blocking iterators: pages of a list, and changes of an observed item or page."""

import time
from typing import TYPE_CHECKING, Any, Dict, Generic, Iterator, List, Optional, TypeVar

from .core.pagination import Pagination
from .core.subscription import ObservationBase, Subscription
from .errors import LarderError, NoReply
from .process import deadline_after
from .results import Change, ListResult

if TYPE_CHECKING:
    from .client import Larder

T = TypeVar("T")


class Pages(Generic[T]):
    """An iterator over the pages of a list. Each page is fetched when the loop reaches it.

    A page token that was used before ends the loop, because some APIs repeat tokens forever. A second loop continues
    after the last fetched page, even after an error. `all()` and `records()` always start at the first page."""

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
        """Iterates over the items of all remaining pages."""
        for page in self:
            yield from page.items

    def all(self) -> List[T]:
        """Returns the items of all pages, from the first page on."""
        return [item for page in self._from_start() for item in page.items]

    def records(self) -> List[Dict[str, Any]]:
        """Returns the items of all pages as flat dictionaries, for example for `pandas.DataFrame`."""
        return [record for page in self._from_start() for record in page.records()]

    def _from_start(self) -> "Pages[T]":
        return Pages(self._larder, self._pagination.from_start())


class Observation(ObservationBase["Larder", T]):
    """An iterator over the changes of an item or page since the creation of the iterator. The observation ends at
    `close()` or at the end of the `with` block.

    After a crash of the process, or in a forked child, the observation continues with a new process. Changes in the
    meantime are not reported. If you drop an observation without `close()`, the client's next request ends it."""

    def __init__(self, larder: "Larder", subscription: Subscription[T]) -> None:
        super().__init__(larder, subscription)
        self._begin()

    def _begin(self) -> None:
        self._watch = self._larder._watch(self._new_name())
        self._attach_to(self._watch.channel)
        try:
            self._shape = self._larder._run(self._subscription.start(self._name))
        except BaseException:
            self._larder._unwatch(self._watch, self._name)
            raise

    def next(self, timeout: Optional[float] = None) -> Change[T]:
        """Returns the next change. Raises `NoReply` if there is no change within `timeout` seconds."""
        deadline = deadline_after(timeout)
        while not self._closed:
            event = self._larder._next_event(self._watch, deadline)
            if event is not None:
                return self._shape(event)
            if self._watch.caller.done and not self._closed:
                self._begin()  # The process crashed, so a new process observes.
            elif deadline is not None and time.monotonic() >= deadline:
                raise NoReply(f"no change within {timeout:g} seconds")
        raise StopIteration

    def __iter__(self) -> "Observation[T]":
        return self

    def __next__(self) -> Change[T]:
        return self.next()

    def close(self) -> None:
        if not self._mark_closed() or self._watch.caller.done:
            return  # If `done` is set, the process has exited or belongs to the parent of this forked process.
        self._larder._unwatch(self._watch, self._name)
        try:
            self._larder._run(self._subscription.end(self._name))
        except LarderError:
            pass  # The process has exited, or its reloaded catalog lacks the resource.

    def __enter__(self) -> "Observation[T]":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
