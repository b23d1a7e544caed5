"""What both clients have in common."""

import itertools
import os
import weakref
from collections import deque
from typing import Any, Deque, Generic, List, Mapping, Optional, Sequence, Type, TypeVar

from ..process import Binary, Log, Settings
from ..session import HANDSHAKE, Abandoned, Session, admitted

S = TypeVar("S", bound=Session)
R = TypeVar("R")


class ClientBase(Generic[S, R]):
    """A client without its way of waiting: its settings, the names of its resources, its process."""

    _absence: str  # why a client has no process

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
        self._limit = admitted(self._settings.args, max_in_flight)
        self._ids = itertools.count(HANDSHAKE + 1)
        self._abandoned: Deque[Abandoned] = deque()
        self._closed = False
        self._channel: Optional[S] = None
        self._prepare()
        _clients.add(self)

    def _prepare(self) -> None:
        """Makes the rest of a client."""
        raise NotImplementedError

    def _current(self) -> S:
        """The process to ask; a new one at first and after a crash."""
        raise NotImplementedError

    def _after_fork(self) -> None:
        """The process belongs to the parent. The next call starts one of this process's own."""
        raise NotImplementedError

    def resource(self, name: str) -> R:
        """The resource of this name in the catalog."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> R:
        return self.resource(name)

    # With items by name Python would count from 0 on, and never find an end.
    __iter__, __contains__ = None, None

    def __getattr__(self, name: str) -> R:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.resource(name)

    def __dir__(self) -> List[str]:
        """With the names of resources, for completion at a prompt. No request is made: the names are there after the
        first reply of the process."""
        channel = getattr(self, "_channel", None)
        names = channel.resources if channel else []
        return sorted({*super().__dir__(), *(name for name in names if name.isidentifier())})

    @property
    def pid(self) -> int:
        return self._current().process.pid

    def __repr__(self) -> str:
        channel = self._channel
        if channel is None:
            return f"<larder, {self._absence}>"
        return f"<larder process {channel.process.pid}, {'ended' if channel.ended else 'running'}>"


def grace_after(kind: Optional[Type[BaseException]]) -> float:
    """The seconds that the process has at the end of a `with` block: few if the user interrupted the block."""
    return 1.0 if kind is not None and not issubclass(kind, Exception) else 35.0


_clients: "weakref.WeakSet[ClientBase[Any, Any]]" = weakref.WeakSet()


def _after_fork() -> None:
    for client in list(_clients):
        client._after_fork()


os.register_at_fork(after_in_child=_after_fork)
