"""datasette: a table by cursor, URL and link; keys of two columns; rows, JSON lines and an object of rows."""

import pytest

from serving import Lists, fetched, ids_of, options, serving, walk
from world import BOOKS

IDS = [book["id"] for book in BOOKS]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving("datasette", tmp_path_factory.mktemp("datasette")) as url:
        yield url


@pytest.fixture
def lists(start, home, server):
    return Lists(start, home, options("datasette", f"{server}/library"))


def rows(server, query):
    return fetched(f"{server}/library/{query}")


def test_datasette_table_is_listed_completely_by_cursor(lists, server):
    assert rows(server, "books.json?_shape=arrayfirst&_size=max") == IDS
    found = lists.check("book", IDS, pages=6)
    assert found[0]["items"][0] == {name: BOOKS[0][name] for name in ("id", "title", "shelf", "year")}


@pytest.mark.parametrize(
    "filter, query",
    [
        ({"shelf": "prose"}, "shelf=prose"),
        ({"shelf": "maps & plans", "since": 1950}, "shelf=maps+%26+plans&year__gte=1950"),
        ({"words": "é 日本 & '"}, "title__contains=%C3%A9+%E6%97%A5%E6%9C%AC+%26+%27"),
        ({"since": "1950", "sort": "year"}, "year__gte=1950&_sort=year"),
        ({"words": "nowhere"}, "title__contains=nowhere"),
        ({"since": 1996}, "year__gte=1996"),
    ],
)
def test_filtered_datasette_table_is_listed_completely(lists, server, filter, query):
    lists.check("book", rows(server, f"books.json?_shape=arrayfirst&_size=max&{query}"), filter=filter)


def test_datasette_table_is_listed_by_the_next_url_in_the_reply(lists, server):
    places = sorted(book["place"] for book in BOOKS)
    assert rows(server, "places.json?_shape=arrayfirst&_size=max") == places
    lists.check("placed", places, key="place", pages=6)


def test_datasette_table_with_a_two_column_key_is_listed_by_its_link_header(lists, server):
    copies = rows(server, "copies.json?_shape=array&_size=max")
    assert len(copies) == len(BOOKS)
    found = lists.check("copy", [copy["number"] for copy in copies], key="number", count=None, pages=6)
    assert [item for page in found for item in page["items"]] == copies


def test_datasette_table_sorted_by_a_non_unique_column_is_listed_completely(lists, server):
    wanted = rows(server, "books.json?_shape=arrayfirst&_sort=author&_size=max")
    lists.check("aged", wanted, count=None, pages=9)


@pytest.mark.parametrize("resource", ["line", "keyed"])
def test_datasette_list_without_pagination_is_one_page(lists, resource):
    ids = [str(id) for id in IDS] if resource == "keyed" else IDS
    lists.check(resource, ids, count=None, pages=1, complete=None)


def test_datasette_items_are_read_by_id(lists, server):
    larder = lists.process()
    found = larder.call("book/get", id=13)
    assert found["item"]["title"] == BOOKS[12]["title"] and found["source"] == "remote"
    assert larder.call("copy/get", id="prose,4")["item"] == {"shelf": "prose", "number": 4, "title": BOOKS[3]["title"]}
    place = BOOKS[0]["place"]
    assert "/" in place and larder.call("placed/get", id=place)["item"] == {"place": place, "title": BOOKS[0]["title"]}
    assert larder.fails("placed/get", id="nowhere").kind == "notFound"
    larder.close()
    larder = lists.process()
    found = larder.call("book/getMany", ids=[57, 999, 13, 2])
    assert [item["id"] for item in found["items"]] == [57, 13, 2] and found["missing"] == [999]
    assert found["sources"] == {"memory": 0, "persistence": 1, "remote": 2}
    assert larder.call("cache/stats")["remote"]["requests"] == 1
    assert larder.close() == 0
    offline = lists.process("--offline")
    assert offline.call("book/getMany", ids=[57, 13, 2])["items"] == found["items"]
    assert offline.call("copy/get", id="prose,4")["source"] == "persistence"


def test_errors_have_the_message_of_datasette(lists):
    larder = lists.process()
    error = larder.fails("book/get", id=999)
    assert (error.kind, error.data["status"], error.data["apiMessage"]) == ("notFound", 404, "Record not found")
    assert "Record not found" in error.message
    error = larder.fails("book/list", filter={"column": "nothing"})
    assert error.kind == "serverError" and "nothing" in error.data["apiMessage"]
    assert larder.fails("copy/get", id="no-such,key").kind == "notFound"
    assert larder.fails("copy/get", id="../books/1").code == -32602


def test_datasette_list_is_complete_when_read_again(lists):
    larder = lists.process()
    first = walk(larder, "book")
    again = walk(larder, "book", cachePolicy="remoteFirst")
    assert ids_of(first) == ids_of(again) == IDS
