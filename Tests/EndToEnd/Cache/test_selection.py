"""The selectors of `cache/remove` and `cache/invalidate`: scope, ids, pages, filter and age.

They select exactly the expected entries in memory, in the file and in another process.
"""

import itertools
import json

import pytest

from scripted import serving

OWNERS, IDS, STATES = ("a", "b"), (1, 2, 3), ("open", "closed")
LISTS = [{}, *({"state": state} for state in STATES)]


@pytest.fixture
def things(home, start):
    """`things(*args)` starts Larder with two resources below owners, listed with two items to a page."""
    asked = []

    def answer(request):
        asked.append(request.target)
        name, owner, *id = request.path.strip("/").split("/")
        first = int(request.query.get("page", 1)) * 2 - 1
        items = [{"id": number, "name": f"{name} {owner}"} for number in IDS]
        return 200, {}, items[int(id[0]) - 1] if id else {"items": items[first - 1 : first + 1], "pages": 2}

    def resource(name):
        paging = {"style": "page", "param": "page", "pages": "pages"}
        listed = {"path": f"/{name}/{{owner}}", "items": "items", "pagination": paging, "filters": {"state": "state"}}
        return {
            "api": "a", "scope": {"owner": "string"}, "id": "integer", "fields": {"id": "integer", "name": "string"},
            "rest": {"get": {"path": f"/{name}/{{owner}}/{{id}}"}, "list": listed},
        }

    with serving(answer) as url:
        path = home / "catalog.json"
        resources = {name: resource(name) for name in ("thing", "other")}
        path.write_text(json.dumps({"larder": 1, "apis": {"a": {"baseURL": url}}, "resources": resources}))
        things = lambda *args: start("--catalog", path, *args, upstream=None)  # noqa: E731
        things.asked = asked
        yield things


def fill(larder):
    for resource, owner, filter in itertools.product(("thing", "other"), OWNERS, LISTS):
        larder.call(f"{resource}/prefetch", owner=owner, filter=filter)


ITEMS = set(itertools.product(("thing", "other"), OWNERS, IDS))
PAGES = {
    (resource, owner, filter.get("state"), page)
    for resource, owner, filter, page in itertools.product(("thing", "other"), OWNERS, LISTS, (1, 2))
}


def state(larder):
    """Returns the cached items, the cached pages, and the stale entries among them."""
    items, pages, stale = set(), set(), set()
    for key in ITEMS:
        resource, owner, id = key
        reply = larder.wait(larder.send(f"{resource}/get", {"id": id, "owner": owner, "cachePolicy": "localOnly"}))
        if "result" in reply:
            items.add(key)
            assert reply["result"]["item"] == {"id": id, "name": f"{resource} {owner}"}
            if reply["result"]["stale"]:
                stale.add(key)
    for key in PAGES:
        resource, owner, which, page = key
        params = {"owner": owner, "page": page, "filter": {"state": which}, "cachePolicy": "localOnly"}
        reply = larder.wait(larder.send(f"{resource}/list", params))
        if "result" in reply:
            pages.add(key)
    return items, pages, stale


# Params, a predicate for the selected items, and one for the selected pages.
SELECTIONS = [
    ({}, lambda *_: True, lambda *_: True),
    ({"resource": "thing"}, lambda r, o, i: r == "thing", lambda r, *_: r == "thing"),
    ({"resource": "thing", "scope": {"owner": "a"}}, lambda r, o, i: (r, o) == ("thing", "a"),
     lambda r, o, s, p: (r, o) == ("thing", "a")),
    ({"resource": "thing", "scope": {}}, lambda r, o, i: r == "thing", lambda r, *_: r == "thing"),
    ({"resource": "thing", "scope": {"owner": "nobody"}}, lambda *_: False, lambda *_: False),
    ({"resource": "thing", "scope": {"owner": "b"}, "ids": [1, 3, 9]},
     lambda r, o, i: (r, o) == ("thing", "b") and i in (1, 3), lambda *_: False),
    ({"resource": "thing", "id": 2}, lambda r, o, i: r == "thing" and i == 2, lambda *_: False),
    ({"pages": True}, lambda *_: False, lambda *_: True),
    ({"resource": "other", "pages": True}, lambda *_: False, lambda r, *_: r == "other"),
    ({"resource": "other", "pages": True, "scope": {"owner": "b"}}, lambda *_: False,
     lambda r, o, s, p: (r, o) == ("other", "b")),
    ({"resource": "thing", "pages": {"filter": {}}}, lambda *_: False, lambda r, o, s, p: r == "thing" and s is None),
    ({"resource": "thing", "pages": {"filter": {"state": "open"}}, "scope": {"owner": "a"}}, lambda *_: False,
     lambda r, o, s, p: (r, o, s) == ("thing", "a", "open")),
    ({"resource": "thing", "pages": {"filter": {"state": "no such"}}}, lambda *_: False, lambda *_: False),
    ({"olderThan": "1d"}, lambda *_: False, lambda *_: False),
    ({"olderThan": 0, "resource": "thing", "scope": {"owner": "a"}, "pages": True}, lambda *_: False,
     lambda r, o, s, p: (r, o) == ("thing", "a")),
]


