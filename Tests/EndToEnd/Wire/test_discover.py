"""`rpc.discover` returns an OpenRPC document that matches the params, results and errors of the server.

openrpc-meta-schema.json was written from the text of the OpenRPC Specification 1.3.2. It is not the file that the
OpenRPC project publishes.
"""

import json
import os
import pathlib
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from harness import GRAPHQL_CATALOG, Larder

META = json.loads((pathlib.Path(__file__).parent / "openrpc-meta-schema.json").read_text(encoding="utf-8"))
INVALID_PARAMS = -32602

# Every kind of field; a list with partial items; a resource without fields, one without a list, and one with string
# ids.
SHAPES = """{
  "larder": 1,
  "apis": {"rickandmorty": {"baseURL": "https://rickandmortyapi.com", "maxBodySize": "256KiB", "retries": 0}},
  "resources": {
    "character": {
      "api": "rickandmorty", "id": "integer",
      "fields": {
        "id": "integer", "status": ["Alive", "Dead", "unknown"], "name": "string",
        "species?": {"type": ["Human", "Alien"], "otherwise": "Alien"}, "mood?": ["good", "bad"],
        "kind": {"from": "type", "type": "string?"}, "gender": {"type": ["Female", "unknown"], "otherwise": "other"},
        "origin": {"name": "string", "url": "string", "rank": "integer?"}, "episode": ["string"], "location": "any",
        "none": "any?", "wealth": "number?", "isKnown": "boolean?", "aliases?": ["string"]
      },
      "rest": {
        "get": {"path": "/api/character/{id}"},
        "list": {"path": "/api/character", "items": "results", "complete": false, "filters": {"name": "name"},
                 "pagination": {"style": "page", "param": "page", "pages": "info.pages", "count": "info.count"}}
      }
    },
    "location": {"api": "rickandmorty", "id": "string", "rest": {
      "get": {"path": "/api/location/{id}"}, "list": {"path": "/api/location", "items": "results"}}},
    "episode": {"api": "rickandmorty", "id": "string", "fields": {"id": "string", "name": "string"},
                "rest": {"getMany": {"path": "/api/episode/[{ids}]"}}}
  }
}"""


@pytest.fixture(params=["rest", "graphql", "shapes"])
def catalog(request, home):
    """The command-line options for each catalog in turn."""
    if request.param == "shapes":
        (home / "shapes.jsonc").write_text(SHAPES)
    return {"rest": [], "graphql": ["--catalog", GRAPHQL_CATALOG], "shapes": ["--catalog", home / "shapes.jsonc"]}[
        request.param
    ]


class Document:
    """The OpenRPC document of a process, with checks of values against its schemas."""

    def __init__(self, larder):
        self.json = larder.call("rpc.discover")
        self.methods = {method["name"]: method for method in self.json["methods"]}

    def faults(self, schema, value):
        # A `$ref` is resolved against the root of the schema that holds it.
        whole = {"allOf": [schema], "components": self.json["components"]}
        return [f"{fault.json_path}: {fault.message}" for fault in Draft7Validator(whole).iter_errors(value)]

    def check_result(self, method, result):
        assert self.faults(self.methods[method]["result"]["schema"], result) == [], (method, result)

    def check_error(self, method, error):
        assert self.faults({"$ref": "#/components/schemas/error"}, error) == [], (method, error)
        names = [entry["$ref"].rsplit("/", 1)[1] for entry in self.methods[method]["errors"]]
        declared = {entry["code"]: entry for entry in (self.json["components"]["errors"][name] for name in names)}
        assert error["code"] in declared, (method, error)
        kind = declared[error["code"]].get("data", {}).get("kind")
        assert kind is None or error["data"]["kind"] == kind, (method, error)

    def check(self, method, reply):
        """Checks a reply against the document. Returns whether the reply is a result."""
        if "error" in reply:
            self.check_error(method, reply["error"])
            return False
        self.check_result(method, reply["result"])
        if "fallback" in (reply["result"] or {}):
            self.check_error(method, reply["result"]["fallback"])
        return True


def exchange(larder, method, params=None):
    return larder.wait(larder.send(method, params))


