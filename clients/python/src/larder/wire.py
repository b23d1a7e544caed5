"""Encoding and decoding of JSON-RPC messages: one JSON text per line. Independent of processes, threads and loops."""

import datetime
import json
import numbers
import operator
from decimal import Decimal
from json.encoder import encode_basestring as _quoted
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union


def _plain(value: Any) -> Any:
    """Converts a value of a type that JSON lacks: a date, a time, or a number of a type such as `numpy.int64`."""
    if isinstance(value, datetime.date):  # includes datetime
        return value.isoformat()
    if hasattr(value, "dtype") and getattr(value, "shape", None) == ():
        return value.item()
    if hasattr(value, "__index__"):
        return operator.index(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"JSON cannot represent a {type(value).__name__}")


# One encoder for all calls: `json.dumps` with options makes a new one each time, which takes longer than the encoding.
# Strings are encoded as UTF-8 without escapes, so that a lone surrogate raises an error in the call that has it. The
# server would refuse an escaped lone surrogate without knowing the request.
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=False, default=_plain).encode
_decode = json.JSONDecoder().decode


def request(id: int, method: str, params: Optional[Mapping[str, Any]] = None) -> bytes:
    """Returns the line of a request. Raises `TypeError` or `ValueError` if JSON cannot represent the params."""
    if not params:
        return f'{{"jsonrpc":"2.0","id":{id},"method":{_quoted(method)}}}\n'.encode()
    named = params if isinstance(params, dict) else dict(params)
    try:
        text = _encode(named)
    except TypeError as error:
        raise _named(error, named) from None
    return f'{{"jsonrpc":"2.0","id":{id},"method":{_quoted(method)},"params":{text}}}\n'.encode()


def _named(error: TypeError, params: Mapping[str, Any]) -> TypeError:
    """Returns an error that names the param whose value JSON cannot represent."""
    for place, value in _leaves(params, ""):
        try:
            _encode(value)
        except TypeError:
            return TypeError(f"'{place}' is a {type(value).__name__}, which JSON cannot represent: {value!r:.100}")
        except ValueError:
            pass
    return error


def _leaves(value: Any, place: str) -> Iterator[Tuple[str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{place}.{name}" if place else str(name))
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{place}[{index}]")
    else:
        yield place, value


def cancellation(id: int) -> bytes:
    return b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}\n' % id


def message(line: bytes) -> Dict[str, Any]:
    """Parses a line as a JSON-RPC message. Raises `ValueError` if the line is not a JSON object."""
    try:
        text = str(line, "utf-8")
        found = _decode(text)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:
        # The line has an integer with more digits than Python's limit (sys.set_int_max_str_digits).
        found = json.loads(line, parse_int=_integer)
    if not isinstance(found, dict):
        raise ValueError("not a JSON object")
    return found


def _integer(digits: str) -> Union[int, Decimal]:
    try:
        return int(digits)
    except ValueError:
        return Decimal(digits)


class Lines:
    """Splits received data into lines, which may span several chunks."""

    def __init__(self) -> None:
        self._parts: List[bytes] = []  # the parts of the last, incomplete line

    def feed(self, data: bytes) -> List[bytes]:
        *lines, rest = data.split(b"\n")
        if lines and self._parts:
            self._parts.append(lines[0])
            lines[0] = b"".join(self._parts)
            self._parts.clear()
        if rest:
            self._parts.append(rest)
        return lines
