"""Items as text and HTML: one line, a flat dictionary, or a table for notebooks. Strings from the API are escaped."""

import dataclasses
import json
from html import escape
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Union

_ROWS, _COLUMNS, _WIDTH = 60, 12, 80
_NAMES = ("name", "title", "label", "summary")
_SPANS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


def plain(item: Any) -> Any:
    """Returns a typed item as a dictionary and any other value unchanged."""
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return dataclasses.asdict(item)
    return item


def flat(item: Any) -> Dict[str, Any]:
    record: Dict[str, Any] = {}
    _flatten(plain(item), "", record)
    return record


def _flatten(value: Any, path: str, record: Dict[str, Any]) -> None:
    if not isinstance(value, Mapping):
        record[path or "value"] = value
        return
    for name, member in value.items():
        inner = f"{path}.{name}" if path else str(name)
        if isinstance(member, Mapping) and member:
            _flatten(member, inner, record)
        else:
            record[inner] = member


def brief(item: Any) -> str:
    """Returns a short description of an item: its name and its first field, which is usually the id."""
    known = plain(item)
    if not isinstance(known, Mapping):
        return _cut(repr(item), _WIDTH)
    parts = [f"{name}={value!r}" for name, value in list(known.items())[:1]]
    parts += [f"{name}={known[name]!r}" for name in _NAMES if name in known and name not in list(known)[:1]][:1]
    left = len(known) - len(parts)
    more = f" and {left} more field{'' if left == 1 else 's'}" if left else ""
    return _cut(f"item {' '.join(parts)}", 2 * _WIDTH) + more


def count(items: Union[int, Sequence[Any]]) -> str:
    number = items if isinstance(items, int) else len(items)
    return f"{number} item{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    for name, length in _SPANS:
        number = int(seconds // length)
        if number >= 1:
            return f"{number} {name}{'' if number == 1 else 's'}"
    return "0 seconds"


def html(items: Iterable[Any], caption: str) -> str:
    records = [flat(item) for item in items]
    columns: List[str] = list(dict.fromkeys(name for record in records for name in record))
    shown = columns[:_COLUMNS]
    head = "".join(f"<th>{escape(name)}</th>" for name in shown)
    rows = "".join(
        f"<tr>{''.join(f'<td>{_cell(record.get(name))}</td>' for name in shown)}</tr>" for record in records[:_ROWS]
    )
    left = [f"{len(records) - _ROWS} more rows"] if len(records) > _ROWS else []
    left += [f"{len(columns) - _COLUMNS} more columns"] if len(columns) > _COLUMNS else []
    return _table(f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>", ", ".join([caption.strip("<>"), *left]))


def item_html(item: Any, caption: str) -> str:
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{_cell(value)}</td></tr>" for name, value in flat(item).items())
    return _table(f"<tbody>{rows}</tbody>", caption)


def _table(body: str, caption: str) -> str:
    return f"<table><caption>{escape(caption)}</caption>{body}</table>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return escape(_cut(text, _WIDTH))


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
