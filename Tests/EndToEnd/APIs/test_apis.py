"""Catalogs of 41 APIs, tested with stand-ins that answer according to the APIs' documentation.

The tests cover a get, a filtered list online and offline, the API's error messages, and wrong credentials.
"""

import json
import os
import re

import pytest

from all_standins import STAND_INS, check_errors, check_items, check_lists
from standins import COMPACT, ROOT, SHIPPED, Server


@pytest.fixture(params=sorted(STAND_INS))
def api(request):
    return STAND_INS[request.param]


@pytest.fixture
def programs(home):
    """`programs(names, word)` returns the environment in which programs of these names print their tokens."""

    def programs(names, word):
        folder = home / "programs"
        folder.mkdir(exist_ok=True)
        for name in names:
            (folder / name).write_text(f"#!/bin/sh\necho {word}\n", encoding="utf-8")
            (folder / name).chmod(0o755)
        return {"PATH": f"{folder}:{os.environ['PATH']}"}

    return programs


@pytest.fixture
def served(api, start, programs):
    """`served(*options)` starts a process that uses the simulated API `served.server`."""
    with Server(api.answer) as server:

        def served(*options, env=None, word="secret-of-dockerhub_token"):
            places = server_options(api, server)
            return start(
                *places, *options, upstream=None, env={**api.secrets, **programs(api.commands, word), **(env or {})}
            )

        served.server = server
        yield served
        assert server.wrong == []


def server_options(api, server):
    return ["--catalog", api.catalog, *api.options(server.port)]


def test_each_api_catalog_passes_check(api, command):
    # Outside a pod, the cluster certificates lie elsewhere.
    authorities = {"LARDER_VAR_KUBERNETES_CA": str(ROOT / "Fixtures/tls/authority.pem")}
    done = command("check", api.catalog, "--json", env={**api.secrets, **authorities})
    found = json.loads(done.stdout)
    assert (done.code, found["faults"], found["warnings"]) == (0, [], [])


def test_check_without_secrets_reports_only_the_missing_secrets(api, command):
    """Without environment variables, the only faults of a catalog are its missing secrets."""
    found = json.loads(command("check", api.catalog, "--json").stdout)
    assert all("environment variable" in fault["message"] for fault in found["faults"])
    assert len(found["faults"]) == len(re.findall(r"\$\{env:", api.text))


def test_items_of_each_api_can_be_read(api, served):
    larder = served()
    check_items(api, larder)


def test_filtered_lists_are_complete_online_and_offline(api, served):
    larder = served()
    check_lists(api, larder)
    for one in api.walks:
        found = larder.call(f"{one.resource}/prefetch", **one.params)
        assert (found["items"], found["complete"]) == (len(one.values), one.complete)
    assert larder.close() == 0
    asked = len(served.server.asked)
    offline = served("--offline")
    check_lists(api, offline)
    assert len(served.server.asked) == asked


def test_errors_have_the_message_of_the_api(api, served):
    larder = served()
    check_errors(api, larder)


def test_wrong_credentials_cause_the_error_unauthorized(api, served):
    if not api.secrets and not api.commands:
        pytest.skip("the API needs no credentials")
    larder = served(env={name: "something else" for name in api.secrets}, word="something-else")
    get = (api.gets or api.walks)[0]
    method = get.method if api.gets else "list"
    error = larder.fails(f"{get.resource}/{method}", **get.params)
    assert error.kind == "unauthorized" and "something" not in str(error)


def test_every_api_catalog_has_a_simulated_api():
    files = {path.stem for folder in (SHIPPED, COMPACT) for path in folder.glob("*.jsonc")}
    assert files - {"rickandmorty", "rickandmorty-graphql"} == set(STAND_INS) and len(STAND_INS) == 41


def test_documentation_table_lists_every_api_catalog():
    """docs/apis.md states the tests of each API, and the number of APIs that a catalog can describe completely."""
    text = (ROOT / "docs" / "apis.md").read_text(encoding="utf-8")
    rows = [re.split(r" *\| *", line.strip("| ")) for line in text.splitlines() if re.match(r"\| .* \| `", line)]
    table = {row[1].strip("`"): [cell.strip("`") for cell in row[2:10]] for row in rows}
    assert sorted(table) == sorted(STAND_INS)
    for name, (get, listed, _, auth, errors, changes, deletions, validators) in table.items():
        api = STAND_INS[name]
        assert get == ("yes" if api.gets else "-") and listed == errors == "yes" and api.walks and api.errors
        assert (auth == "-") == (not api.secrets and not api.commands), name
        assert changes == (api.syncs[0].mode if api.syncs else "-"), name
        assert deletions == ("told" if any(sync.deleted for sync in api.syncs) else "-"), name
        assert validators == ("304" if api.validators else "-"), name
    whole = sum("part" not in said for said in table.values())
    assert f"{whole} of the 41 APIs" in text
