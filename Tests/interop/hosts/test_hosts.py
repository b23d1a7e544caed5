"""Real frameworks from PyPI: each loads all tools of each shipped catalog, and calls give what docs/mcp.md describes.

`make bootstrap-hosts` creates the environments. Hosts without an environment are skipped.
"""

import json
import os
import re
import subprocess

import jsonschema
import pytest

from harness import CASSETTES, ROOT, binary, environment

HERE = ROOT / "Tests" / "interop" / "hosts"
# The environments of the hosts whose name differs from it.
ENVIRONMENTS = {"openai-agents-strict": "openai-agents", "langchain-gemini": "langchain"}
LINES = (HERE / "environments.txt").read_text(encoding="utf-8").splitlines()
PACKAGES = dict(line.split(": ", 1) for line in LINES if line and not line.startswith("#"))
HOSTS = [*PACKAGES, *ENVIRONMENTS]
CATALOGS = sorted(path.stem for path in (ROOT / "Fixtures" / "catalogs").glob("*.jsonc"))
TOOLS = ["get_item", "list_items", "search_cached", "prefetch_list", "describe_resource"]
# Each good call with a part of its answer.
GOOD = [
    ("get_item", {"resource": "character", "ids": [1, 2, 3, 99999], "fields": ["id"]}, '"missing":[99999]'),
    ("get_item", {"resource": "character", "id": 1, "fields": ["id", "name"]}, "Rick Sanchez"),
    ("list_items", {"resource": "character", "filter": {"name": "rick"}, "limit": 2}, '"next":"larder:2:null"'),
    ("list_items", {"resource": "character", "page": "2", "limit": 1, "fields": ["id"]}, '"current":2'),
    ("search_cached", {"resource": "character", "text": "rick sanch", "fields": ["name"]}, '"cached":'),
    ("describe_resource", {"resource": "episode"}, "interface Episode"),
]
# Each bad call with a part of its error, and the name of the argument at fault. Some frameworks report it themselves.
BAD = [
    ("get_item", {"resource": "characters", "id": 1}, "did you mean 'character'?", "resource"),
    ("get_item", {"resource": "character"}, "no id: pass 'id' for one item", "id"),
    ("get_item", {"resource": "location", "id": 99999}, "Location not found", "id"),
    ("get_item", {"resource": "episode", "id": 51, "cachePolicy": "localOnly"}, "leave out cachePolicy", "cachePolicy"),
    ("list_items", {"resource": "character", "filter": {"nmae": "rick"}}, "'name'", "filter"),
    ("list_items", {"resource": "character", "limit": 0}, "'limit' must be an integer from 1", "limit"),
]


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


@pytest.fixture(scope="module", params=HOSTS)
def host(request, tmp_path_factory):
    """The name of a host and the outcome of its session."""
    python = ROOT / ".build" / "hosts" / ENVIRONMENTS.get(request.param, request.param) / "bin" / "python"
    if not (python.parents[1] / "packages.txt").exists():
        pytest.skip("make bootstrap-hosts creates the environment")
    calls = json.dumps([[tool, arguments] for tool, arguments, *_ in [*GOOD, *BAD]])
    line = [python, HERE / "drive.py", request.param, calls, binary(), "--replay", CASSETTES]
    variables = {"LARDER_CATALOGS": " ".join(CATALOGS), "PATH": os.environ["PATH"]}
    home = tmp_path_factory.mktemp("home")
    done = subprocess.run(
        line, env=environment(home) | variables, cwd=HERE, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return request.param, json.loads(done.stdout.splitlines()[-1])


def test_all_tools_of_all_catalogs_are_loaded(host):
    _, found = host
    assert sorted(found["schemas"]) == sorted(TOOLS)
    # Prometheus has no single items, so it has no `get_item`.
    assert found["loaded"] == {name: 4 if name == "prometheus" else 5 for name in CATALOGS}


def test_good_calls_return_their_answers(host):
    _, found = host
    for (tool, arguments, part), (is_ok, text) in zip(GOOD, found["outcomes"]):
        assert is_ok and part in text, f"{tool} {arguments}: {text[:500]}"


def test_bad_calls_name_the_argument(host):
    _, found = host
    for (tool, arguments, part, name), (is_ok, text) in zip(BAD, found["outcomes"][len(GOOD):]):
        assert not is_ok and (part in text or name in text), f"{tool} {arguments}: {text[:500]}"


def test_converted_schemas_can_be_satisfied(host):
    """A model that obeys the converted schema can make each good call."""
    _, found = host
    for tool, arguments, _ in GOOD:
        schema = plain(found["schemas"][tool])
        if "required" in schema and set(schema["required"]) == set(schema["properties"]):
            continue  # A strict schema: all arguments are given, absent ones as empty values.
        jsonschema.validate(arguments, {"type": "object", **schema})


def test_documented_versions_are_the_tested_ones():
    text = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    for packages in PACKAGES.values():
        for name, version in re.findall(r"(\S+?)(?:\[\w+(?:,\w+)*\])?==(\S+)", packages):
            assert any(name in line and version in line for line in text.splitlines()), name