@pytest.mark.parametrize("from_file", [False, True], ids=["memory", "file"])
@pytest.mark.parametrize("index", range(len(SELECTIONS)))
def test_removal_affects_exactly_the_selected_entries(things, index, from_file):
    params, items, pages = SELECTIONS[index]
    larder = things()
    fill(larder)
    if from_file:
        larder.close()
        larder = things()
    gone_items = {key for key in ITEMS if items(*key)}
    gone_pages = {key for key in PAGES if pages(*key)}
    assert larder.call("cache/remove", **params) == {"removed": len(gone_items) + len(gone_pages)}
    # A page is cached only while all of its items are.
    on = {1: (1, 2), 2: (3,)}
    lost = {key for key in PAGES if any((key[0], key[1], id) in gone_items for id in on[key[3]])}
    wanted = (ITEMS - gone_items, PAGES - gone_pages - lost, set())
    assert state(larder) == wanted
    larder.close()
    assert state(things("--offline")) == wanted


@pytest.mark.parametrize("index", range(len(SELECTIONS)))
def test_invalidation_affects_exactly_the_selected_entries(things, index):
    params, items, pages = SELECTIONS[index]
    larder, other = things(), things()
    fill(larder)
    fill(other)
    # Its pending writes would otherwise replace entries that were invalidated meanwhile.
    other.call("cache/stats")
    meant_items = {key for key in ITEMS if items(*key)}
    meant_pages = {key for key in PAGES if pages(*key)}
    assert larder.call("cache/invalidate", **params) == {"invalidated": len(meant_items) + len(meant_pages)}
    for process in (larder, other):
        there, kept, stale = state(process)
        assert (there, kept) == (ITEMS, PAGES), "an invalidation removes no entry"
        assert stale == meant_items
    before = len(things.asked)
    for resource, owner, which, page in PAGES:
        larder.call(f"{resource}/list", owner=owner, page=page, filter={"state": which})
    again = things.asked[before:]
    on = {1: (1, 2), 2: (3,)}
    wanted = {key for key in PAGES if key in meant_pages}
    touched = {key for key in PAGES if any((key[0], key[1], id) in meant_items for id in on[key[3]])}
    assert len(again) >= len(wanted) and len(again) <= len(wanted | touched)


@pytest.mark.parametrize("params", [
    {"scope": {"owner": "a"}}, {"id": 1}, {"ids": [1]}, {"pages": {"filter": {}}},
    {"resource": "thing", "id": 1, "pages": True}, {"resource": "thing", "scope": {"owner": {"x": 1}}},
    {"resource": "thing", "scope": {"owner": None, "x": 1}}, {"resource": "thing", "scope": "a"},
    {"resource": "thing", "pages": {"filter": {"nose": 1}}}, {"resource": "thing", "pages": {"filtr": {}}},
    {"resource": "thing", "pages": "all"}, {"resource": "thing", "ids": "1"}, {"pages": {}},
    {"resource": "thing", "id": 1, "ids": [2]}, {"resource": "things"}, {"owner": "a"},
])
@pytest.mark.parametrize("method", ["cache/remove", "cache/invalidate"])
def test_ambiguous_selectors_of_remove_and_invalidate_are_refused(things, method, params):
    larder = things()
    fill(larder)
    error = larder.fails(method, **params)
    assert error.code == -32602
    assert state(larder) == (ITEMS, PAGES, set())