def references(value):
    if isinstance(value, dict):
        yield from (text for key, text in value.items() if key == "$ref")
        value = list(value.values())
    if isinstance(value, list):
        for element in value:
            yield from references(element)


# The document


def test_discovery_document_is_valid_openrpc(start, catalog):
    document = start(*catalog).call("rpc.discover")
    faults = [f"{fault.json_path}: {fault.message}" for fault in Draft7Validator(META).iter_errors(document)]
    assert faults == []
    assert document["openrpc"] == "1.3.2"
    names = [method["name"] for method in document["methods"]]
    assert names == sorted(set(names))
    assert {"rpc.discover", "character/get", "$/cancelRequest"} <= set(names)
    for method in document["methods"]:
        required = [param["required"] for param in method["params"]]
        assert required == sorted(required, reverse=True), method["name"]
        assert method["paramStructure"] == "by-name" and method["summary"].endswith(".")
        assert ("errors" in method) == ("result" in method)
    for reference in references(document):
        place = document
        for step in reference.split("/")[1:]:
            place = place[step]


def test_every_schema_of_the_discovery_document_is_valid(start, catalog):
    document = start(*catalog).call("rpc.discover")
    schemas = list(document["components"]["schemas"].values())
    for method in document["methods"]:
        schemas += [param["schema"] for param in method["params"]]
        schemas += [method["result"]["schema"]] if "result" in method else []
    assert len(schemas) > 50
    for schema in schemas:
        Draft7Validator.check_schema(schema)


def test_only_notifications_are_documented_without_a_result(larder):
    methods = Document(larder).methods.values()
    notifications = {"$/cancelRequest", "$/setTrace", "exit", "initialized"}
    assert {method["name"] for method in methods if "result" not in method} == notifications


def test_discovery_document_has_the_methods_of_the_catalog(start, home):
    (home / "shapes.jsonc").write_text(SHAPES)
    document = Document(start("--catalog", home / "shapes.jsonc"))
    own = {name for name in document.methods if name.split("/")[0] in ("character", "location", "episode")}
    everywhere, lists = ("get", "getMany", "search", "observe", "unobserve"), ("list", "prefetch", "sync")
    assert own == {f"{name}/{end}" for name in ("character", "location") for end in everywhere + lists} | {
        f"episode/{end}" for end in everywhere
    }
    schemas = document.json["components"]["schemas"]
    assert schemas["item.location"] == {"type": "object"}
    assert "required" not in schemas["listItem.character"] and "listItem.location" not in schemas


# Results and errors

