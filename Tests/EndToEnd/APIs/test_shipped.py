"""The shipped catalogs: found by name, embedded as in their files, and served from their recordings."""

import json
import re

import pytest

from all_standins import STAND_INS, check_errors, check_items, check_lists
from harness import CASSETTES
from standins import SHIPPED

FOLDER = CASSETTES.parent
NAMES = sorted(path.stem for path in SHIPPED.glob("*.jsonc"))
RECORDED = [name for name in NAMES if not name.startswith("rickandmorty")]


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_replies_answer_get_and_list_of_each_shipped_catalog(name, start, upstream):
    api = STAND_INS[name]
    larder = start("--catalog", name, "--replay", FOLDER / name, upstream=None, env=api.secrets)
    check_items(api, larder)
    check_lists(api, larder)
    check_errors(api, larder)
    assert larder.call("server/status")["catalog"] == name


def test_relations_of_the_rickandmorty_graphql_catalog_are_ids(start):
    larder = start("--catalog", "rickandmorty-graphql", "--replay", CASSETTES, upstream=None)
    rest = start("--replay", CASSETTES, upstream=None)
    number = re.compile(r"(\d+)$")
    for resource, relation in (("character", "episode"), ("location", "residents"), ("episode", "characters")):
        urls = rest.call(f"{resource}/get", id=1)["item"][relation]
        found = larder.call(f"{resource}/get", id=1)["item"][relation]
        assert found == [int(number.search(url).group(1)) for url in urls] != []
    item = larder.call("character/get", id=1)["item"]
    assert (item["origin"], item["location"]["id"]) == ({"id": 1, "name": "Earth (C-137)"}, 3)


@pytest.mark.parametrize("name", NAMES)
def test_shipped_catalog_is_found_by_its_name(name, command, start):
    found = json.loads(command("check", name, "--json").stdout)
    assert found["file"] == name
    assert all("environment variable" in fault["message"] for fault in found["faults"])
    status = start("--catalog", name, upstream=None).call("server/status")
    assert status["catalog"] == name and status["resources"]
    assert start(upstream=None, env={"LARDER_CATALOG": name}).call("server/status")["catalog"] == name


def test_shipped_catalog_is_preferred_to_a_file_with_the_same_name(home, monkeypatch, start, command):
    monkeypatch.chdir(home)
    for name in ("github", "mine"):
        (home / name).write_text((SHIPPED / "hackernews.jsonc").read_text(encoding="utf-8"), encoding="utf-8")
    assert "issue" in start("--catalog", "github", upstream=None).call("server/status")["resources"]
    for path in ("./github", "mine"):
        assert "story" in start("--catalog", path, upstream=None).call("server/status")["resources"]
    done = command("--catalog", "gihub")
    assert done.code == 78 and "did you mean the shipped catalog 'github'?" in done.stderr
