"""Kinto: collections as scope; header fields for the URL of the next page and the backoff time."""

import time

import pytest

from serving import KINTO_OWNER, Lists, fetched, options, serving
from world import BOOKS

PASSWORD = {"KINTO_PASSWORD": "kinto-password"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving("kinto", tmp_path_factory.mktemp("kinto")) as url:
        yield url


@pytest.fixture
def lists(start, home, server):
    return Lists(start, home, options("kinto", f"{server}/v1"), env=PASSWORD)


def on(shelf, **more):
    books = [book for book in BOOKS if book["shelf"].split()[0] == shelf]
    return [f"book-{book['id']}" for book in books if all(book[key] in more[key] for key in more)]


@pytest.mark.parametrize("collection", ["poetry", "prose", "maps"])
def test_kinto_collection_is_listed_completely(lists, server, collection):
    url = f"{server}/v1/buckets/library/collections/{collection}/records?_sort=number"
    wanted = [record["id"] for record in fetched(url, **KINTO_OWNER)["data"]]
    assert wanted == on(collection)
    # New versions of Kinto report the total only in answers to HEAD.
    found = lists.check("record", wanted, count=None, pages=4, collection=collection)
    assert found[0]["items"][0]["changed"].startswith("20") and found[0]["items"][0]["changed"].endswith("Z")


@pytest.mark.parametrize("filter, wanted", [
    ({"authors": [1, 2]}, on("prose", author=[1, 2])),
    ({"since": 1996}, on("prose", year=range(1996, 3000))),
    ({"since": 3000}, []),
    ({"sort": "-number"}, on("prose")[::-1]),
])
def test_filtered_kinto_collection_is_listed_completely(lists, filter, wanted):
    lists.check("record", wanted, count=None, collection="prose", filter=filter)


def test_kinto_items_are_read_by_id(lists):
    larder = lists.process()
    assert larder.call("record/get", collection="prose", id="book-1")["item"]["title"] == BOOKS[0]["title"]
    found = larder.call("record/getMany", collection="prose", ids=["book-7", "book-999", "book-2", "book-1"])
    assert [item["id"] for item in found["items"]] == ["book-7", "book-1"]
    assert found["missing"] == ["book-999", "book-2"]  # book 2 belongs to another collection
    for book in on("prose"):
        assert larder.call("record/get", collection="prose", id=book)["item"]["id"] == book


def test_unchanged_kinto_data_is_confirmed_by_etag(lists):
    larder = lists.process()
    for call in (lambda: larder.call("record/list", collection="maps", maxAge=0),
                 lambda: larder.call("record/get", collection="maps", id=on("maps")[0], maxAge=0)):
        first, before = call(), larder.call("cache/stats")["remote"]["notModified"]
        again = call()
        assert again["source"] == "remote" and {**again, "fetchedAt": ""} == {**first, "fetchedAt": ""}
        assert larder.call("cache/stats")["remote"]["notModified"] == before + 1


@pytest.mark.parametrize("seconds, waits", [(1, True), (60, False)])
def test_backoff_time_of_kinto_is_respected(start, home, seconds, waits):
    with serving("kinto", home, str(seconds)) as server:
        larder = Lists(start, home, options("kinto", f"{server}/v1"), env=PASSWORD).process()
        before = time.monotonic()
        larder.call("record/get", collection="prose", id="book-1")
        assert larder.call("record/get", collection="prose", id="book-1")["source"] == "memory"
        if waits:
            assert larder.call("record/get", collection="prose", id="book-4")["source"] == "remote"
            assert time.monotonic() - before > 0.9
        else:
            error = larder.fails("record/get", collection="prose", id="book-4")
            assert error.kind == "rateLimited" and 50 < error.data["retryAfter"] <= 60
            assert larder.call("record/get", collection="prose", id="book-1", cachePolicy="remoteFirst")["fallback"]


def test_errors_have_the_message_of_kinto(lists):
    larder = lists.process()
    error = larder.fails("record/get", collection="prose", id="book-999")
    assert error.kind == "notFound" and error.data["apiMessage"] == "Not Found"
    token = "/v1/buckets/library/collections/prose/records?_limit=5&_token=none"
    error = larder.fails("record/list", collection="prose", page=token)
    assert error.kind == "invalidRequest" and "_token" in error.data["apiMessage"]
    # Kinto reports a forbidden bucket and a missing one alike.
    error = larder.fails("record/list", bucket="other", collection="prose")
    assert error.kind == "unauthorized" and "cannot access" in error.data["apiMessage"]
    wrong = lists.process(env={"KINTO_PASSWORD": "another password"})
    assert wrong.fails("record/list", collection="prose").kind == "unauthorized"
