"""Generates Python types from JSON Schemas. An object schema becomes a dataclass with a method that converts a
dictionary."""

import keyword
import re
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Sequence, Set

Schema = Mapping[str, Any]
_SCALARS = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}
# Names that a field of a generated class must not have: it would hide a type or a method of the class.
_TAKEN = {*_SCALARS.values(), "of", "self", "cls", "item"}


class Type(NamedTuple):
    text: str
    build: Callable[[str], str]  # returns code that converts the value of an expression
    is_built: bool = False  # whether a value of this type must be converted


def _unchanged(text: str) -> Type:
    return Type(text, lambda value: value)


class Types:
    """The dataclasses generated so far, in the order of their dependencies."""

    def __init__(self) -> None:
        self.classes: List[str] = []
        self._names: Set[str] = set()

    def new_name(self, *words: str) -> str:
        name = "".join(part[:1].upper() + part[1:] for word in words for part in re.split(r"[^0-9A-Za-z]+", word))
        name = name if name[:1].isalpha() and not keyword.iskeyword(name) else f"T{name}"
        while name in self._names:
            name += "_"
        self._names.add(name)
        return name

    def of(self, schema: Schema, name: str) -> Type:
        """Returns the Python type of a schema. `name` is the class name if the schema needs a dataclass."""
        if "enum" in schema:
            return _unchanged(literal(schema["enum"]))
        if "anyOf" in schema:
            texts = list(dict.fromkeys(self.of(part, name).text for part in schema["anyOf"]))
            return _unchanged(texts[0] if len(texts) == 1 else f"_t.Union[{', '.join(texts)}]")
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        others = [kind for kind in kinds if kind != "null"]
        if len(others) != 1:
            known = bool(kinds) and all(kind in _SCALARS for kind in kinds)
            return _unchanged(f"_t.Union[{', '.join(_SCALARS[kind] for kind in kinds)}]" if known else "_t.Any")
        found = self._of_kind(others[0], schema, name)
        return optional(found) if "null" in kinds else found

    def _of_kind(self, kind: str, schema: Schema, name: str) -> Type:
        if kind == "array":
            element = self.of(schema.get("items", {}), name)
            made = (lambda value: f"[{element.build('_one')} for _one in {value}]") if element.is_built else str
            return Type(f"_t.List[{element.text}]", made, element.is_built)
        if kind == "object":
            if not schema.get("properties"):
                return _unchanged("_t.Dict[str, _t.Any]")
            made_class = self.dataclass(schema, self.new_name(name))
            return Type(made_class, lambda value: f"{made_class}.of({value})", True)
        return _unchanged(_SCALARS.get(kind, "_t.Any"))

    def dataclass(self, schema: Schema, name: str, about: str = "") -> str:
        required = set(schema.get("required", []))
        members = list(schema["properties"].items())
        # Fields with a default must come last in a dataclass.
        members.sort(key=lambda member: member[0] not in required)
        fields, values = [], []  # type: List[str], List[str]
        names = identifiers([key for key, _ in members], set())
        for key, value in members:
            field = names[key]
            found = self.of(value, f"{name}{key[:1].upper()}{key[1:]}")
            came = f"_item[{key!r}]"
            built = found.build(came)
            if key not in required:
                there = f"_item.get({key!r})"
                built = f"None if {there} is None else {built}" if found.is_built else there
                found = optional(found)
            fields.append(f"    {field}: {found.text}{'' if key in required else ' = None'}")
            values.append(f"            {field}={built},")
        lines = ["@_dataclass(frozen=True)", f"class {name}:", *([f'    """{about}"""', ""] if about else []), *fields]
        lines += ["", "    @classmethod", f'    def of(cls, _item: _t.Mapping[str, _t.Any]) -> "{name}":']
        lines += ["        return cls(", *values, "        )"]
        self.classes.append("\n".join(lines))
        return name


def optional(found: Type) -> Type:
    text = found.text if found.text.startswith(("_t.Optional[", "_t.Any")) else f"_t.Optional[{found.text}]"
    if not found.is_built:
        return _unchanged(text)
    return Type(text, lambda value: f"None if {value} is None else {found.build(value)}", True)


def literal(values: List[Any]) -> str:
    known = [value for value in values if value is not None]
    if not known or not all(isinstance(value, (str, int, bool)) for value in known):
        return "_t.Any"
    text = f"_t.Literal[{', '.join(map(repr, known))}]"
    return text if len(known) == len(values) else f"_t.Optional[{text}]"


def identifiers(keys: Sequence[str], taken: Set[str]) -> Dict[str, str]:
    """Maps each key to a unique Python name. Keys that are valid names stay unchanged."""
    exact = [key for key in keys if identifier(key, taken) == key]
    names = {key: key for key in exact}
    for key in keys:
        names.setdefault(key, identifier(key, {*taken, *names.values()}))
    return names


def identifier(key: str, taken: Set[str]) -> str:
    name = re.sub(r"\W", "_", key, flags=re.ASCII)
    if not name or name[0].isdigit() or name[0] == "_":
        name = f"f{name}"
    while keyword.iskeyword(name) or name in _TAKEN or name in taken:
        name += "_"
    return name


def resolved(schema: Schema, document: Schema) -> Dict[str, Any]:
    """Returns the schema to which `$ref` refers. Returns a schema without `$ref` unchanged."""
    while "$ref" in schema:
        target: Any = document
        for part in schema["$ref"].lstrip("#/").split("/"):
            target = target[part]
        schema = target
    return dict(schema)
