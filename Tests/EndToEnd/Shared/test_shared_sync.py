"""A sync writes items to the shared level and deletes them there. Local copies of lists belong to one machine."""

import json

import pytest

from harness import RPCError
from machines import settled
from scripted import serving

SYNC = {"style": "since", "param": "since", "from": "version", "type": "integer", "deleted": {"when": "gone"}}


class Listed:
    """A scripted API with a list of things. Requests with `since` get the changed and the deleted things."""

    def __init__(self):
        self.things, self.gone, self.asked = {"a": 1, "b": 2, "c": 3}, {}, []

    def answer(self, request):
        self.asked.append(request.target)
        if request.path != "/things":
            id = request.path.rpartition("/")[2]
            return (200, {}, {"id": id, "version": self.things[id]}) if id in self.things else (404, {}, {})
        if request.query.get("page", "1") != "1":
            return 200, {}, {"items": [], "count": len(self.things)}
        found = [{"id": id, "version": version} for id, version in self.things.items()]
        if "since" in request.query:
            found += [{"id": id, "version": version, "gone": True} for id, version in self.gone.items()]
            found = [thing for thing in found if thing["version"] >= int(request.query["since"])]
        return 200, {}, {"items": found, "count": len(found)}


@pytest.fixture
def listed():
    api = Listed()
    with serving(api.answer) as api.url:
        yield api


@pytest.fixture
def machine(machines, listed, root):
    """`machine(name)` starts a process with the catalog of the API."""
    pages = {"style": "page", "param": "page", "count": "count"}
    listing = {"path": "/things", "items": "items", "pagination": pages}
    rest = {"list": listing, "get": {"path": "/things/{id}"}, "sync": SYNC}
    api = {"baseURL": listed.url, "timeout": "60s", "retries": 0}
    catalog = {"larder": 1, "apis": {"a": api}, "resources": {"thing": {"api": "a", "id": "string", "rest": rest}}}
    path = root / "listed.json"
    path.write_text(json.dumps(catalog))
    return lambda name: machines(name, "--catalog", path, upstream=None)


def test_items_of_a_sync_are_found_by_other_machines(machine, machines, listed):
    one = machine("one")
    assert one.call("thing/sync")["items"] == 3
    settled(one)
    two = machine("two")
    assert all(machines.finds(two.call("thing/get", id=id)) for id in "abc")
    # The other machine has no copy of the list, so its first sync reads the whole list.
    assert two.call("cache/syncs")["syncs"] == []
    assert two.call("thing/sync")["mode"] == "whole"


def test_item_that_the_api_reports_as_deleted_is_removed_from_the_shared_level(machine, listed):
    one = machine("one")
    one.call("thing/sync")
    del listed.things["b"]
    listed.gone["b"] = 4
    listed.things["c"] = 5
    changed = one.call("thing/sync")
    assert (changed["mode"], changed["changed"], changed["removed"]) == ("since", 1, 1)
    settled(one)
    two = machine("two")
    with pytest.raises(RPCError) as failed:
        two.call("thing/get", id="b")
    assert failed.value.kind == "notFound"
    assert two.call("thing/get", id="c")["item"]["version"] == 5


def test_item_that_is_absent_from_the_whole_list_is_removed_from_the_shared_level(machine, listed):
    one = machine("one")
    one.call("thing/sync")
    del listed.things["b"]
    assert one.call("thing/sync", whole=True)["removed"] == 1
    settled(one)
    with pytest.raises(RPCError) as failed:
        machine("two").call("thing/get", id="b")
    assert failed.value.kind == "notFound"