# The params of the calls to each method. `R` stands for each resource; `None` marks a notification.
EXERCISES = {
    "initialize": [{}, {"processId": os.getpid(), "clientInfo": {"name": "test"}}],
    "initialized": None,
    "$/cancelRequest": None,
    "$/setTrace": None,
    "R/get": [
        {"id": 1},
        {"id": 1},
        {"id": 1, "cachePolicy": "remoteFirst"},
        {"id": 1, "cachePolicy": "localOnly", "maxAge": 0},
        {"id": 99999},
        {"id": 1, "fields": ["nothing.there.."]},
        {"id": 77, "cachePolicy": "localOnly"},
        {},
    ],
    "R/getMany": [{"ids": [1, 2, 99999]}, {"ids": []}, {"ids": [77], "cachePolicy": "localOnly"}, {"ids": 1}],
    "R/list": [{}, {"page": 1}, {"page": 99999}, {"cachePolicy": "localOnly"}, {"filter": {"colour": "red"}}],
    "R/prefetch": [{"maxPages": 1}, {"maxPages": 2, "workDoneToken": "t"}, {"filter": {"colour": "red"}}],
    "R/sync": [{"maxRequests": 1, "changes": True}, {}, {"maxAge": "1h"}, {"filter": {"colour": "red"}}],
    "R/search": [{}, {"text": "e", "limit": 2, "offset": 1}, {"filter": {"name": "Earth"}}, {"limit": -1}],
    "R/observe": [{"id": 1, "observer": "mine"}, {"id": 2}, {"page": 1}, {"id": 1, "page": 1}],
    "R/unobserve": [{"observer": "mine"}, {"observer": "mine"}],
    "recents/add": [{"text": "rick"}, {"text": "morty", "scope": "files"}, {"text": " "}],
    "recents/list": [{}, {"scope": "files"}, {"scope": 1}],
    "recents/remove": [{"text": "rick"}, {}],
    "recents/clear": [{}, {"text": "x"}],
    "cache/stats": [{}, {"x": 1}],
    "cache/syncs": [{}, {"x": 1}],
    "cache/query": [
        {"sql": "select * from character"},
        {"sql": "select name, resource from larder_tables where name = ?", "params": ["character"]},
        {"sql": "select nothing from character"},
        {"sql": "select 1 from character", "coverage": "synced"},
        {"sql": "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r", "timeout": 0.1},
        {},
    ],
    "cache/invalidate": [
        {"resource": "character", "scope": {}, "id": 1},
        {"pages": True},
        {},
        {"resource": "planet"},
    ],
    "cache/remove": [{"resource": "character", "ids": [1]}, {"olderThan": "1d"}, {}, {"id": 1}],
    "server/status": [{}, {"x": 1}],
    "request/explain": [
        {"method": "character/get", "params": {"id": 1}},
        {"method": "character/getMany", "params": {"ids": [1, 99999]}},
        {"method": "location/list", "params": {"cachePolicy": "remoteFirst"}},
        {"method": "character/get"},
        {"method": "recents/list"},
    ],
    "rpc.discover": [{}, {"x": 1}],
    "shutdown": [{}, {}],
    "exit": None,
}
LAST = ["shutdown", "exit"]


def exercises(document):
    """Yields each method of the document with its params. The methods that end the process come last."""
    for name in sorted(document.methods, key=lambda name: (LAST.index(name) + 1 if name in LAST else 0, name)):
        resources = ("character", "location", "episode")
        general = name if name.split("/")[0] not in resources else "R/" + name.split("/")[1]
        assert general in EXERCISES, f"no exercise for {name}: add one"
        yield name, EXERCISES[general]


def test_every_result_matches_the_documented_schema(start, catalog):
    larder = start(*catalog)
    document = Document(larder)
    for name, exercise in exercises(document):
        if exercise is None:
            params = {"$/cancelRequest": {"id": "nobody"}, "$/setTrace": {"value": "off"}}
            larder.notify(name, params.get(name))
            continue
        answered = [document.check(name, exchange(larder, name, params)) for params in exercise]
        assert any(answered), name
    assert larder.close() == 0
    left = [json.loads(line) for line in larder.left]
    changes = {"character/changed", "location/changed", "episode/changed"}
    assert {message["method"] for message in left} <= {"$/progress", *changes}, left


def test_item_has_exactly_the_fields_of_the_documented_schema(start, home):
    (home / "shapes.jsonc").write_text(SHAPES)
    larder = start("--catalog", home / "shapes.jsonc")
    document = Document(larder)
    seen = set()
    for id in (1, 2, 3):
        result = larder.call("character/get", id=id)
        document.check_result("character/get", result)
        seen.add(result["item"]["gender"])
    assert "other" in seen and set(result["item"]) == set(
        document.json["components"]["schemas"]["item.character"]["required"]
    )
    document.check_result("character/list", larder.call("character/list", page=2))


