"""Schemas as frameworks convert them, and the arguments of a model that obeys them."""


def plain(schema):
    """Returns a converted schema with the keywords of JSON Schema. Gemini's has types in upper case."""
    if isinstance(schema, list):
        return [plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    known = {"any_of": "anyOf", "additional_properties": "additionalProperties"}
    result = {known.get(key, key): plain(value) for key, value in schema.items() if value is not None}
    if isinstance(result.get("type"), str):
        result["type"] = result["type"].lower()
    return result


def empty(schema):
    """Returns the value with which a model leaves out an argument that its schema requires."""
    if "enum" in schema:
        return schema["enum"][0]
    types = {part.get("type") for part in schema.get("anyOf", [schema])}
    for name, value in (("null", None), ("string", ""), ("array", []), ("object", {})):
        if name in types:
            return value
    return schema.get("default", schema.get("minimum", 1))


def obedient(schema, arguments):
    """Returns arguments with all that a converted schema requires. Strict schemas require every argument."""
    schema = plain(schema)
    absent = [name for name in schema.get("required", []) if name not in arguments]
    return arguments | {name: empty(schema["properties"][name]) for name in absent}
