"""Messages as bytes: one JSON text a line. Nothing here knows of processes, threads or loops."""

import datetime
import json
import numbers
import operator
from decimal import Decimal
from json.encoder import encode_basestring as _quoted
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union


def _plain(value: Any) -> Any:
    """What JSON says for a value that is none of its own: other kinds of numbers, as those of numpy, and moments."""
    if isinstance(value, datetime.date):  # A datetime is one, too.
        return value.isoformat()
    if hasattr(value, "dtype") and getattr(value, "shape", None) == ():
        return value.item()
    if hasattr(value, "__index__"):
        return operator.index(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"JSON has no word for a {type(value).__name__}")


# Made once: `json.dumps` with options of its own makes an encoder for each call, which takes longer than to encode.
# Texts go out as UTF-8, for then half of a surrogate pair fails here, in the call that has it. Escaped, it would be
# refused by the server, which cannot say whose request it was.
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=False, default=_plain).encode
_decode = json.JSONDecoder().decode


def request(id: int, method: str, params: Optional[Mapping[str, Any]] = None) -> bytes:
    """Raises `TypeError` or `ValueError` where the params are nothing that JSON can say."""
    if not params:
        return f'{{"jsonrpc":"2.0","id":{id},"method":{_quoted(method)}}}\n'.encode()
    named = params if isinstance(params, dict) else dict(params)
    try:
        text = _encode(named)
    except TypeError as error:
        raise _named(error, named) from None
    return f'{{"jsonrpc":"2.0","id":{id},"method":{_quoted(method)},"params":{text}}}\n'.encode()


def _named(error: TypeError, params: Mapping[str, Any]) -> TypeError:
    """The error with the param that has the value at fault."""
    for place, value in _leaves(params, ""):
        try:
            _encode(value)
        except TypeError:
            return TypeError(f"'{place}' is a {type(value).__name__}, for which JSON has no word: {value!r:.100}")
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
    """What a line says; raises `ValueError` where that is no JSON-RPC message."""
    try:
        text = str(line, "utf-8")
        found = _decode(text)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:
        # An integer of more digits than Python reads as one (sys.set_int_max_str_digits).
        found = json.loads(line, parse_int=_integer)
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


def _integer(digits: str) -> Union[int, Decimal]:
    try:
        return int(digits)
    except ValueError:
        return Decimal(digits)


class Lines:
    """Cuts what is read into lines, however it arrives."""

    def __init__(self) -> None:
        self._parts: List[bytes] = []  # of the line that has no end yet

    def feed(self, data: bytes) -> List[bytes]:
        *lines, rest = data.split(b"\n")
        if lines and self._parts:
            self._parts.append(lines[0])
            lines[0] = b"".join(self._parts)
            self._parts.clear()
        if rest:
            self._parts.append(rest)
        return lines