@pytest.mark.parametrize(
    "fault, kind",
    [
        ({"status": 400}, "invalidRequest"),
        ({"status": 404}, "notFound"),
        ({"status": 500}, "serverError"),
        ({"status": 403}, "unauthorized"),
        ({"status": 429, "headers": {"Retry-After": "7"}}, "rateLimited"),
        ({"status": 200, "body": "{"}, "decodingFailed"),
        ({"status": 200, "body": ""}, "invalidResponse"),
        ({"status": 200, "body": '{"id":1,"name":2}'}, "decodingFailed"),
        ({"status": 200, "body": '"%s"' % ("x" * 300_000)}, "tooLarge"),
        ({"drop": True}, "network"),
    ],
)
def test_errors_and_fallbacks_match_their_documented_schemas(start, home, upstream, fault, kind):
    (home / "shapes.jsonc").write_text(SHAPES)
    larder = start("--catalog", home / "shapes.jsonc")
    document = Document(larder)
    larder.call("character/get", id=1)
    upstream.fail("/api", **fault)
    calls = {"character/get": {"id": 2}, "character/getMany": {"ids": [2, 3]}, "character/list": {"page": 2}}
    kinds = set()
    for method, params in calls.items():
        reply = exchange(larder, method, params)
        document.check(method, reply)
        kinds.add(reply.get("error", {}).get("data", {}).get("kind"))
    assert kind in kinds
    for method, params in {"character/get": {"id": 1}, "character/getMany": {"ids": [1]}}.items():
        document.check(method, exchange(larder, method, {**params, "cachePolicy": "remoteFirst"}))


def test_busy_and_cancelled_errors_match_their_documented_schemas(start, upstream):
    larder = start("--max-in-flight", 1)
    document = Document(larder)
    hold = upstream.hold("/api")
    id = larder.send("character/get", {"id": 1})
    hold.wait()
    busy = exchange(larder, "character/get", {"id": 2})
    assert busy["error"]["data"]["kind"] == "busy"
    document.check("character/get", busy)
    larder.notify("$/cancelRequest", {"id": id})
    cancelled = larder.wait(id)
    assert cancelled["error"]["code"] == -32800
    document.check("character/get", cancelled)


# Params

# Valid values of each kind that a parameter accepts, and similar invalid values.
VALUES = [None, True, False, 0, 1, -1, 7, 0.5, -0.5, 1.5, 1e-300, 1e300, 10**30]
VALUES += [2**53, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 86_400 * 100_000, 86_400 * 100_000 + 1]
VALUES += ["", " ", "\t\u00a0\u3000", "\u200b", "\x1c", "\u0085", "\ufeff", " x ", "rick"]
VALUES += ["1", "0", "-7", "007", "-0", "+1", "1.0", "1e3", "."]
VALUES += ["90s", "5m", "12h", "30d", "90", "1.5h", ".5s", "5.s", "5 m", "1.2.3s", "-1s", "5 weeks", "s", "\u0663s"]
VALUES += ["character/list", "recents/list"]
VALUES += ["off", "messages", "verbose"]
VALUES += ["localFirst", "remoteFirst", "none", "localOnly", "LocalFirst"]
VALUES += ["character", "location", "episode", "planet"]
VALUES += [[], [1], ["a"], ["1", 2], [1.5], [None], [[1]], [True], [""], [{}], ["007"]]
VALUES += ["select 1", "synced", "any"]
VALUES += [["id"], ["origin.name"], ["origin.x"], ["id", "episode.0"], ["id.x"], ["a..b"], ["origin."]]
VALUES += [{"origin": "x"}, {"origin.name": "x"}, {"origin.x": 1}, {"origin.": 1}, {"originXname": 1}]
VALUES += [{"episode.0": "x"}, {"episode.x": 1}, {"episode.0.0": 1}, {"location.a.0": 1}, {"location.a..b": 1}]
VALUES += [{}, {"name": "rick"}, {"name": 1, "status": True}, {"name": None}, {"name": []}, {"colour": "red"}]

# Params that must accompany a parameter: `ids` and `scope` need a resource. The value is valid if one of the resources
# accepts it.
BESIDE = {
    (method, name): [{"resource": resource} for resource in ("character", "location", "episode")]
    for method in ("cache/remove", "cache/invalidate")
    for name in ("id", "ids", "scope")
}
LEAST = {"id": 1, "ids": [1], "text": "x", "observer": "x", "value": "off", "method": "character/list"}
LEAST["sql"] = "select 1"


