"""The exceptions of the client: one subclass of `LarderError` for each kind of error."""

from typing import Any, Dict, List, Mapping, Optional, Type


class LarderError(Exception):
    """The base class of all errors of the client: error replies, missing replies, and processes that do not start.

    `code` is the JSON-RPC error code; None if the client itself raised the error. `kind` is the name of one of Larder's
    own errors, for example "notFound"; None for an error that JSON-RPC or the client defines. `data` contains details
    such as api, resource, url and status.
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
        """The seconds to wait before a retry; None if neither the API nor the catalog's rate limit sets a wait."""
        return self.data.get("retryAfter")

    @property
    def api_message(self) -> Optional[str]:
        """The error message of the API; None if the API sent no message."""
        return self.data.get("apiMessage")

    def __str__(self) -> str:
        return self.message if self.code is None else f"{self.message} ({self.kind or self.code})"


class BinaryNotFound(LarderError):
    """The larder program was not found or cannot be started."""


class LarderClosed(LarderError):
    """The client is closed, or its process has exited. `stderr` contains the last log lines of the process, and
    `exit_code` its exit code; None if the exit code is unknown."""

    def __init__(self, message: str, stderr: str = "", exit_code: Optional[int] = None) -> None:
        super().__init__(f"{message}\n{stderr}".rstrip())
        self.stderr = stderr
        self.exit_code = exit_code


class NoReply(LarderError):
    """The reply did not arrive within `timeout` seconds. The client has cancelled the request."""


class ParseError(LarderError):
    """-32700: the server could not parse a message."""


class InvalidMessage(LarderError):
    """-32600: the message is not a request, is too long, or came after `shutdown`."""


class MethodNotFound(LarderError):
    """-32601: the method does not exist. Often the catalog does not have the resource that the method names."""


class InvalidParams(LarderError):
    """-32602: a parameter is invalid. The message names the parameter and the expected value."""


class InternalError(LarderError):
    """-32603: an internal error of the server."""


class Cancelled(LarderError):
    """-32800: the request was cancelled."""


class InvalidRequest(LarderError):
    """The request cannot be built, or the API rejected it as invalid (400, 422)."""


class InvalidResponse(LarderError):
    """The API's response is empty, or it is a GraphQL response with errors or without data."""


class NotFound(LarderError):
    """The item or page does not exist."""


class ServerError(LarderError):
    """The API answered with an HTTP error status. `status` is the HTTP status."""

    @property
    def status(self) -> Optional[int]:
        """The HTTP status of the API's response; None if unknown."""
        return self.data.get("status")


class DecodingFailed(LarderError):
    """The response body does not match the catalog. `path` is the path of the field that does not match."""

    @property
    def path(self) -> Optional[str]:
        """The path of the field in the response, for example `results[0].name`; None if unknown."""
        return self.data.get("path")


class Unauthorized(LarderError):
    """The API refused the credentials (401, 403)."""


class RateLimited(LarderError):
    """The API or the catalog's rate limit allows no further request now. `retry_after` is in seconds, or None."""


class Network(LarderError):
    """The API cannot be reached, or the connection broke."""


class Timeout(LarderError):
    """The API did not answer before the request timed out."""


class NotCached(LarderError):
    """The cache policy allows only the cache, and the data is not cached."""


class Busy(LarderError):
    """The server refused the request, because too many requests are in flight. Retry later."""


class TooLarge(LarderError):
    """The response body of the API is larger than the catalog allows."""


class NotReplayed(LarderError):
    """With `--replay`, there is no cassette for the request, or the cassettes are unreadable."""


class NotSynced(LarderError):
    """A query requires complete local copies, and a table is none. `tables` names the tables, and `calls` has the calls
    that make the copies."""

    @property
    def tables(self) -> List[str]:
        """The tables that are no complete local copies."""
        return [*self.data.get("tables", ())]

    @property
    def calls(self) -> List[Dict[str, Any]]:
        """The calls that make the copies: the `method` and the `params` of each call."""
        return [*self.data.get("calls", ())]


class QueryLimit(LarderError):
    """A query exceeded its time or memory. `limit` is "time" or "memory"."""

    @property
    def limit(self) -> Optional[str]:
        """The exceeded limit."""
        return self.data.get("limit")


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
    "notReplayed": NotReplayed,
    "notSynced": NotSynced,
    "queryLimit": QueryLimit,
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
    -31013: NotReplayed,
    -31015: NotSynced,
    -31016: QueryLimit,
}


def from_wire(error: Mapping[str, Any]) -> LarderError:
    """Returns the exception for a JSON-RPC error object: a plain `LarderError` if its kind and code are unknown."""
    code, data = int(error["code"]), error.get("data")
    data = data if isinstance(data, dict) else {}
    kind = data.get("kind")
    found = _BY_KIND.get(kind) if isinstance(kind, str) else None
    found = found or _BY_CODE.get(code, LarderError)
    return found(str(error.get("message", "")), code, kind, data)
