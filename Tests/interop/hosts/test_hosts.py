"""Real frameworks from PyPI: each loads all tools of each shipped catalog, and calls give what docs/mcp.md describes.

`make bootstrap-hosts` creates the environments. Hosts without an environment are skipped.
"""

import json
import os
import re
import subprocess

import jsonschema
import pytest

import mcp_standin
from harness import CASSETTES, ROOT, binary, environment
from host_calls import BAD, GOOD, SCOPED_BAD, SCOPED_GOOD
from obedience import plain
from standins import Server

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
FILES = sorted((ROOT / "Fixtures" / "catalogs").glob("*.jsonc"))
CATALOGS = [path.stem for path in FILES]
SYNCED = [path.stem for path in FILES if '"sync":' in path.read_text(encoding="utf-8")]
TOOLS = ["get_item", "list_items", "search_cached", "query_cached", "prefetch_list", "describe_resource"]
# For each session of a host, the good and the bad calls.
SESSIONS = [(GOOD, BAD), (SCOPED_GOOD, SCOPED_BAD)]
# Some frameworks check arguments themselves, so that a bad call does not reach Larder: patterns of their errors, by the
# index of the call in the first session.
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
    home = tmp_path_factory.mktemp("home")
    catalog = home / "things.json"
    commands = [[str(binary()), "--replay", str(CASSETTES)], [str(binary()), "--catalog", str(catalog)]]
    sessions = [
        [command, *([[tool, arguments] for tool, arguments, _ in calls] for calls in both)]
        for command, both in zip(commands, SESSIONS)
    ]
    variables = {"LARDER_CATALOGS": " ".join(CATALOGS), "PATH": os.environ["PATH"]}
    with Server(mcp_standin.answer) as server:
        catalog.write_text(mcp_standin.catalog(f"http://127.0.0.1:{server.port}"), encoding="utf-8")
        done = subprocess.run(
            [python, HERE / "drive.py", request.param, json.dumps(sessions)],
            env=environment(home) | variables, cwd=HERE, capture_output=True, timeout=300, check=False
        )
        assert not server.wrong
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return request.param, json.loads(done.stdout.splitlines()[-1])


def outcomes(found, index):
    """Yields the calls of one kind of all sessions with their outcomes. `index` is 0 for the good calls, 1 for bad."""
    for number, (both, session) in enumerate(zip(SESSIONS, found["sessions"])):
        start = index * len(both[0])
        for place, (call, outcome) in enumerate(zip(both[index], session["outcomes"][start:])):
            yield number, place, call, outcome


def test_each_framework_loads_all_tools_of_all_catalogs(host):
    _, found = host
    for session in found["sessions"]:
        assert sorted(session["schemas"]) == sorted(TOOLS)
    # Prometheus has no single items, so it has no `get_item`. Catalogs with `sync` also have `sync_list`.
    expected = {name: len(TOOLS) + (name in SYNCED) - (name == "prometheus") for name in CATALOGS}
    assert found["loaded"] == expected


def test_valid_tool_calls_of_each_framework_return_answers(host):
    _, found = host
    for _, _, (tool, arguments, part), (is_ok, text) in outcomes(found, 0):
        assert is_ok and part in text, f"{tool} {arguments}: {text[:500]}"


def test_invalid_tool_calls_of_each_framework_return_the_error(host):
    name, found = host
    for number, place, (tool, arguments, part), (is_ok, text) in outcomes(found, 1):
        own = OWN_ERRORS.get(name, {}).get(place) if number == 0 else None
        is_expected = re.search(own, text) if own else part in text
        assert not is_ok and is_expected, f"{tool} {arguments}: {text[:500]}"


def test_converted_schemas_allow_the_valid_tool_calls(host):
    """The valid calls match the schemas that the framework has converted for a model."""
    _, found = host
    for (good, _), session in zip(SESSIONS, found["sessions"]):
        for (tool, *_), arguments in zip(good, session["arguments"]):
            jsonschema.validate(arguments, {"type": "object", **plain(session["schemas"][tool])})


def test_documented_framework_versions_match_the_tested_versions():
    text = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    for packages in PACKAGES.values():
        name, version = re.match(r"(\S+?)(?:\[\w+(?:,\w+)*\])?==(\S+)", packages).groups()
        assert any(name in line and version in line for line in text.splitlines()), name


def test_every_package_requirement_has_an_exact_version():
    for packages in PACKAGES.values():
        for package in packages.split():
            assert re.fullmatch(r"[\w.-]+(\[\w+(,\w+)*\])?==\d[\w.]*", package), package
