"""The groups of methods of `AsyncLarder`: resources, recent searches, the cache."""

from typing import TYPE_CHECKING, Any, Callable, Coroutine, Mapping, Optional, TypeVar

from ..calls import CacheCalls, Call, Calls, RecentsCalls, Result
from ..core import verbs
from ..core.groups import Group, ResourceGroup, adopts
from ..core.pagination import Pagination
from ..core.subscription import Subscription
from ..results import Item
from .iterators import AsyncObservation, AsyncPages

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    from .client import AsyncLarder

    P = ParamSpec("P")

C = TypeVar("C")
T = TypeVar("T")


def asked(
    verb: "Callable[Concatenate[C, P], Call[Result]]",
) -> "Callable[Concatenate[Group[AsyncLarder, C], P], Coroutine[Any, Any, Result]]":
    """A method that awaits a call and returns its result."""

    @adopts(verb)
    async def method(self: "Group[AsyncLarder, C]", /, *args: "P.args", **kwargs: "P.kwargs") -> Result:
        return await self._larder._run(verb(self._calls, *args, **kwargs))

    return method


def paged(
    verb: "Callable[Concatenate[C, P], Pagination[T]]",
) -> "Callable[Concatenate[Group[AsyncLarder, C], P], AsyncPages[T]]":
    """A method that returns the pages of a list."""

    @adopts(verb)
    def method(self: "Group[AsyncLarder, C]", /, *args: "P.args", **kwargs: "P.kwargs") -> AsyncPages[T]:
        return AsyncPages(self._larder, verb(self._calls, *args, **kwargs))

    return method


def observed(
    verb: "Callable[Concatenate[C, P], Subscription[T]]",
) -> "Callable[Concatenate[Group[AsyncLarder, C], P], AsyncObservation[T]]":
    """A method that observes an item or a page."""

    @adopts(verb)
    def method(self: "Group[AsyncLarder, C]", /, *args: "P.args", **kwargs: "P.kwargs") -> AsyncObservation[T]:
        return AsyncObservation(self._larder, verb(self._calls, *args, **kwargs))

    return method


class AsyncResourceOf(ResourceGroup["AsyncLarder", T]):
    """A resource whose items are of one type. The clients that `python -m larder.models` makes are built on it."""

    get = asked(verbs.typed_get)
    get_many = asked(verbs.typed_get_many)
    search = asked(verbs.typed_search)
    explain = asked(verbs.typed_explain)

    _list = asked(verbs.list_page)
    _pages = paged(verbs.list_pages)
    _prefetch = asked(verbs.prefetch_list)
    _observe = observed(verbs.observe_any)


class AsyncResource(AsyncResourceOf[Item]):
    """A resource of the catalog, as `larder.character`. Every method that makes a request takes a `timeout` in seconds
    for it alone; `fields` picks the fields that items have, as `["name", "origin.name"]`."""

    get = asked(verbs.get)
    get_many = asked(verbs.get_many)
    list = asked(verbs.list_)
    pages = paged(verbs.pages)
    search = asked(verbs.search)
    prefetch = asked(verbs.prefetch)
    observe = observed(verbs.observe)
    explain = asked(verbs.explain)

    def __init__(self, larder: "AsyncLarder", name: str, scope: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(larder, Calls(name, scope))

    def at(self, /, **scope: Any) -> "AsyncResource":
        """The same resource below these parents, as `larder.issue.at(owner="apple", repo="swift")`."""
        return AsyncResource(self._larder, self.name, {**self._calls.scope, **scope})


class AsyncRecents(Group["AsyncLarder", RecentsCalls]):
    """Recent searches: newest first, without duplicates, at most five for each scope. Each method returns the list."""

    add = asked(RecentsCalls.add)
    remove = asked(RecentsCalls.remove)
    clear = asked(RecentsCalls.clear)
    list = asked(RecentsCalls.list)

    def __init__(self, larder: "AsyncLarder") -> None:
        super().__init__(larder, RecentsCalls())


class AsyncCache(Group["AsyncLarder", CacheCalls]):
    """The cache below all resources."""

    stats = asked(CacheCalls.stats)
    invalidate = asked(CacheCalls.invalidate)
    remove = asked(CacheCalls.remove)

    def __init__(self, larder: "AsyncLarder") -> None:
        super().__init__(larder, CacheCalls())
