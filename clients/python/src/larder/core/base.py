"""The base class of the blocking and the asyncio client."""

import itertools
import os
import weakref
from collections import deque
from typing import Any, Deque, Generic, List, Mapping, Optional, Sequence, Type, TypeVar

from ..process import Binary, Log, Settings
from ..session import HANDSHAKE, DroppedObserver, Session, request_limit

S = TypeVar("S", bound=Session)
R = TypeVar("R")


class ClientBase(Generic[S, R]):
    """The settings, the resource names and the process of a client: all that the blocking and the asyncio client have
    in common."""

    _no_process_label: str  # shown by `repr` for a client without a process

    def __init__(
        self,
        args: Sequence[str] = (),
        *,
        binary: Binary = None,
        env: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = 30.0,
        stderr: Log = None,
        max_in_flight: Optional[int] = None,
    ) -> None:
        self.timeout = timeout
        self._settings = Settings(args, binary, env, stderr)
        self._limit = request_limit(self._settings.args, max_in_flight)
        self._ids = itertools.count(HANDSHAKE + 1)
        self._dropped_observers: Deque[DroppedObserver] = deque()
        self._closed = False
        self._channel: Optional[S] = None
        self._prepare()
        _clients.add(self)

    def _prepare(self) -> None:
        """Initializes the attributes of the subclass; called by `__init__`."""
        raise NotImplementedError

    def _current(self) -> S:
        """Returns the channel for the next request. Starts a process at the first call and after a crash."""
        raise NotImplementedError

    def _after_fork(self) -> None:
        """Leaves the larder process to the parent after a fork. The child's next call starts another larder process."""
        raise NotImplementedError

    def resource(self, name: str) -> R:
        """Returns the catalog's resource with the given name."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> R:
        return self.resource(name)

    # Because of `__getitem__`, Python would otherwise iterate over client[0], client[1], ... without an end.
    __iter__, __contains__ = None, None

    def __getattr__(self, name: str) -> R:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.resource(name)

    def __dir__(self) -> List[str]:
        """Returns the members and the resource names, for completion at a prompt. The resource names are known after
        the first reply of the process. No request is sent to get them."""
        channel = getattr(self, "_channel", None)
        names = channel.resources if channel else []
        return sorted({*super().__dir__(), *(name for name in names if name.isidentifier())})

    @property
    def pid(self) -> int:
        """The id of the larder process. Starts a process if none runs."""
        return self._current().process.pid

    def __repr__(self) -> str:
        channel = self._channel
        if channel is None:
            return f"<larder, {self._no_process_label}>"
        return f"<larder process {channel.process.pid}, {'ended' if channel.ended else 'running'}>"


def grace_after(kind: Optional[Type[BaseException]]) -> float:
    """Returns how many seconds the process may take to exit after a `with` block: 1 if the block was interrupted, else
    35."""
    return 1.0 if kind is not None and not issubclass(kind, Exception) else 35.0


_clients: "weakref.WeakSet[ClientBase[Any, Any]]" = weakref.WeakSet()


def _after_fork() -> None:
    for client in list(_clients):
        client._after_fork()


os.register_at_fork(after_in_child=_after_fork)
