"""The OpenAPI document of the loopback API (`Tests/EndToEnd/upstream.py`), for generators of MCP servers."""

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TEXTS = {"type": "array", "items": TEXT}
REFERENCE = {"type": "object", "properties": {"name": TEXT, "url": TEXT}}
FIELDS = {
    "character": {
        "id": NUMBER, "name": TEXT, "status": {"type": "string", "enum": ["Alive", "Dead", "unknown"]},
        "species": TEXT, "type": TEXT, "gender": TEXT, "origin": REFERENCE, "location": REFERENCE, "image": TEXT,
        "episode": TEXTS, "url": TEXT, "created": TEXT,
    },
    "location": {
        "id": NUMBER, "name": TEXT, "type": TEXT, "dimension": TEXT, "residents": TEXTS, "url": TEXT, "created": TEXT,
    },
    "episode": {
        "id": NUMBER, "name": TEXT, "air_date": TEXT, "episode": TEXT, "characters": TEXTS, "url": TEXT,
        "created": TEXT,
    },
}
FILTERS = {
    "character": ["name", "status", "species", "type", "gender"],
    "location": ["name", "type", "dimension"],
    "episode": ["name", "episode"],
}
LINK = {**TEXT, "nullable": True}
INFO = {"type": "object", "properties": {"count": NUMBER, "pages": NUMBER, "next": LINK, "prev": LINK}}


def operation(name, summary, parameters, schema):
    content = {"application/json": {"schema": schema}}
    return {
        "operationId": name, "summary": summary, "parameters": parameters,
        "responses": {"200": {"description": summary, "content": content}, "404": {"description": "Not found"}},
    }


def document(url):
    """Returns the document of an API at a URL: for each resource, an item by its id and a list with filters."""
    paths, schemas = {}, {}
    for resource, fields in FIELDS.items():
        title = resource.capitalize()
        item = {"$ref": f"#/components/schemas/{title}"}
        schemas[title] = {"type": "object", "properties": fields}
        page = {"type": "object", "properties": {"info": INFO, "results": {"type": "array", "items": item}}}
        query = [{"name": "page", "in": "query", "description": "The number of the page, from 1.", "schema": NUMBER}]
        query += [
            {"name": name, "in": "query", "description": f"Only items with this {name}.", "schema": TEXT}
            for name in FILTERS[resource]
        ]
        place = [{"name": "id", "in": "path", "required": True, "description": "The id.", "schema": NUMBER}]
        paths[f"/{resource}"] = {"get": operation(f"list{title}s", f"List {resource}s, 20 on a page.", query, page)}
        paths[f"/{resource}/{{id}}"] = {"get": operation(f"get{title}", f"Get one {resource}.", place, item)}
    return {
        "openapi": "3.0.3", "info": {"title": "Rick and Morty API", "version": "1"}, "servers": [{"url": url}],
        "paths": paths, "components": {"schemas": schemas},
    }
