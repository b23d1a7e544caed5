"""Messages as bytes: one JSON text a line. Nothing here knows of processes, threads or loops."""

import json
from decimal import Decimal
from json.encoder import encode_basestring as _quoted
from typing import Any, Dict, List, Mapping, Optional, Union

# Made once: `json.dumps` with options of its own makes an encoder for each call, which takes longer than to encode.
# Texts go out as UTF-8, for then half of a surrogate pair fails here, in the call that has it. Escaped, it would be
# refused by the server, which cannot say whose request it was.
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode
_decode = json.JSONDecoder().decode


def request(id: int, method: str, params: Optional[Mapping[str, Any]] = None) -> bytes:
    """Raises `TypeError` or `ValueError` where the params are nothing that JSON can say."""
    if not params:
        return f'{{"jsonrpc":"2.0","id":{id},"method":{_quoted(method)}}}\n'.encode()
    named = params if isinstance(params, dict) else dict(params)
    return f'{{"jsonrpc":"2.0","id":{id},"method":{_quoted(method)},"params":{_encode(named)}}}\n'.encode()


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