def is_comparable(method, param, value):
    """Whether the schema and the server must agree on a value.

    They may differ for the values below:
    * 1.0 is an integer to a schema, but not to Larder.
    * A pattern checks the form of a duration, not its length, and Python's `$` also matches before a final newline.
    * `initialize` watches the given process, so the process must exist.
    * The valid `params` of `request/explain` depend on its method.
    * A schema does not check statements, and `select 1` has no parameters.
    * No schema excludes the segments `.` and `..`. The server refuses them in a path.
    """
    if isinstance(value, str) and {".", ".."} & set(re.split(r"[/\\;]", value)):
        return False
    if method == "cache/query" and param["name"] in ("sql", "params"):
        return value in ("select 1", [], {}) or isinstance(value, (int, float)) or value is None
    if method == "request/explain" and param["name"] == "params" and value:
        return not isinstance(value, dict)
    if isinstance(value, float) and value.is_integer():
        return False
    if isinstance(value, str) and (value.endswith("\n") or re.search(r"\d{6}", value)):
        return False
    if isinstance(value, list):
        return all(is_comparable(method, param, element) for element in value)
    number = isinstance(value, int) and not isinstance(value, bool)
    return method != "initialize" or not number or abs(value) >= 2**31


def agree(larder, document, method, param, value):
    """Checks that the schema accepts the value if and only if the server does. Returns whether both accept it."""
    least = {each["name"]: LEAST[each["name"]] for each in document.methods[method]["params"] if each["required"]}
    if method.endswith("/unobserve"):  # Register the observer first, if its name is valid.
        exchange(larder, method.replace("un", "", 1), {"id": 1, "observer": value})
    besides = BESIDE.get((method, param["name"]), [{}])
    replies = [exchange(larder, method, {**least, **beside, param["name"]: value}) for beside in besides]
    if method.endswith("/observe") and "result" in replies[0]:
        larder.call(method.replace("observe", "unobserve"), **replies[0]["result"])
    if param["name"] in ("value", "trace"):
        larder.call("$/setTrace", value="off")
    is_refused = all(reply.get("error", {}).get("code") == INVALID_PARAMS for reply in replies)
    # null counts as absent, also among filters.
    present = {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value
    is_absent = value is None and not param["required"]
    takes = is_absent or document.faults(param["schema"], present) == []
    assert takes != is_refused, (method, param["name"], param["schema"], value, replies)
    if is_refused:
        message = replies[0]["error"]["message"]
        named = (f"'{param['name']}'", f"'{param['name']}.", "the ids of")
        assert any(name in message for name in named), message
    return takes


def parameters(document):
    return [(name, param) for name, method in document.methods.items() for param in method["params"]]


def test_param_schemas_accept_exactly_the_values_that_methods_accept(start, catalog):
    larder = start(*catalog, "--offline")
    document = Document(larder)
    for method, param in parameters(document):
        values = [value for value in VALUES if value is not None and is_comparable(method, param, value)]
        taken = {agree(larder, document, method, param, value) for value in values}
        agree(larder, document, method, param, None)
        if param["schema"] == {"not": {}}:
            assert taken == {False}, (method, param)
        else:
            assert taken == {True, False}, (method, param)
    assert len(parameters(document)) > 30
    assert larder.call("server/status")["inFlight"] == 0


def test_calls_without_optional_params_are_accepted(start, catalog):
    larder = start(*catalog, "--offline")
    document = Document(larder)
    for name, method in document.methods.items():
        required = [param["name"] for param in method["params"] if param["required"]]
        for missing in required:
            least = {param: LEAST[param] for param in required if param != missing}
            assert exchange(larder, name, least)["error"]["code"] == INVALID_PARAMS, (name, missing)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory, larder_binary):
    with Larder(tmp_path_factory.mktemp("discover"), "--offline") as larder:
        yield larder, Document(larder)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
PIECES = st.text("0123456789.smhd -+e", max_size=8) | st.text(" \t\n\u0085\u00a0\u2028\u200bx", max_size=4)
ANY = st.recursive(
    SCALARS | PIECES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)
FILTERS = st.dictionaries(st.sampled_from(["name", "status", "x"]), SCALARS, max_size=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=ANY | FILTERS | st.lists(st.integers() | st.text(max_size=3), max_size=4))
def test_param_schemas_and_methods_agree_on_random_values(fuzzed, value):
    larder, document = fuzzed
    for method, param in parameters(document):
        if is_comparable(method, param, value):
            agree(larder, document, method, param, value)
