"""Makes answers from schemas: one item of a kind, varied by its index."""

import re

from document import plain

MOST_DEPTH = 9
OPTIONAL_DEPTH = 5
UNIQUE = {"id", "gid", "uid", "sid", "uuid", "guid", "key", "slug", "code", "handle", "login", "username", "email",
          "url", "uri", "href", "self", "number", "token", "selflink"}
FORMATS = {"date-time": "2024-05-01T10:00:00Z", "date": "2024-05-01", "time": "10:00:00", "byte": "AAAA",
           "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "duration": "PT1H"}


class FixedText(str):
    """A string that is the same in each item: an enumeration's value, or a date."""


class FixedNumber(int):
    """A number that is the same in each item."""


def made(document, schema, name="value", depth=0):
    """Returns a value for a schema."""
    flat = document.flat(schema)
    kind, options = flat.get("type"), flat.get("enum")
    if "const" in flat:
        options = [flat["const"]]
    if options:
        value = next((option for option in options if option is not None), None)
        if isinstance(value, str):
            value = FixedText(value) if kind != "integer" else int(value) if value.isdigit() else 1
        value = FixedNumber(value) if type(value) is int else value
        return [value] if kind == "array" and not isinstance(value, list) else value
    if kind == "object" or flat.get("properties"):
        result = {}
        for key, member in flat["properties"].items():
            if depth > MOST_DEPTH or depth > OPTIONAL_DEPTH and key not in flat["required"]:
                continue
            if isinstance(member, dict) and member.get("writeOnly"):
                continue
            # No API has an object as id. A document with such an id gives each property the type object.
            is_id = plain(key) == "id" and document.is_thin(member)
            result[key] = 1 if is_id else made(document, member, key, depth + 1)
        return result
    if kind == "array":
        return [] if depth > OPTIONAL_DEPTH else [made(document, flat.get("items") or {}, name, depth + 1)]
    return scalar(flat, kind, name)


def scalar(flat, kind, name):
    if kind == "boolean":
        return False
    if kind in ("integer", "number"):
        low = flat.get("minimum")
        return int(low) + 1 if isinstance(low, (int, float)) and low > 1 else 1 if kind == "integer" else 1.5
    form = flat.get("format")
    if form in FORMATS:
        return FixedText(FORMATS[form])
    if form == "email":
        return "a@example.com"
    if form == "uuid":
        return "00000000-0000-4000-8000-000000000000"
    if form in ("uri", "url"):
        return f"https://example.com/{plain(name)}"
    if plain(name) in ("uri", "href", "self"):
        return f"/{plain(name)}/0"
    example = flat.get("example")
    if kind == "string" and isinstance(example, str) and plain(name) not in UNIQUE:
        return FixedText(example) if re.match(r"\d{4}-\d\d-\d\d", example) else example
    return None if kind == "null" else plain(name) or "text"


def varied(value, index, truth, depth=0):
    """Returns a variant of an item: the item with the given index. If the path of its id is known, names and ids of
    related items are the same in all variants."""
    if isinstance(value, dict):
        return {key: _varied_member(key, member, index, truth, depth) for key, member in value.items()}
    return value


def _varied_member(key, member, index, truth, depth):
    if isinstance(member, dict) and depth < 2:
        inner = truth
        if truth and len(truth.path) > 1:
            inner = type(truth)(truth.path[1:], truth.is_tail) if key == truth.path[0] else truth
        elif truth and depth == 0:
            inner = type(truth)(("",))
        return varied(member, index, inner, depth + 1)
    is_own = truth is not None and truth.path == (key,)
    if truth is not None and not is_own and (depth or plain(key) not in UNIQUE):
        return member
    return other(member, index)


def other(value, index):
    """Returns a variant of a string or number that is different for each index."""
    if isinstance(value, (bool, FixedText, FixedNumber)) or value is None:
        return value
    if isinstance(value, (int, float)):
        return int(value) + 1000 + index
    if isinstance(value, list):
        return [varied(member, index, None) if isinstance(member, dict) else other(member, index) for member in value]
    if isinstance(value, str):
        if value.startswith("00000000-"):
            return value[:-4] + f"{index:04}"
        return f"{value}/{index}x" if "/" in value else f"u{index}@example.com" if "@" in value else f"{value}-{index}x"
    return value


def put(item, path, value):
    for name in path[:-1]:
        item = item.get(name) if isinstance(item, dict) else None
    if isinstance(item, dict) and path:
        item[path[-1]] = value
