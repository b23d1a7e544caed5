"""Django REST framework: pages, offsets, cursors and links; nested resources; throttling; tokens; JSON:API."""

import pytest

from serving import Lists, fetched, ids_of, options, serving, walk
from world import BOOKS, SHELVES

IDS = [book["id"] for book in BOOKS]
TOKEN = "0123456789abcdef0123456789abcdef01234567"
APIS = ["django", "token", "named"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving("django", tmp_path_factory.mktemp("django")) as url:
        yield url


@pytest.fixture
def lists(start, home, server):
    args = [*options("django", server, *APIS), "--base-url", f"jsonapi={server}/api"]
    return Lists(start, home, args, env={"DJANGO_TOKEN": TOKEN, "DJANGO_PASSWORD": "django-password"})


def on(shelf, since=0):
    return [book["id"] for book in BOOKS if shelf in (None, book["shelf"]) and book["year"] >= since]


@pytest.mark.parametrize("resource, pages, count", [
    ("book", 6, "all"), ("offset", 6, "all"), ("link", 6, "all"), ("sized", 3, "all"), ("api", 6, "all"),
])
def test_django_list_is_complete_in_each_pagination_style(lists, server, resource, pages, count):
    assert [book["id"] for book in fetched(f"{server}/page/books/?page_size=99")["results"]] == IDS
    lists.check(resource, IDS, pages=pages, count=count)


@pytest.mark.parametrize("resource", ["cursor", "laid"])
def test_django_list_by_cursor_with_a_non_unique_order_is_complete(lists, server, resource):
    wanted, url = [], f"{server}/cursor/books/"
    while url:
        page = fetched(url)
        wanted, url = wanted + [book["id"] for book in page["results"]], page["next"]
    assert sorted(wanted) == IDS
    found = lists.check(resource, wanted, pages=6, count=None)
    if resource == "cursor":
        larder = lists.process()
        back = larder.call("cursor/list", page=found[1]["page"]["next"])["page"]["previous"]
        assert larder.call("cursor/list", page=back)["items"] == found[1]["items"]


def test_django_list_that_ends_with_status_404_is_complete(lists):
    found = lists.check("silent", IDS, pages=7, count=None)
    assert found[-1]["items"] == [] and found[-1]["page"]["next"] is None


@pytest.mark.parametrize("resource, filter, wanted", [
    ("book", {"shelf": "maps & plans"}, on("maps & plans")),
    ("book", {"shelf": "prose", "year": "1950"}, on("prose", 1950)),
    ("book", {"shelf": "no such"}, []),
    ("sized", {"shelf": "poetry"}, on("poetry")),
    ("link", {"shelf": "maps & plans"}, on("maps & plans")),
    ("api", {"shelf": "maps & plans"}, on("maps & plans")),
])
def test_filtered_django_list_is_complete(lists, resource, filter, wanted):
    lists.check(resource, wanted, filter=filter)


def test_django_list_of_exactly_full_pages_is_complete(lists):
    assert len(IDS) == 3 * 19 and len(on("poetry")) == 19
    assert len(lists.check("sized", IDS)) == 3


@pytest.mark.parametrize("shelf", SHELVES)
def test_nested_django_lists_are_complete(lists, shelf):
    found = lists.check("shelved", on(shelf), shelf=shelf)
    assert {item["shelf"] for page in found for item in page["items"]} == {shelf}
    lists.check("shelved", on(shelf, 1970), shelf=shelf, filter={"year": "1970"})


def test_nested_django_item_of_another_parent_is_not_found(lists):
    larder = lists.process()
    id = on("poetry")[0]
    assert larder.call("shelved/get", shelf="poetry", id=id)["item"]["shelf"] == "poetry"
    error = larder.fails("shelved/get", shelf="prose", id=id)
    assert error.kind == "notFound" and error.data["apiMessage"] == "No Book matches the given query."
    assert larder.call("shelved/get", shelf="poetry", id=id)["source"] == "memory"
    assert larder.call("shelf/get", id="maps & plans")["item"] == {"name": "maps & plans"}
    assert [item["name"] for item in larder.call("shelf/list")["items"]] == sorted(SHELVES)


def test_django_items_are_read_by_id(lists):
    larder = lists.process()
    assert larder.call("api/get", id=13)["item"] == {
        **{name: BOOKS[12][name] for name in ("id", "title", "year", "shelf", "author")}
    }
    found = larder.call("book/getMany", ids=[57, 999, 13, 2])
    assert [item["id"] for item in found["items"]] == [57, 13, 2] and found["missing"] == [999]


def test_errors_have_the_message_of_django(lists):
    larder = lists.process()
    error = larder.fails("book/get", id=999)
    assert (error.kind, error.data["apiMessage"]) == ("notFound", "No Book matches the given query.")
    error = larder.fails("book/list", page=99)
    assert (error.kind, error.data["apiMessage"]) == ("notFound", "Invalid page.")
    error = larder.fails("book/list", filter={"year": "long ago"})
    assert (error.kind, error.data["apiMessage"]) == ("invalidRequest", "year: Enter a whole number.")
    error = larder.fails("api/get", id=999)
    assert (error.kind, error.data["apiMessage"]) == ("notFound", "No Book matches the given query.")
    error = larder.fails("api/list", page=99)
    assert error.kind == "notFound" and "Invalid page" in error.data["apiMessage"]


def test_django_accepts_tokens_and_passwords(lists):
    lists.check("private", IDS, pages=6)
    assert lists.process().call("named/get", id=3)["item"]["id"] == 3
    wrong = lists.process(env={"DJANGO_TOKEN": "f" * 40, "DJANGO_PASSWORD": "another password"})
    error = wrong.fails("private/list")
    assert (error.kind, error.data["apiMessage"]) == ("unauthorized", "Invalid token.")
    error = wrong.fails("named/get", id=4)
    assert (error.kind, error.data["apiMessage"]) == ("unauthorized", "Invalid username/password.")


def test_request_throttled_by_django_is_a_rate_limit_error(lists):
    with lists.process("--var", "WHO=10.0.0.1") as larder:
        for page in range(1, 7):
            larder.call("slow/list", page=page)
        error = larder.fails("slow/list", page=1, cachePolicy="none")
        assert error.kind == "rateLimited" and 86000 < error.data["retryAfter"] <= 86400
        assert error.data["apiMessage"].startswith("Request was throttled. Expected available in")
        found = larder.call("slow/list", page=1, cachePolicy="remoteFirst")
        assert found["fallback"]["data"]["kind"] == "rateLimited" and found["stale"] is True
        assert ids_of([found]) == IDS[:10]
        # All pages are cached, so the list needs no request.
        assert ids_of(walk(larder, "slow")) == IDS
    with lists.process("--var", "WHO=10.0.0.2", cache_dir=lists.home / "other") as larder:
        for _ in range(3):
            larder.call("slow/list", cachePolicy="none")
        error = larder.fails("slow/prefetch")
        assert error.kind == "rateLimited"
        assert larder.call("slow/search")["count"] == 30
        assert larder.fails("slow/prefetch").kind == "rateLimited"
