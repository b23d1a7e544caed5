"""Pagination through a list."""

from typing import Callable, Generic, Optional, TypeVar

from ..calls import Call
from ..results import ListResult, PageToken

T = TypeVar("T")


class Pagination(Generic[T]):
    """The position of a loop in the pages of a list. A page token that was used before ends the pagination, because
    some APIs repeat tokens forever."""

    def __init__(
        self, start: Optional[PageToken], call: Callable[[Optional[PageToken]], "Call[ListResult[T]]"]
    ) -> None:
        self._start, self._call, self._next = start, call, start
        self._seen = set() if start is None else {start}
        self._done = False

    def from_start(self) -> "Pagination[T]":
        """Returns a new pagination that starts at the same page as this one."""
        return Pagination(self._start, self._call)

    @property
    def next(self) -> "Optional[Call[ListResult[T]]]":
        """The call for the next page; None after the last page."""
        return None if self._done else self._call(self._next)

    def note(self, result: ListResult[T]) -> ListResult[T]:
        """Moves the position to the page after the given result. Returns the result."""
        self._next = result.page.next
        self._done = self._next is None or self._next in self._seen
        if self._next is not None:
            self._seen.add(self._next)
        return result
