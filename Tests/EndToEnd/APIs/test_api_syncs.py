"""Syncs of the catalogs of 41 APIs: a second sync requests only what has changed. Lists that have not changed are not
transferred again."""

import re
from unittest.mock import ANY

import pytest

from all_standins import STAND_INS
from standins import Server, need

SYNCS = [
    pytest.param(api, sync, id=f"{name}-{sync.resource}")
    for name, api in sorted(STAND_INS.items())
    for sync in api.syncs
]


def is_refused(sync):
    """Whether the API refuses a token that is too old."""
    return sync.mode == "token" and sync.expires


TOKENS = [pytest.param(*each.values, id=each.id) for each in SYNCS if is_refused(each.values[1])]
VALIDATED = sorted(name for name, api in STAND_INS.items() if api.validators)


@pytest.fixture
def served(start):
    """`served(api, server)` starts a process that uses the simulated API on that server."""

    def served(api, server):
        places = ["--catalog", api.catalog, *api.options(server.port)]
        return start(*places, upstream=None, env=api.secrets)

    return served


def counts(result):
    return tuple(result[name] for name in ("mode", "added", "changed", "removed", "complete", "deletions"))


def scope(sync):
    return {name: value for name, value in sync.params.items() if name != "filter"}


def check_copy(larder, sync, ids):
    """Checks that the cache has exactly the items with the given ids, as the API returns them."""
    cached = larder.call(f"{sync.resource}/search", **scope(sync), limit=1000)["items"]
    current = [larder.call(f"{sync.resource}/get", **scope(sync), id=id, cachePolicy="none")["item"] for id in ids]
    assert sorted(map(repr, cached)) == sorted(map(repr, current))


def check_marks(server, sync, mark):
    requests = [request for request, _, _ in server.exchanges if sync.feed in request]
    assert requests and all(mark in request for request in requests), server.exchanges


@pytest.mark.parametrize("api, sync", SYNCS)
def test_second_sync_transfers_only_changes(api, sync, served):
    method = f"{sync.resource}/sync"
    with Server(api.answer) as server:
        larder = served(api, server)
        first = larder.call(method, **sync.params)
        assert counts(first) == ("whole", len(sync.ids), 0, 0, True, "walked")
        check_copy(larder, sync, sync.ids)
        if sync.mode == "since" and sync.deleted is not None:
            # The list lacks deletions, so the first run through the whole list does not know the newest change.
            larder.call(method, **sync.params)

        server.edits[sync.changed] = sync.edit
        if sync.deleted is not None:
            server.deletions[sync.deleted] = sync.tombstone
        removed, told = len(server.deletions), "told" if server.deletions else "unknown"
        del server.exchanges[:]
        second = larder.call(method, **sync.params)
        added = int(sync.is_new)
        assert counts(second) == (sync.mode, added, 1 - added, removed, True, told)
        assert second["requests"] == len(server.exchanges) == sync.requests
        check_marks(server, sync, sync.marks[0])
        assert sum(answer.count(f'"{sync.time}":') for _, answer, _ in server.exchanges) == 1 + removed
        changed = larder.call(f"{sync.resource}/get", **scope(sync), id=sync.changed, cachePolicy="localOnly")["item"]
        assert {name: changed[name] for name in sync.item} == sync.item
        check_copy(larder, sync, [id for id in sync.ids + [sync.changed] * added if id != sync.deleted])

        del server.exchanges[:]
        assert counts(larder.call(method, **sync.params)) == (sync.mode, 0, 0, 0, True, told)
        check_marks(server, sync, sync.marks[1])
        assert counts(larder.call(method, **sync.params, whole=True)) == ("whole", 0, 0, 0, True, "walked")
        assert server.wrong == []


@pytest.mark.parametrize("api, sync", TOKENS)
def test_sync_with_an_expired_token_reads_the_whole_list(api, sync, served):
    method = f"{sync.resource}/sync"
    with Server(api.answer) as server:
        larder = served(api, server)
        larder.call(method, **sync.params)
        server.edits[sync.changed], server.are_expired = sync.edit, True
        del server.exchanges[:]
        added = int(sync.is_new)
        assert counts(larder.call(method, **sync.params)) == ("whole", added, 1 - added, 0, True, "walked")
        assert sync.marks[0] in server.exchanges[0][0]
        server.are_expired = False
        assert larder.call(method, **sync.params)["mode"] == "token"
        assert server.wrong == []


@pytest.mark.parametrize(
    "name, resource, feed, status",
    [
        ("kubernetes", "namespace", "watch=true", 403),
        ("kubernetes", "namespace", "watch=true", 410),
        ("stripe", "customer", "/v1/events", 403),
    ],
)
def test_refused_request_for_changes_leads_to_a_sync_of_the_whole_list(name, resource, feed, status, served):
    """A credential may have the right to list items, but not to read their changes."""
    api = STAND_INS[name]

    def answer(request):
        need(feed not in request.text, status, {"reason": "Refused", "code": status})
        return api.answer(request)

    with Server(answer) as server:
        larder = served(api, server)
        for _ in range(2):
            assert counts(larder.call(f"{resource}/sync")) == ("whole", ANY, 0, 0, True, "walked")
        assert sum(feed in request for request, _, _ in server.exchanges) == 1 and server.wrong == []


def test_watch_that_ends_with_an_error_changes_nothing(served):
    api = STAND_INS["kubernetes"]
    fails = []

    def answer(request):
        found = api.answer(request)
        if not fails or "watch" not in request.query:
            return found
        lines, headers = found
        return lines + '{"type": "ERROR", "object": {"metadata": {}, "code": 500, "message": "closed"}}\n', headers

    with Server(answer) as server:
        larder = served(api, server)
        larder.call("pod/sync", namespace="shop")
        server.edits["web-2"] = {"status": {"phase": "Failed"}}
        fails.append(True)
        assert larder.fails("pod/sync", namespace="shop").kind == "decodingFailed"
        fails.clear()
        assert counts(larder.call("pod/sync", namespace="shop"))[:5] == ("token", 0, 1, 0, True)
        watches = [request for request, _, _ in server.exchanges if "watch=true" in request]
        assert ["resourceVersion=7" in request for request in watches] == [True, True] and server.wrong == []


@pytest.mark.parametrize("name", VALIDATED)
def test_unchanged_list_is_not_transferred_again(name, served):
    api = STAND_INS[name]
    walk = api.walks[0]
    with Server(api.answer, validators=True) as server:
        larder = served(api, server)
        first = larder.call(f"{walk.resource}/list", **walk.params, cachePolicy="remoteFirst")
        del server.exchanges[:]
        second = larder.call(f"{walk.resource}/list", **walk.params, cachePolicy="remoteFirst")
        assert second["items"] == first["items"] and second["source"] == "remote"
        assert [status for _, _, status in server.exchanges] == [304] and server.wrong == []


def test_each_sync_of_a_catalog_has_a_simulated_list():
    for name, api in STAND_INS.items():
        assert len(api.syncs) == len(re.findall(r'^ *"sync": \{', api.text, re.MULTILINE)), name
