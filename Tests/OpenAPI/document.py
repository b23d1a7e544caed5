"""Reads OpenAPI and Swagger documents, independently of Larder's importer.

YAML is read with PyYAML, by the core schema of YAML 1.2."""

import dataclasses
import json
import re
import urllib.parse

MOST_REFERENCES = 30
MOST_DEPTH = 12


def load(path):
    text = path.read_text(encoding="utf-8-sig")
    return json.loads(text) if path.suffix == ".json" else _yaml(text)


def _yaml(text):
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        yaml_implicit_resolvers = {}

    patterns = {"null": r"~|null|Null|NULL|", "bool": r"true|True|TRUE|false|False|FALSE", "int": r"[-+]?[0-9]+",
                "float": r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "merge": r"<<"}
    for name, pattern in patterns.items():
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{name}", re.compile(f"(?:{pattern})$"), None)
    Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(loader.construct_scalar(node)))
    Loader.add_constructor(None, lambda loader, node: None)
    # PyYAML refuses control characters, which some published documents contain.
    return _with_text_keys(yaml.load(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]", "", text), Loader))


def _with_text_keys(value):
    if isinstance(value, dict):
        return {str(key): _with_text_keys(member) for key, member in value.items()}
    return [_with_text_keys(member) for member in value] if isinstance(value, list) else value


def plain(name):
    """Returns a name in lower case, without punctuation."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def of_value(value):
    """Returns the schema of an example."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {key: of_value(member) for key, member in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": of_value(value[0]) if value else {}}
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return {"type": kinds.get(type(value), "string"), "nullable": value is None, "example": value}


@dataclasses.dataclass
class Operation:
    method: str
    path: str
    parameters: list
    answer: dict
    headers: list
    summary: str = ""
    is_deprecated: bool = False
    # The types of the path's parameters.
    kinds: dict = dataclasses.field(default_factory=dict)

    def names(self):
        return {parameter.get("name", ""): parameter for parameter in self.parameters}

    @property
    def shape(self):
        """The path with nameless parameters."""
        return shape(self.path)

    @property
    def last(self):
        """The name of the parameter at the path's end, or None."""
        found = re.search(r"\{([^{}]+)\}[^/{}]*/?$", self.path)
        return found.group(1) if found else None


def shape(path):
    return re.sub(r"\{[^{}]+\}", "{}", path.split("#")[0].split("?")[0]).rstrip("/")


