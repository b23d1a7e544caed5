"""Catalogs of 41 APIs against stand-ins that answer as the APIs' documentation says: a get, a filtered list as a whole,
the same offline, the API's own words for an error, and what is said where the credentials are wrong."""

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
    """programs(names, word) gives the variables under which programs of these names print their tokens."""

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
    """served(*options): a process over the stand-in of the API; `served.server` is that."""
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


def test_its_catalog_has_no_fault(api, command):
    # Outside of a pod, the certificates of its cluster lie elsewhere.
    authorities = {"LARDER_VAR_KUBERNETES_CA": str(ROOT / "Fixtures/tls/authority.pem")}
    done = command("check", api.catalog, "--json", env={**api.secrets, **authorities})
    found = json.loads(done.stdout)
    assert (done.code, found["faults"], found["warnings"]) == (0, [], [])


def test_what_is_missing_is_a_secret(api, command):
    """A catalog has no fault but that nobody has set its secrets."""
    found = json.loads(command("check", api.catalog, "--json").stdout)
    assert all("environment variable" in fault["message"] for fault in found["faults"])
    assert len(found["faults"]) == len(re.findall(r"\$\{env:", api.text))


def test_items(api, served):
    larder = served()
    check_items(api, larder)


def test_filtered_lists_as_a_whole(api, served):
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


def test_errors_in_the_words_of_the_api(api, served):
    larder = served()
    check_errors(api, larder)


def test_wrong_credentials(api, served):
    if not api.secrets and not api.commands:
        pytest.skip("it asks for none")
    larder = served(env={name: "something else" for name in api.secrets}, word="something-else")
    get = (api.gets or api.walks)[0]
    method = get.method if api.gets else "list"
    error = larder.fails(f"{get.resource}/{method}", **get.params)
    assert error.kind == "unauthorized" and "something" not in str(error)


def test_every_catalog_is_tried():
    files = {path.stem for folder in (SHIPPED, COMPACT) for path in folder.glob("*.jsonc")}
    assert files - {"rickandmorty", "rickandmorty-graphql"} == set(STAND_INS) and len(STAND_INS) == 41


def test_the_table_has_each_of_them():
    """docs/apis.md says of each what is tried here, and how many of them can be declared wholly."""
    text = (ROOT / "docs" / "apis.md").read_text(encoding="utf-8")
    rows = [re.split(r" *\| *", line.strip("| ")) for line in text.splitlines() if re.match(r"\| .* \| `", line)]
    table = {row[1].strip("`"): row[2:7] for row in rows}
    assert sorted(table) == sorted(STAND_INS)
    for name, (get, listed, _, auth, errors) in table.items():
        api = STAND_INS[name]
        assert get == ("yes" if api.gets else "-") and listed == errors == "yes" and api.walks and api.errors
        assert (auth == "-") == (not api.secrets and not api.commands), name
    whole = sum("part" not in said for said in table.values())
    assert f"So {whole} of the 41" in text
