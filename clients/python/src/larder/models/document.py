"""Generates the Python module for a catalog from its `rpc.discover` document."""

from typing import Any, List, Mapping, NamedTuple, Tuple

from .types import Types, identifiers, optional, resolved

_KNOWN = {"id", "ids", "page", "filter", "fields", "cachePolicy", "maxAge", "workDoneToken"}
_TAKEN = {"page", "filter", "cache_policy", "max_age", "timeout", "max_pages", "progress", "self",
          "whole", "max_requests", "changes", "accept_removals"}
_READING = (
    "cache_policy: _t.Optional[_m.CachePolicy] = None",
    "max_age: _t.Optional[_m.Duration] = None",
    "timeout: _t.Optional[float] = None",
)
_LONG = (
    "progress: _t.Optional[_t.Callable[[_m.Progress], None]] = None",
    "timeout: _t.Optional[float] = None",
)
_SYNC = (
    "max_age: _t.Optional[_m.Duration] = None",
    "whole: bool = False",
    "max_requests: _t.Optional[int] = None",
    "changes: bool = False",
    "accept_removals: bool = False",
    *_LONG,
)


class _Flavour(NamedTuple):
    """The syntax of one kind of generated classes: blocking classes, or classes for asyncio."""

    prefix: str
    method: str  # "def" or "async def": starts a method that sends a request
    await_: str  # "await " or "": the text before a call


_FLAVOURS = (_Flavour("", "def", ""), _Flavour("Async", "async def", "await "))


def module(document: Mapping[str, Any]) -> str:
    methods = {method["name"]: method for method in document["methods"]}
    names = [name.partition("/")[0] for name in methods if name.endswith("/search")]
    types = Types()
    for reserved in ("TypedLarder", "AsyncTypedLarder"):
        types.new_name(reserved)
    resources = [_Resource(name, methods, document, types) for name in names]
    parts = [*types.classes]
    for flavour in _FLAVOURS:
        parts += [text for resource in resources for text in resource.classes(flavour)]
        parts.append(_client(resources, flavour))
    head = (
        '"""Types and clients for the resources of a catalog, printed by `python -m larder.models`."""\n\n'
        "from __future__ import annotations\n\nimport typing as _t\nfrom dataclasses import dataclass as _dataclass\n\n"
        "from larder import models as _m\n"
    )
    return head + "".join(f"\n\n{part}\n" for part in parts)


