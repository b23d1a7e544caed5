"""Catalogs of 41 APIs against stand-ins that answer as the APIs' documentation says: a get, a filtered list as a whole,
the same offline, the API's own words for an error, and what is said where the credentials are wrong."""

import json
import re

import pytest

import standins_content  # noqa: F401  They declare the APIs.
import standins_shipped  # noqa: F401
import standins_tools  # noqa: F401
from harness import ROOT
from standins import COMPACT, SHIPPED, STAND_INS, Server

APIS = ROOT / "docs" / "apis.md"


@pytest.fixture(params=sorted(STAND_INS))
def api(request):
    return STAND_INS[request.param]


@pytest.fixture
def served(api, start):
    """served(*options): a process over the stand-in of the API; `served.server` is that."""
    with Server(api) as server:

        def served(*options, env=None):
            places = server_options(api, server)
            return start(*places, *options, upstream=None, env={**api.secrets, **(env or {})})

        served.server = server
        yield served
        assert server.wrong == []


def server_options(api, server):
    return ["--catalog", api.catalog, *api.options(server.port)]


def walk(larder, resource, params):
    pages, token = [], {}
    while True:
        found = larder.call(f"{resource}/list", **params, **token)
        assert "missing" not in found or found["missing"] == []
        pages.append(found["items"])
        if found["page"]["next"] is None:
            return [item for page in pages for item in page]
        assert len(pages) < 20, "a walk without an end"
        token = {"page": found["page"]["next"]}


def test_its_catalog_has_no_fault(api, command):
    done = command("check", api.catalog, "--json", env=api.secrets)
    found = json.loads(done.stdout)
    assert (done.code, found["faults"]) == (0, [])
    # Where a parent is needed for the list alone, the get does not use it.
    assert [one for one in found["warnings"] if "does not use the scope" not in one["message"]] == []


def test_what_is_missing_is_a_secret(api, command):
    """A catalog has no fault but that nobody has set its secrets."""
    found = json.loads(command("check", api.catalog, "--json").stdout)
    assert all("environment variable" in fault["message"] for fault in found["faults"])
    assert len(found["faults"]) == len(re.findall(r"\$\{env:", api.text))


def test_items(api, served):
    larder = served()
    for get in api.gets:
        found = larder.call(f"{get.resource}/{get.method}", **get.params)
        item = found["item"] if "item" in found else {"items": found["items"], "missing": found["missing"]}
        assert {key: item.get(key) for key in get.item} == get.item, served.server.asked


def test_filtered_lists_as_a_whole(api, served):
    larder = served()
    for one in api.walks:
        items = walk(larder, one.resource, one.params)
        assert [item[one.field] for item in items] == one.values, served.server.asked
        found = larder.call(f"{one.resource}/prefetch", **one.params)
        assert (found["items"], found["complete"]) == (len(one.values), one.complete)
    assert larder.close() == 0
    asked = len(served.server.asked)
    offline = served("--offline")
    for one in api.walks:
        items = walk(offline, one.resource, one.params)
        assert [item[one.field] for item in items] == one.values
    assert len(served.server.asked) == asked


def test_errors_in_the_words_of_the_api(api, served):
    larder = served()
    for expected in api.errors:
        error = larder.fails(expected.method, **expected.params)
        assert (error.kind, error.data.get("apiMessage")) == (expected.kind, expected.words), error


def test_wrong_credentials(api, served):
    if not api.secrets:
        pytest.skip("it asks for none")
    larder = served(env={name: "something else" for name in api.secrets})
    get = (api.gets or api.walks)[0]
    method = get.method if api.gets else "list"
    error = larder.fails(f"{get.resource}/{method}", **get.params)
    assert error.kind == "unauthorized" and "something else" not in str(error)


def test_every_catalog_is_tried():
    files = {path.stem for folder in (SHIPPED, COMPACT) for path in folder.glob("*.jsonc")}
    assert files - {"rickandmorty", "rickandmorty-graphql"} == set(STAND_INS) and len(STAND_INS) == 41
