"""The resources that a person would expect to be drafted from a document.

A list is a GET whose answer is an array of objects, or an object with one. Of several arrays in an object, the one
that is named like the end of the path or has a customary name is the list. An object with an id of its own beside its
arrays is an item. The array may be one object deeper, as in `data.items`. A GET that ends in a parameter is the `get`
of an item if its answer is an object; it belongs to the list of the path without the parameter. Each list, and each
`get` without a list, is one expected resource.

Two kinds of GET are not expected. A deprecated one is left out, because the document names another way to the data. A
path such as `/things/key={key}` is left out beside `/things/{id}`: it requests the same items by another key, and a
resource has one id."""

import dataclasses
import re

from document import plain

CUSTOMARY = ["data", "items", "results", "values", "records", "entries", "elements", "content", "list", "value",
             "objects", "result", "rows", "collection", "resources", "hits"]
OWN = ["id", "gid", "uid", "sid", "uuid", "guid"]
TAILS = ["uuid", "gid", "sid", "username", "name", "key", "slug", "code", "login", "email", "number", "token", "handle",
         "domain", "symbol", "path", "id"]
ADDRESSES = ["uri", "href", "url", "self", "resourceuri"]


@dataclasses.dataclass
class Truth:
    """The path of the id in an item. If `is_tail` is set, the id is the last segment of a URL at this path."""

    path: tuple
    is_tail: bool = False

    def of(self, item):
        for name in self.path:
            item = item.get(name) if isinstance(item, dict) else None
        return str(item).rstrip("/").rsplit("/", 1)[-1] if self.is_tail and item else item


@dataclasses.dataclass
class Unit:
    """A resource that a person would expect."""

    listing: object = None
    items: tuple = ()
    schema: object = None
    get: object = None
    truth: object = None

    @property
    def name(self):
        return (self.listing or self.get).path


def singular(word):
    return re.sub(r"ies$", "y", word) if word.endswith("ies") else re.sub(r"s$", "", word)


def array_of_objects(document, schema):
    flat = document.flat(schema)
    items = document.flat(flat.get("items") or {}) if flat.get("type") == "array" else {}
    return items if items.get("type") == "object" or items.get("properties") else None


def find_items(document, operation):
    """Returns the path of the items in the answer, and their schema, or None if the operation is not a list."""
    if operation.answer is None:
        return None
    bare = array_of_objects(document, operation.answer)
    if bare is not None:
        return (), bare
    words = [plain(word) for word in operation.path.split("/") if word and "{" not in word]
    return _within(document, document.flat(operation.answer), words[-1] if words else "", 0)


def _within(document, flat, word, depth):
    properties = flat.get("properties", {})
    if any(plain(name) in OWN for name in properties):
        return None
    arrays = {}
    for name, schema in properties.items():
        found = array_of_objects(document, schema)
        if found is not None and plain(name) not in ("links", "errors", "warnings", "included"):
            arrays[name] = found
    named = [name for name in arrays if singular(plain(name)) == singular(word)]
    customary = [name for choice in CUSTOMARY for name in arrays if plain(name) == choice]
    chosen = (named or customary or (list(arrays) if len(arrays) == 1 else []))[:1]
    if chosen:
        return (chosen[0],), arrays[chosen[0]]
    if arrays or depth:
        return None
    objects = {name: document.flat(schema) for name, schema in properties.items()}
    objects = {name: schema for name, schema in objects.items() if schema.get("properties")}
    wrapped = [name for name in objects if plain(name) in ("data", "response", "result", "embedded")]
    for name in wrapped or (list(objects) if len(objects) == 1 else []):
        found = _within(document, objects[name], word, 1)
        if found:
            return (name, *found[0]), found[1]
    return None


def find_truth(document, schema, parameter, operation, entry):
    """Returns where an item contains its id: as corpus.json declares, else as the parameter of the `get` is named, else
    under a customary name."""
    properties = document.flat(schema).get("properties", {})
    named = {plain(name): name for name in reversed(list(properties)) if _is_scalar(document, properties[name])}
    told = entry.get("ids", {}).get(operation.path) or entry.get("id")
    if told and told in properties:
        return Truth((told,))
    words = [plain(word) for word in operation.path.split("/") if word and "{" not in word]
    own = singular(words[-1]) if words else ""
    candidates = []
    if parameter:
        word = plain(parameter)
        candidates += ["id", word] if word.endswith("id") else [word]
        candidates += [tail for tail in TAILS if word.endswith(tail)]
    candidates += OWN + [own + "id", own + "uuid", own + "key"]
    for name in candidates:
        if name in named:
            return Truth((named[name],))
    inner = [name for name in properties if "id" in document.flat(properties[name]).get("properties", {})]
    if len(inner) == 1 and len(properties) <= 4:
        return Truth((inner[0], "id"))
    for name in ADDRESSES:
        if name in named:
            return Truth((named[name],), is_tail=True)
    return None


def _is_scalar(document, schema):
    return document.flat(schema).get("type") in ("string", "integer", "number", None)


def units(document, entry):
    """Returns the expected resources of a document."""
    gets = {}
    result = []
    reading = [operation for operation in document.operations if operation.method == "GET" and operation.answer]
    shapes = {operation.shape for operation in reading}
    reading = [found for found in reading if not found.is_deprecated and not _is_other_key(found, shapes)]
    listed = {}
    for operation in reading:
        found = find_items(document, operation)
        is_get = operation.last and document.flat(operation.answer).get("type") != "array"
        if is_get and not (found and _has_pages(document, operation)):
            if document.flat(operation.answer).get("properties"):
                gets.setdefault(re.sub(r"\.json$", "", operation.shape), operation)
        elif found and operation.shape not in listed:
            listed[operation.shape] = Unit(operation, found[0], found[1])
    for path, unit in listed.items():
        unit.get = gets.pop(re.sub(r"\.json$", "", path) + "/{}", None)
        unit.truth = find_truth(document, unit.schema, unit.get.last if unit.get else None, unit.listing, entry)
        result.append(unit)
    for operation in gets.values():
        unit = Unit(get=operation, schema=operation.answer)
        unit.truth = find_truth(document, operation.answer, operation.last, operation, entry)
        result.append(unit)
    return result


def _is_other_key(operation, shapes):
    parent, _, last = operation.shape.rpartition("/")
    return bool(re.fullmatch(r"[^{}]+=\{\}", last)) and f"{parent}/{{}}" in shapes


def _has_pages(document, operation):
    """Whether a parameter selects a page, or the answer has a place for the next page."""
    if any(re.search(r"page|cursor|offset|limit|after", name.lower()) for name in operation.names()):
        return True
    properties = document.flat(operation.answer)["properties"]
    return any(plain(name).startswith("next") and _is_scalar(document, schema) for name, schema in properties.items())
