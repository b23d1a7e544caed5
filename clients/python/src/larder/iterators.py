"""What threads walk over: the pages of a list, the changes of what is observed."""

import itertools
import time
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar

from .calls import Call, Calls
from .errors import LarderError, NoReply
from .process import moment
from .results import Change, ListResult, PageToken
from .session import Abandoned

if TYPE_CHECKING:
    from .client import Larder

T = TypeVar("T")
Subscription = Callable[[str], "Call[Callable[[Mapping[str, Any]], Change[T]]]"]

_names = itertools.count(1)


def new_name() -> str:
    return f"observer {next(_names)}"


class Pages(Generic[T]):
    """The pages of a list from one on, each fetched when the loop comes to it. A page that was there already ends the
    loop: some APIs' cursors go round in a circle. A loop goes on where the last one was left, also after an error;
    `all()` and `records()` begin anew, each time."""

    def __init__(self, start: Optional[PageToken], fetch: Callable[[Optional[PageToken]], ListResult[T]]) -> None:
        self._fetch, self._start, self._next = fetch, start, start
        self._seen = set() if start is None else {start}
        self._done = False

    def __iter__(self) -> "Pages[T]":
        return self

    def __next__(self) -> ListResult[T]:
        if self._done:
            raise StopIteration
        result = self._fetch(self._next)
        self._next = result.page.next
        self._done = self._next is None or self._next in self._seen
        if self._next is not None:
            self._seen.add(self._next)
        return result

    def items(self) -> Iterator[T]:
        """The items of the pages that a loop would come to, one after the other."""
        for page in self:
            yield from page.items

    def all(self) -> List[T]:
        """The items of all pages."""
        return [item for page in Pages(self._start, self._fetch) for item in page.items]

    def records(self) -> List[Dict[str, Any]]:
        """All items as flat dictionaries, as `pandas.DataFrame` takes them."""
        return [record for page in Pages(self._start, self._fetch) for record in page.records()]


class Observation(Generic[T]):
    """An iterator over changes, which begins with the next one. Leave its `with` block, or `close()` it, to end it.
    After a crash of the process it goes on with the next one, and does not tell what changed between the two. So it
    does after a fork, in the child. One that is dropped ends with the next request."""

    def __init__(self, larder: "Larder", calls: "Calls[Any]", subscription: "Subscription[T]") -> None:
        self._larder, self._calls, self._subscription = larder, calls, subscription
        self._closed = False
        self._mark = Abandoned(calls.name)
        self._dropped = weakref.finalize(self, larder._abandoned.append, self._mark)
        self._begin()

    def _begin(self) -> None:
        # Under a new name each time: after a crash in the middle of this, the next process may know the last one.
        self._name = new_name()
        self._watch = self._larder._watch(self._name)
        self._mark.session, self._mark.name = self._watch.channel, self._name
        try:
            self._shape = self._larder._run(self._subscription(self._name))
        except BaseException:
            self._larder._unwatch(self._watch, self._name)
            raise

    def next(self, timeout: Optional[float] = None) -> Change[T]:
        """The next change; raises `NoReply` where none came within `timeout` seconds."""
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
        if self._closed:
            return
        self._closed = True
        self._dropped.detach()
        if self._watch.caller.done:
            return  # Its process has ended, or is that of the parent from which this one was forked.
        self._larder._unwatch(self._watch, self._name)
        try:
            self._larder._run(self._calls.unobserve(self._name))
        except LarderError:
            pass  # The process has ended, and the observer with it; or the catalog has no such thing any more.

    def __enter__(self) -> "Observation[T]":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
