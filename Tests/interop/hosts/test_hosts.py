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
from obedience import plain

HERE = ROOT / "Tests" / "interop" / "hosts"
# The environments of the hosts whose name differs from it.
ENVIRONMENTS = {
    "openai-agents-strict": "openai-agents",
    "langchain-gemini": "langchain",
    "pydantic-ai-google": "pydantic-ai",
}
LINES = (HERE / "environments.txt").read_text(encoding="utf-8").splitlines()
PACKAGES = dict(line.split(": ", 1) for line in LINES if line and not line.startswith("#"))
HOSTS = [*(name for name in PACKAGES if not name.startswith("generator-")), *ENVIRONMENTS]
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
# Each bad call with a part of Larder's error.
BAD = [
    ("get_item", {"resource": "characters", "id": 1}, "did you mean 'character'?"),
    ("get_item", {"resource": "character"}, "no id: pass 'id' for one item"),
    ("get_item", {"resource": "location", "id": 99999}, "Location not found"),
    ("get_item", {"resource": "episode", "id": 51, "cachePolicy": "localOnly"}, "leave out cachePolicy"),
    ("list_items", {"resource": "character", "filter": {"nmae": "rick"}}, "'name'"),
    ("list_items", {"resource": "character", "limit": 0}, "'limit' must be an integer from 1"),
]
# Some frameworks check arguments themselves, so that a bad call does not reach Larder: patterns of their errors, by the
# index of the call.
PYDANTIC = {
    0: r"resource\s+Input should be 'character', 'location' or 'episode'",
    5: r"limit\s+Input should be greater than or equal to 1",
}
OWN_ERRORS = {
    "autogen": PYDANTIC,
    "crewai": PYDANTIC,
    "dspy": {
        0: r"Arg resource is invalid: 'characters' is not one of \['character', 'location', 'episode'\]",
        5: "Arg limit is invalid: 0 is less than the minimum of 1",
    },
}


@pytest.fixture(scope="module", params=HOSTS)
def host(request, tmp_path_factory):
    """The name of a host and the outcome of its session."""
    python = ROOT / ".build" / "hosts" / ENVIRONMENTS.get(request.param, request.param) / "bin" / "python"
    if not (python.parents[1] / "packages.txt").exists():
        pytest.skip("make bootstrap-hosts creates the environment")
    calls = json.dumps([[[tool, arguments] for tool, arguments, _ in calls] for calls in (GOOD, BAD)])
    line = [python, HERE / "drive.py", request.param, calls, binary(), "--replay", CASSETTES]
    variables = {"LARDER_CATALOGS": " ".join(CATALOGS), "PATH": os.environ["PATH"]}
    home = tmp_path_factory.mktemp("home")
    done = subprocess.run(
        line, env=environment(home) | variables, cwd=HERE, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return request.param, json.loads(done.stdout.splitlines()[-1])


def test_each_framework_loads_all_tools_of_all_catalogs(host):
    _, found = host
    assert sorted(found["schemas"]) == sorted(TOOLS)
    # Prometheus has no single items, so it has no `get_item`.
    assert found["loaded"] == {name: 4 if name == "prometheus" else 5 for name in CATALOGS}


def test_valid_tool_calls_of_each_framework_return_answers(host):
    _, found = host
    for (tool, arguments, part), (is_ok, text) in zip(GOOD, found["outcomes"]):
        assert is_ok and part in text, f"{tool} {arguments}: {text[:500]}"


def test_invalid_tool_calls_of_each_framework_return_the_error(host):
    name, found = host
    for index, ((tool, arguments, part), (is_ok, text)) in enumerate(zip(BAD, found["outcomes"][len(GOOD):])):
        own = OWN_ERRORS.get(name, {}).get(index)
        is_expected = re.search(own, text) if own else part in text
        assert not is_ok and is_expected, f"{tool} {arguments}: {text[:500]}"


def test_converted_schemas_allow_the_valid_tool_calls(host):
    """The good calls have the arguments of a model that obeys the converted schema."""
    _, found = host
    for (tool, *_), arguments in zip(GOOD, found["arguments"]):
        jsonschema.validate(arguments, {"type": "object", **plain(found["schemas"][tool])})


def test_documented_framework_versions_match_the_tested_versions():
    text = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    for packages in PACKAGES.values():
        name, version = re.match(r"(\S+?)(?:\[\w+(?:,\w+)*\])?==(\S+)", packages).groups()
        assert any(name in line and version in line for line in text.splitlines()), name


def test_every_package_requirement_has_an_exact_version():
    for packages in PACKAGES.values():
        for package in packages.split():
            assert re.fullmatch(r"[\w.-]+(\[\w+(,\w+)*\])?==\d[\w.]*", package), package