class Document:
    def __init__(self, root):
        self.root = root
        self.format = "Swagger 2.0" if "swagger" in root else f"OpenAPI {str(root.get('openapi', ''))[:3]}"
        self.operations = list(self._operations())

    def prefixes(self):
        """The paths in the URLs of the servers that the document declares."""
        urls = [server.get("url", "") for server in self.root.get("servers") or [] if isinstance(server, dict)]
        urls += [self.root.get("basePath") or ""]
        paths = {re.sub(r"\{[^}]*\}", "x", urllib.parse.urlsplit(url).path).rstrip("/") for url in urls}
        return sorted(paths | {""}, key=len, reverse=True)

    def followed(self, value):
        for _ in range(MOST_REFERENCES):
            reference = value.get("$ref") if isinstance(value, dict) else None
            if not isinstance(reference, str):
                return value if isinstance(value, dict) else {}
            if not reference.startswith("#/"):
                return {}
            value = self.root
            for part in reference[2:].split("/"):
                part = urllib.parse.unquote(part).replace("~1", "/").replace("~0", "~")
                if isinstance(value, list):
                    value = value[int(part)] if part.isdigit() and int(part) < len(value) else {}
                else:
                    value = value.get(part, {}) if isinstance(value, dict) else {}
        return {}

    def flat(self, schema, depth=0):
        """Returns a schema with its references followed and its combinations merged: of alternatives, the first."""
        schema = self.followed(schema)
        if depth > MOST_DEPTH:
            return {}
        result = {key: value for key, value in schema.items() if key not in ("allOf", "oneOf", "anyOf")}
        properties = dict(result.get("properties") or {})
        required = set(result.get("required") or []) if isinstance(result.get("required"), list) else set()
        for part in schema.get("allOf") or []:
            merged = self.flat(part, depth + 1)
            for name, member in merged.get("properties", {}).items():
                # A value satisfies all parts, so a part that describes the property replaces one that does not.
                if name not in properties or self.is_thin(properties[name]):
                    properties[name] = member
            required |= merged.get("required", set())
            result = {**merged, **result}
        kinds = result.get("type")
        if isinstance(kinds, list):
            result["nullable"] = "null" in kinds
            result["type"] = next((kind for kind in kinds if kind != "null"), "null")
        for key in ("oneOf", "anyOf"):
            options = [self.flat(part, depth + 1) for part in schema.get(key) or []]
            result["nullable"] = result.get("nullable") or any(part.get("type") == "null" for part in options)
            options = [part for part in options if part.get("type") != "null"]
            if options:
                chosen = next((part for part in options if part.get("properties")), options[0])
                properties = {**chosen.get("properties", {}), **properties}
                required |= chosen.get("required", set())
                result = {**chosen, **result}
        if not isinstance(result.get("type"), str):
            is_array = "items" in result
            result["type"] = "object" if properties else "array" if is_array else result.get("type")
        return {**result, "properties": properties, "required": required}

    def is_thin(self, schema):
        flat = self.flat(schema)
        if flat.get("type") == "array":
            return self.is_thin(flat.get("items") or {})
        return flat.get("type") in (None, "object") and not flat["properties"]

    def _operations(self):
        for path, members in (self.root.get("paths") or {}).items():
            members = self.followed(members)
            for method in ("get", "post"):
                operation = members.get(method)
                if not isinstance(operation, dict):
                    continue
                merged = {}
                for parameter in (members.get("parameters") or []) + (operation.get("parameters") or []):
                    parameter = self.followed(parameter)
                    merged[parameter.get("name"), parameter.get("in")] = parameter
                answer, headers = self._answer(operation)
                parameters = [found for found in merged.values() if found.get("in") == "query"]
                texts = [str(operation.get(key) or "").lower() for key in ("summary", "description")]
                is_deprecated = operation.get("deprecated") is True or any(
                    re.search(r"^deprecated[.:]|\bdeprecated: use ", text) for text in texts)
                kinds = {name: self.flat(found.get("schema") or found).get("type")
                         for (name, place), found in merged.items() if place == "path"}
                # The client asks for JSON.
                asked = path.replace(".{format}", ".json")
                yield Operation(method.upper(), asked, parameters + list(self._members(parameters)), answer, headers,
                                str(operation.get("summary") or ""), is_deprecated, kinds)

    def _members(self, parameters):
        """The members of query parameters that are objects."""
        for parameter in parameters:
            for name, schema in self.flat(parameter.get("schema") or {}).get("properties", {}).items():
                deep = parameter.get("style") == "deepObject"
                yield {"name": f"{parameter['name']}[{name}]" if deep else name, "in": "query", "schema": schema}

    def _answer(self, operation):
        """Returns the schema of the first JSON answer of a success, and the names of its headers."""
        responses = operation.get("responses") or {}
        for status in sorted(responses):
            if not re.fullmatch(r"2..|default", status):
                continue
            response = self.followed(responses[status])
            headers = list(response.get("headers") or {})
            media = {"application/json": response} if "schema" in response else response.get("content") or {}
            for kind, content in media.items():
                if "json" not in kind and kind != "*/*" or not isinstance(content, dict):
                    continue
                schema, example = content.get("schema") or {}, self._example(content, response)
                if example is not None and self.is_thin(schema):
                    schema = of_value(example)
                return schema, headers
        return None, []

    def _example(self, content, response):
        found = content.get("example")
        for member in (content.get("examples") or {}).values() if isinstance(content.get("examples"), dict) else []:
            found = self.followed(member).get("value") if found is None else found
        if found is None and isinstance(response.get("examples"), dict):
            found = response["examples"].get("application/json")
        if found is None:
            found = self.flat(content.get("schema") or {}).get("example")
        if isinstance(found, str):
            try:
                found = json.loads(found)
            except ValueError:
                pass
        return found if isinstance(found, (dict, list)) else None
