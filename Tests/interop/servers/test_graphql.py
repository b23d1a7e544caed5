"""A Relay-compatible GraphQL server: connections, global ids, nodes by ids, several operations in a document."""

import base64

import pytest

from serving import Lists, options, serving
from world import AUTHORS, BOOKS


def named(book):
    return base64.b64encode(f"Book:{book['id']}".encode()).decode()


IDS = [named(book) for book in BOOKS]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving("graphql", tmp_path_factory.mktemp("graphql")) as url:
        yield url


@pytest.fixture
def lists(start, home, server):
    return Lists(start, home, options("graphql", server, "strawberry"))


def test_graphql_connection_is_listed_completely(lists):
    found = lists.check("book", IDS, pages=6)
    first = {"id": IDS[0], "author": AUTHORS[BOOKS[0]["author"] - 1]["name"]}
    assert found[0]["items"][0] == {**{name: BOOKS[0][name] for name in ("title", "shelf", "year")}, **first}


@pytest.mark.parametrize(
    "filter, wanted",
    [
        ({"shelf": "maps & plans"}, lambda book: book["shelf"] == "maps & plans"),
        ({"shelf": "prose", "author": 2}, lambda book: book["shelf"] == "prose" and book["author"] == 2),
        ({"years": [1913, "1926", 1939]}, lambda book: book["year"] in (1913, 1926, 1939)),
        ({"shelf": "\"no\" such"}, lambda book: False),
    ],
)
def test_filtered_graphql_connection_is_listed_completely(lists, filter, wanted):
    lists.check("book", [named(book) for book in BOOKS if wanted(book)], filter=filter)


def test_graphql_items_are_read_by_id(lists):
    larder = lists.process()
    assert larder.call("book/get", id=IDS[12])["item"]["title"] == BOOKS[12]["title"]
    nobody = named({"id": 999})
    found = larder.call("book/getMany", ids=[IDS[56], nobody, IDS[12], IDS[1]])
    assert [item["id"] for item in found["items"]] == [IDS[56], IDS[12], IDS[1]] and found["missing"] == [nobody]
    assert larder.fails("book/get", id=nobody).kind == "notFound"
    assert larder.call("numbered/get", id=12)["item"] == {"title": BOOKS[11]["title"], "isbn": "978-0012"}
    assert larder.fails("numbered/get", id=999).kind == "notFound"


def test_graphql_errors_have_the_message_of_the_server_and_are_not_cached(lists):
    larder = lists.process()
    error = larder.fails("numbered/get", id=13)
    assert error.kind == "invalidResponse" and "book 13 has no isbn" in error.message
    assert larder.fails("numbered/get", id=13, cachePolicy="localOnly").kind == "notCached"
    error = larder.fails("book/list", page="no cursor of this server")
    assert error.kind == "invalidResponse" and "data.books" not in error.message
    error = larder.fails("numbered/list")
    assert error.kind == "invalidResponse" and "book 13 has no isbn" in error.message


def test_explain_shows_the_graphql_operation_and_variables(lists):
    larder = lists.process()
    asked = {"method": "book/list", "params": {"filter": {"shelf": "prose"}}}
    told = larder.wait(larder.send("request/explain", asked))["result"]
    operation = told["requests"][0]["operation"]
    assert operation["operationName"] == "Shelf"
    assert operation["variables"] == {"filter": {"shelf": "prose"}, "first": 10}
