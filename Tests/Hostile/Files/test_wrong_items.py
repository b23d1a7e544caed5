"""Items that were not requested: an item with another id, and search texts without words."""

import json

import pytest


@pytest.fixture
def things(home):
    """`things(**resource_settings)` writes a catalog of characters whose id is their field `rank`."""

    def things(**more):
        thing = {"api": "rickandmorty", "id": "integer", "fields": {"id": {"from": "rank", "type": "integer"}}}
        thing |= {"rest": {"get": {"path": "/api/character/{id}"}}, **more}
        apis = {"rickandmorty": {"baseURL": "https://rickandmortyapi.com", "retries": 0}}
        path = home / "things.json"
        path.write_text(json.dumps({"larder": 1, "apis": apis, "resources": {"thing": thing}}))
        return path

    return things


def test_mismatched_item_id_is_logged_once(start, things, upstream):
    upstream.edit("character", 1, rank=2)
    larder = start("--catalog", things())
    for _ in range(3):
        assert larder.call("thing/get", id=1, cachePolicy="none")["item"]["id"] == 2
    assert larder.stderr().count("the API returned the item '2', but '1' was requested") == 1


def test_mismatched_item_id_is_refused_if_the_catalog_declares_strictIDs(start, things, upstream):
    upstream.edit("character", 1, rank=2)
    larder = start("--catalog", things(strictIDs=True))
    error = larder.fails("thing/get", id=1)
    assert (error.code, error.data["path"]) == (-31005, "rank")
    assert larder.fails("thing/get", id=1, cachePolicy="localOnly").kind == "notCached"
    upstream.edit("character", 3, rank=3)
    assert larder.call("thing/get", id=3)["item"]["id"] == 3
    assert larder.stderr() == ""


@pytest.mark.parametrize("text", ["?", "...", '"', '""', "\u0000", "!!! ???", "\u200d"])
def test_search_for_punctuation_finds_nothing(larder, text):
    larder.call("character/get", id=1)
    assert larder.call("character/search", text=text) == {"items": [], "count": 0}
    assert larder.call("character/search", text=" ")["count"] == 1
    assert larder.call("character/search", text=f"rick {text}")["count"] == 1
