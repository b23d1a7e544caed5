"""One exception class for each kind of error; all are below `LarderError`."""

from typing import Any, Dict, Mapping, Optional, Type


class LarderError(Exception):
    """An answer that is an error, or no answer at all.

    `code` is the JSON-RPC code (None when the error arose in this client), `kind` names Larder's own errors, and
    `data` tells more: api, resource, url, attempts, status.
    """

    def __init__(
        self,
        message: str,
        code: Optional[int] = None,
        kind: Optional[str] = None,
        data: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.kind = kind
        self.data: Dict[str, Any] = dict(data or {})

    @property
    def retry_after(self) -> Optional[float]:
        """After how many seconds to try again, where the API or the catalog's limit tells it."""
        return self.data.get("retryAfter")

    @property
    def api_message(self) -> Optional[str]:
        """The API's own words, where it had some."""
        return self.data.get("apiMessage")

    def __str__(self) -> str:
        return self.message if self.code is None else f"{self.message} ({self.kind or self.code})"


class BinaryNotFound(LarderError):
    """There is no larder program to start."""


class LarderClosed(LarderError):
    """The process has ended. `stderr` holds the last lines that it wrote, `exit_code` its code where known."""

    def __init__(self, message: str, stderr: str = "", exit_code: Optional[int] = None) -> None:
        super().__init__(f"{message}\n{stderr}".rstrip())
        self.stderr = stderr
        self.exit_code = exit_code


class NoReply(LarderError):
    """This client's own `timeout` passed before the reply came. The request was withdrawn."""


class ParseError(LarderError):
    """-32700: the server could not read a message."""


class InvalidMessage(LarderError):
    """-32600: not a request, too long a message, or a request after `shutdown`."""


class MethodNotFound(LarderError):
    """-32601: no such method, and so maybe no such resource in the catalog."""


class InvalidParams(LarderError):
    """-32602: the message names the parameter and what was expected."""


class InternalError(LarderError):
    """-32603: a fault of the server."""


class Cancelled(LarderError):
    """-32800: the request was cancelled."""


class InvalidRequest(LarderError):
    """The request cannot be built, or the API says that it is wrong (400, 422)."""


class InvalidResponse(LarderError):
    """The API's answer is empty, or a GraphQL answer with errors or without data."""


class NotFound(LarderError):
    """There is no such thing, or no such page."""


class ServerError(LarderError):
    """The API answered with a status that means failure; `status` has it."""

    @property
    def status(self) -> Optional[int]:
        return self.data.get("status")


class DecodingFailed(LarderError):
    """The body does not have the declared shape; `path` says where."""

    @property
    def path(self) -> Optional[str]:
        return self.data.get("path")


class Unauthorized(LarderError):
    """The API wants other credentials (401, 403)."""


class RateLimited(LarderError):
    """Too many requests; `retry_after` is in seconds where the API tells it."""


class Network(LarderError):
    """The API cannot be reached, or the connection broke."""


class Timeout(LarderError):
    """The API did not answer in time."""


class NotCached(LarderError):
    """Only the cache was asked, and it does not have it."""


class Busy(LarderError):
    """Too many requests are in flight already."""


class TooLarge(LarderError):
    """The API's body is larger than the catalog allows."""


_BY_KIND: Dict[str, Type[LarderError]] = {
    "invalidRequest": InvalidRequest,
    "invalidResponse": InvalidResponse,
    "notFound": NotFound,
    "serverError": ServerError,
    "decodingFailed": DecodingFailed,
    "unauthorized": Unauthorized,
    "rateLimited": RateLimited,
    "network": Network,
    "timeout": Timeout,
    "notCached": NotCached,
    "busy": Busy,
    "tooLarge": TooLarge,
}

_BY_CODE: Dict[int, Type[LarderError]] = {
    -32700: ParseError,
    -32600: InvalidMessage,
    -32601: MethodNotFound,
    -32602: InvalidParams,
    -32603: InternalError,
    -32800: Cancelled,
    -31001: InvalidRequest,
    -31002: InvalidResponse,
    -31003: NotFound,
    -31004: ServerError,
    -31005: DecodingFailed,
    -31006: Unauthorized,
    -31007: RateLimited,
    -31008: Network,
    -31009: Timeout,
    -31010: NotCached,
    -31011: Busy,
    -31012: TooLarge,
}


def from_wire(error: Mapping[str, Any]) -> LarderError:
    """The exception for a JSON-RPC error object. One of a newer server's kinds becomes a plain `LarderError`."""
    code, data = int(error["code"]), error.get("data")
    data = data if isinstance(data, dict) else {}
    kind = data.get("kind")
    found = _BY_KIND.get(kind) if isinstance(kind, str) else None
    found = found or _BY_CODE.get(code, LarderError)
    return found(str(error.get("message", "")), code, kind, data)