class _Resource:
    def __init__(self, name: str, methods: Mapping[str, Any], document: Mapping[str, Any], types: Types) -> None:
        self.name = name
        schemas = document["components"]["schemas"]
        search = methods[f"{name}/search"]
        self.scope = [(param["name"], param["schema"], self._is_needed(param["name"], methods)) for param in
                      search["params"] if param["name"] not in _KNOWN | {"text", "limit", "offset"}]
        self.item, self._made = _made(types, schemas[f"item.{name}"], (name,), f"An item of `{name}`.")
        self.lists = f"{name}/list" in methods
        self.listed, self._listed_made = self.item, self._made
        if f"listItem.{name}" in schemas:
            about = f"An item of `{name}` in a list."
            listed = schemas[f"listItem.{name}"]
            self.listed, self._listed_made = _made(types, listed, (name, "listed"), about)
        self.class_name = types.new_name(name, "resource")
        self.scope_name = types.new_name(name, "scope")
        for prefix in (f"Async{self.class_name}", f"Async{self.scope_name}"):
            types.new_name(prefix)
        self._types, self._document = types, document
        self._filters = self._filters_of(methods.get(f"{name}/list"))

    def _is_needed(self, param: str, methods: Mapping[str, Any]) -> bool:
        asked = methods.get(f"{self.name}/list") or methods.get(f"{self.name}/get") or {"params": []}
        return any(one["name"] == param and one["required"] for one in asked["params"])

    def _filters_of(self, method: Any) -> List[Tuple[str, str, str]]:
        """Returns the name, keyword and type annotation of each filter."""
        schema: Mapping[str, Any] = {}
        for param in (method or {"params": []})["params"]:
            if param["name"] == "filter":
                schema = resolved(param["schema"], self._document)
        needed, found, properties = schema.get("required", []), [], schema.get("properties", {})
        keywords = identifiers([*properties], _TAKEN)
        for name, value in properties.items():
            keyword = keywords[name]
            kind = self._types.of(value, self._types.new_name(self.name, name))
            found.append((name, keyword, kind.text if name in needed else f"{optional(kind).text} = None"))
        return found

    def classes(self, flavour: _Flavour) -> List[str]:
        name = f"{flavour.prefix}{self.class_name}"
        lines = [f"class {name}(_m.{flavour.prefix}ResourceOf[{self.item}]):", f'    """`{self.name}`."""', ""]
        larder = f"_m.{flavour.prefix}Larder"
        lines += [f"    def __init__(self, larder: {larder}, scope: _t.Mapping[str, _t.Any]) -> None:"]
        lines += [f"        super().__init__(larder, _m.Calls[{self.item}]({self.name!r}, scope{self._made}))"]
        if self.lists:
            calls = f"_m.Calls[{self.listed}]({self.name!r}, scope{self._listed_made})"
            lines += [f"        self._pages_of = _m.{flavour.prefix}ResourceOf(larder, {calls})"]
            lines += ["", *self._list_methods(flavour)]
        observation = f"_m.{flavour.prefix}Observation[{self.item}]"
        lines += ["", f"    def observe(self, id: _t.Union[int, str]) -> {observation}:"]
        lines += ["        return self._observe(id, None, {})"]
        made = ["\n".join(lines)]
        if self.scope:
            made.append(self._scoped(flavour, name, larder))
        return made

    def _list_methods(self, flavour: _Flavour) -> List[str]:
        needed = [f"{keyword}: {kind}" for _, keyword, kind in self._filters if not kind.endswith("= None")]
        free = [f"{keyword}: {kind}" for _, keyword, kind in self._filters if kind.endswith("= None")]
        token = "page: _t.Optional[_m.PageToken] = None"
        members = [f"            {name!r}: {keyword}," for name, keyword, _ in self._filters]
        given = ["        _filter = _m.present({", *members, "        })"]
        options = "timeout, cache_policy=cache_policy, max_age=max_age"
        limits = ("max_pages: _t.Optional[int] = None", *_LONG)
        sync = "_filter, max_age, whole, max_requests, changes, accept_removals, progress, timeout"
        pages = f"_m.{flavour.prefix}Pages[{self.listed}]"
        asked = [
            (flavour.method, "list", [token], _READING, f"_m.ListResult[{self.listed}]",
             f"{flavour.await_}self._pages_of._list(page, _filter, {options})"),
            ("def", "pages", [token], _READING, pages, f"self._pages_of._pages(page, _filter, {options})"),
            (flavour.method, "prefetch", [], limits, "_m.Prefetched",
             f"{flavour.await_}self._prefetch(_filter, max_pages, progress, timeout)"),
            (flavour.method, "sync", [], _SYNC, "_m.Synced", f"{flavour.await_}self._sync({sync})"),
        ]
        lines: List[str] = []
        for begin, name, first, last, result, call in asked:
            params = ["self", *first, "*", *needed, *free, *last]
            lines += [f"    {begin} {name}(", *(f"        {param}," for param in params), f"    ) -> {result}:"]
            lines += [*given, f"        return {call}", ""]
        return lines[:-1]

    def _scoped(self, flavour: _Flavour, name: str, larder: str) -> str:
        taken = identifiers([param for param, _, _ in self.scope], set())
        params = []
        for param, schema, needed in self.scope:
            kind = self._types.of(schema, "Scope")
            params.append((f"{taken[param]}: {kind.text if needed else optional(kind).text + ' = None'}", needed))
        params.sort(key=lambda param: not param[1])
        members = ", ".join(f"{param!r}: {keyword}" for param, keyword in taken.items())
        return "\n".join([
            f"class {flavour.prefix}{self.scope_name}:",
            f'    """The resource `{self.name}`; `.at(...)` selects its parents."""',
            "",
            f"    def __init__(self, larder: {larder}) -> None:",
            "        self._larder = larder",
            "",
            f"    def at(self, *, {', '.join(text for text, _ in params)}) -> {name}:",
            f"        return {name}(self._larder, _m.present({{{members}}}))",
        ])


def _made(types: Types, schema: Mapping[str, Any], words: Tuple[str, ...], about: str) -> Tuple[str, str]:
    """Returns the Python type of the items, and the argument of `Calls` that converts items to this type."""
    if not schema.get("properties"):
        return types.of(schema, "").text, ""
    name = types.dataclass(schema, types.new_name(*words), about)
    return name, f", {name}.of"


def _client(resources: List[_Resource], flavour: _Flavour) -> str:
    lines = [f"class {flavour.prefix}TypedLarder:", '    """The resources of this catalog."""', ""]
    lines += [f"    def __init__(self, larder: _m.{flavour.prefix}Larder) -> None:", "        self.larder = larder"]
    names = identifiers([resource.name for resource in resources], {"larder"})
    for resource in resources:
        name = names[resource.name]
        made = f"{flavour.prefix}{resource.scope_name}(larder)" if resource.scope else ""
        lines.append(f"        self.{name} = {made or f'{flavour.prefix}{resource.class_name}(larder, {{}})'}")
    return "\n".join(lines)
