"""Base classes of the method groups of both clients."""

import functools
import inspect
from typing import Any, Callable, Generic, TypeVar

from ..calls import Calls

C = TypeVar("C")
L = TypeVar("L")
T = TypeVar("T")
Method = TypeVar("Method", bound=Callable[..., Any])


class Group(Generic[L, C]):
    """A group of a client's methods."""

    def __init__(self, larder: L, calls: C) -> None:
        self._larder, self._calls = larder, calls


class ResourceGroup(Group[L, Calls[T]]):
    """The methods of one resource."""

    @property
    def name(self) -> str:
        return self._calls.name

    def __repr__(self) -> str:
        scope = "".join(f", {name} {value}" for name, value in self._calls.scope.items())
        return f"<larder resource {self.name}{scope}>"


def adopts_signature(verb: Callable[..., Any]) -> Callable[[Method], Method]:
    """Returns a decorator that copies the name, docstring and parameters of `verb` to a client's method."""

    def apply(method: Method) -> Method:
        result = inspect.signature(method).return_annotation
        functools.update_wrapper(method, verb)
        method.__name__ = method.__qualname__ = verb.__name__.strip("_").replace("typed_", "")
        signature = inspect.signature(verb)
        itself, *parameters = signature.parameters.values()
        call = str(signature.return_annotation)
        if call.startswith("Call["):  # A method for a "Call[ItemResult[T]]" returns an ItemResult[T].
            result = call[len("Call[") : -1]
        parameters.insert(0, itself.replace(annotation=inspect.Parameter.empty))
        vars(method)["__signature__"] = signature.replace(parameters=parameters, return_annotation=result)
        return method

    return apply
