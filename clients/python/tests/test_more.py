"""The blocking client: pagination, scopes, progress, changes, explanations and the text representations of results."""

import threading

import pytest

import larder
from harness import binary, environment, eventually
from larder import Larder
from larder.session import request_limit
from scripted import serving


def test_method_all_returns_the_items_of_all_pages(client, upstream):
    pages = client.character.pages()
    assert upstream.count() == 0, "nothing is fetched before the first use"
    assert [item["id"] for item in pages.all()] == list(range(1, 61))
    assert list(pages.items()) == [item for page in client.character.pages() for item in page.items]
    assert list(pages) == [], "the loop has ended"


def test_methods_all_and_records_start_at_the_first_page(client, upstream):
    """A list that is read only in part never looks like the whole list, because `all()` and `records()` start at the
    first page."""
    pages = client.character.pages(page=2)
    assert next(pages).page.current == 2
    for _ in range(2):
        assert [item["id"] for item in pages.all()] == list(range(21, 61))
        assert len(pages.records()) == 40
    assert next(pages).page.current == 3 and list(pages) == []
    fresh_pages = client.character.pages(cache_policy="none")
    assert next(fresh_pages).page.current == 1
    upstream.fail(status=404)
    for ask in (fresh_pages.all, fresh_pages.records, fresh_pages.__next__):
        with pytest.raises(larder.NotFound):
            ask()
    upstream.heal()
    assert len(fresh_pages.all()) == len(fresh_pages.records()) == 60
    assert [page.page.current for page in fresh_pages] == [2, 3], "after an error the loop continues at its position"


def test_client_returns_a_resource_by_name_in_brackets(client):
    assert client["character"].get(1).item == client.character.get(1).item


def test_dir_of_a_client_lists_resources_after_the_first_reply(client, upstream):
    client.recents.list()
    assert {"character", "location", "episode", "recents", "get_many"} - set(dir(client)) == {"get_many"}
    assert dir(larder.Larder.__new__(larder.Larder)) and upstream.count() == 0


def test_fields_select_the_fields_of_items(client):
    assert client.character.get(1, fields=["name", "origin.name"]).item == {
        "name": "Rick Sanchez",
        "origin": {"name": "Earth (C-137)"},
    }
    assert list(client.character.list(fields=["id"]).items[0]) == ["id"]


def test_search_finds_cached_items(client):
    client.character.list()
    found = client.character.search("rick san", limit=1)
    assert [item["name"] for item in found.items] == ["Rick Sanchez"] and found.count == 1
    assert client.character.search(status="Dead", filter={"species": "Human"}).count >= 1
    assert repr(found) == "<1 of 1 item found in the cache>"


def test_prefetch_reports_each_page(client):
    seen = []
    done = client.character.prefetch(progress=seen.append)
    assert (done.pages, done.items, done.fetched, done.reused, done.complete) == (3, 60, 3, 0, True)
    assert [step.message for step in seen] == ["page 1 of 3", "page 2 of 3", "page 3 of 3"]
    assert [step.percentage for step in seen][-1] == 100
    assert client.character.prefetch(max_pages=1, name="rick").complete in (True, False)


def test_sync_updates_the_copy_and_returns_the_changes(client, upstream):
    seen = []
    first = client.character.sync(progress=seen.append)
    assert (first.mode, first.requests, first.added, first.items) == ("whole", 3, 60, 60)
    assert (first.deletions, first.complete, first.held, first.changes) == ("walked", True, None, [])
    assert seen[-1].percentage == 100
    upstream.edit("character", 1, name="Pickle Rick")
    upstream.delete("character", 2)
    second = client.character.sync(changes=True)
    assert (second.added, second.changed, second.removed, second.items) == (0, 1, 1, 59)
    assert second.changes == [larder.SyncChange("changed", 1), larder.SyncChange("removed", 2)]
    assert second.changes_omitted == 0 and second.synced_at == second.whole_at >= first.whole_at
    assert client.character.get(1, cache_policy="localOnly").item["name"] == "Pickle Rick"
    recent = client.character.sync(max_age="1h")
    assert (recent.mode, recent.requests, recent.synced_at) == ("none", 0, second.synced_at)
    assert client.character.sync(max_age="1h", whole=True).mode == "whole"


def test_sync_continues_after_max_requests(client):
    part = client.character.sync(max_requests=1)
    assert (part.requests, part.items, part.complete, part.synced_at, part.whole_at) == (1, 20, False, None, None)
    rest = client.character.sync()
    assert (rest.requests, rest.added, rest.items) == (2, 40, 60) and rest.synced_at
    assert client.character.sync().complete
    [copy] = client.cache.syncs()
    assert (copy["resource"], copy["items"], copy["complete"]) == ("character", 60, True)


def test_removal_of_most_items_is_held_back_until_it_is_accepted(client, upstream):
    rick = {name: value for name, value in client.character.get(1).item.items() if name != "id"}
    for id in range(1001, 1101):
        upstream.edit("character", id, **rick)
    assert client.character.sync().items == 160
    for id in range(1001, 1101):
        upstream.delete("character", id)
    held = client.character.sync()
    assert (held.held, held.removed, held.items, held.deletions) == (100, 0, 160, "unknown")
    assert client.character.sync(accept_removals=True).removed == 100


def test_failing_progress_callback_fails_only_its_own_request(client):
    def fail(step):
        raise KeyError(step.message)

    with pytest.raises(KeyError, match="page 1 of 3"):
        client.character.prefetch(progress=fail)
    assert client.recents.list() == []


def test_observe_method_reports_changes_of_an_item(client, upstream):
    client.character.get(1)
    with client.character.observe(1) as changes:
        upstream.edit("character", 1, name="Pickle Rick")
        client.character.get(1, cache_policy="remoteFirst")
        assert next(changes).item.item["name"] == "Pickle Rick"
        client.cache.remove("character", id=1)
        assert next(changes).gone
        with pytest.raises(larder.NoReply):
            changes.next(timeout=0.05)
    with pytest.raises(StopIteration):
        next(changes)


def test_observe_method_reports_changes_of_a_page(client):
    with client.character.observe(name="rick") as changes:
        client.character.list(name="rick")
        assert next(changes).page.page.current == 1


def test_threads_get_their_replies_although_calls_in_other_threads_time_out(client, upstream):
    """A thread that reads for all waiting threads lets another thread read when its own call times out."""
    hold = upstream.hold("/api/location/1")
    wrong = []

    def ask(seed):
        for n in range(150):
            id = (seed * 7 + n) % 20 + 1
            if n % 30 == 7:
                try:
                    client.location.get(1, timeout=0.001)
                    wrong.append("a held request was answered")
                except larder.NoReply:
                    pass
            elif client.character.get(id).item["id"] != id:
                wrong.append(id)

    with client.character.observe(1):
        threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    hold.release()
    assert wrong == [] and client._channel.parked == {} and client._channel.pending == {}


def test_requests_above_the_limit_wait_in_the_client(open_larder):
    """The process accepts two requests at once. Further requests wait in the client, so none is refused as busy."""
    client = open_larder("--max-in-flight", "2")
    results = {}

    def ask(id):
        results[id] = client.character.get(id).item["id"]

    threads = [threading.Thread(target=ask, args=(id,)) for id in range(1, 51)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {id: id for id in range(1, 51)} and client._waiting_for_room == 0


@pytest.mark.parametrize(
    "args, limit",
    [([], 1000), (["--max-in-flight", "2000"], 1976), (["--max-in-flight=8"], 7), (["--max-in-flight", "1"], 1)],
)
def test_default_request_limit_follows_the_option_max_in_flight(args, limit):
    assert request_limit(args) == limit


def test_observer_and_calls_work_in_different_threads(client, upstream):
    """The thread that reads also reads the messages for all other waiting threads."""
    with client.character.observe(1) as changes:
        got = []
        thread = threading.Thread(target=lambda: got.append(next(changes)))
        thread.start()
        for id in range(2, 8):
            assert client.character.get(id).item["id"] == id
        client.character.get(1)
        thread.join()
        assert got[0].item.item["id"] == 1


def test_observer_continues_after_a_crash(client):
    with client.character.observe(1) as changes:
        client._channel.process.kill()
        got = []
        thread = threading.Thread(target=lambda: got.append(next(changes)))
        thread.start()
        # When the new process starts to observe is unknown, so changes are made until one is reported.
        while thread.is_alive():
            client.character.get(1)
            client.cache.remove("character", id=1)
        thread.join()
        assert got[0].gone or got[0].item.item["id"] == 1


def test_explanation_has_the_method_the_steps_and_the_request(client):
    explanation = client.character.explain(1)
    assert explanation.method == "character/get"
    assert explanation.steps[-1] == "memory and persistence: the answer is stored"
    assert "would request: GET" in repr(explanation) and repr(explanation).startswith("character/get, localFirst\n")
    assert client.character.explain(name="rick").method == "character/list"
    assert client.character.explain(ids=[1, 2]).method == "character/getMany"


def test_scope_set_for_a_resource_is_sent_with_each_request(home, open_larder):
    def answer(request):
        _, _, owner, repo, _, number = request.path.split("/")
        return 200, {}, {"number": int(number), "title": f"{owner} and {repo}"}

    catalog = home / "scoped.json"
    with serving(answer) as url:
        catalog.write_text(
            '{"larder": 1, "apis": {"rickandmorty": {"baseURL": "https://forge.example"}},'
            ' "resources": {"issue": {"api": "rickandmorty",'
            ' "id": {"type": "integer", "from": "number"}, "scope": {"owner": "string", "repo": "string"},'
            ' "fields": {"number": "integer", "title": "string"},'
            ' "rest": {"get": {"path": "/repos/{owner}/{repo}/issues/{id}"}}}}}'
        )
        client = open_larder("--catalog", catalog, upstream=url)
        issues = client.issue.at(owner="apple", repo="swift")
        assert repr(issues) == "<larder resource issue, owner apple, repo swift>"
        assert issues.get(1).item["title"] == "apple and swift"
        assert issues.at(repo="llvm").get(1).item["title"] == "apple and llvm"
        assert client.cache.remove("issue", scope={"owner": "apple", "repo": "swift"}) == 1
        with pytest.raises(larder.InvalidParams, match="owner"):
            client.issue.get(1)


class TestTextRepresentations:
    def test_repr_of_an_item_shows_its_age_and_staleness(self, client, upstream):
        result = client.character.get(1)
        text = repr(result)
        assert text.startswith("<item id=1 name='Rick Sanchez' and 10 more fields, from remote, ")
        assert "old" in result.provenance and result.age >= 0
        upstream.fail(status=500)
        stale = repr(client.character.get(1, cache_policy="remoteFirst"))
        assert "stale, because: " in stale and "500" in stale

    def test_repr_of_several_items_shows_their_count(self, client):
        assert repr(client.character.list(page=2)).startswith("<20 items, page 2 of 3, from remote, ")
        assert repr(client.character.get_many([21, 99999])) == "<1 item: 1 from memory, missing [99999]>"

    def test_records_method_returns_flat_records_with_dotted_keys(self, client):
        record = client.character.list().records()[0]
        assert record["origin.name"] == "Earth (C-137)" and record["id"] == 1 and "origin" not in record

    def test_api_data_is_escaped_in_html(self, client, upstream):
        upstream.edit("character", 1, name="<script>alert(1)</script>", type="a & b")
        for shown in (client.character.get(1), client.character.list(), client.character.get_many([1])):
            page = shown._repr_html_()
            assert "<script>" not in page and "&lt;script&gt;" in page and "a &amp; b" in page
            assert page.startswith("<table><caption>") and "<th>origin.name</th>" in page


def test_errors_have_the_message_of_the_api(client, upstream):
    upstream.fail(status=429, headers={"Retry-After": "120"}, body='{"error": "slower, please"}')
    with pytest.raises(larder.RateLimited) as caught:
        client.character.get(1)
    assert caught.value.retry_after == 120 and caught.value.api_message == "slower, please"
    with pytest.raises(larder.NotCached) as caught:
        client.character.get(1, cache_policy="localOnly")
    assert caught.value.retry_after is None and caught.value.api_message is None


def test_max_in_flight_does_not_delay_local_methods(open_larder, upstream):
    hold = upstream.hold("/api/character")
    client = open_larder(max_in_flight=1)
    slow = threading.Thread(target=lambda: client.character.get(1))
    slow.start()
    hold.wait()
    assert client.recents.list() == []
    assert client.cache.stats()["memory"] and client.character.search("rick", timeout=10).count == 0
    with pytest.raises(larder.NotCached):
        client.character.get(2, cache_policy="localOnly", timeout=10)
    hold.release()
    slow.join()


def test_timeout_includes_the_wait_for_other_requests_in_flight(open_larder, upstream):
    hold = upstream.hold("/api/character")
    client = open_larder(max_in_flight=1)
    slow = threading.Thread(target=lambda: client.character.get(1))
    slow.start()
    hold.wait()
    with pytest.raises(larder.NoReply, match="in flight"):
        client.character.get(2, timeout=0.05)
    hold.release()
    slow.join()
    assert client.character.get(2).item["id"] == 2 and client._waiting_for_room == 0


def test_queued_request_is_sent_after_its_method_is_known_to_be_local(late_handshake):
    with larder.Larder(binary=late_handshake, max_in_flight=1) as client:
        slow = threading.Thread(target=lambda: client.thing.get(1))
        slow.start()
        eventually(lambda: client._channel.pending, "the first request")
        local = threading.Thread(target=lambda: client.call("thing/local"))
        local.start()
        eventually(lambda: client._waiting_for_room == 1, "the local request to wait")
        client.request("greet", {"cachePolicy": "localOnly"})
        local.join()
        assert slow.is_alive() and len(client._channel.pending) == 1
        client.request("release", {"cachePolicy": "localOnly"})
        slow.join()


@pytest.mark.parametrize("one", [larder.Larder, larder.AsyncLarder])
def test_client_is_not_iterable(one):
    client = one.__new__(one)
    for use in (lambda: iter(client), lambda: "character" in client, lambda: list(client)):
        with pytest.raises(TypeError):
            use()


def test_single_string_is_refused_where_a_list_is_expected(client):
    for make in (larder.Larder, larder.AsyncLarder):
        with pytest.raises(TypeError, match="args must be a list"):
            make("--offline")
    for ask in (
        lambda: client.character.get(1, fields="name"),
        lambda: client.character.list(fields="name"),
        lambda: client.character.search("rick", fields="name"),
        lambda: client.character.get_many("12"),
        lambda: client.cache.remove("character", ids="12"),
    ):
        with pytest.raises(TypeError, match="must be a list"):
            ask()


class Whole:
    """An integer type other than `int`, like the types of numpy."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def test_id_may_be_of_any_integer_type(client):
    assert client.character.get(Whole(1)).item["id"] == 1
    assert client.character.get_many([Whole(2), 1, "3"]).missing == []
    assert client.character.explain(Whole(1)).steps == ["memory: fresh, returned"]
    assert client.character.explain(ids=[Whole(1)]).method == "character/getMany"
    with client.character.observe(Whole(1)) as changes:
        assert client.cache.invalidate("character", id=Whole(1)) == 1
        assert client.cache.remove("character", ids=[Whole(1), Whole(2)]) == 2
        assert next(changes).gone
    for wrong in (True, 1.5):
        with pytest.raises(larder.InvalidParams):
            client.character.get(wrong)


def test_filters_and_scope_parameters_may_be_named_self(client):
    one = client.character
    for ask in (one.list, one.prefetch, one.sync, one.observe, one.explain):
        with pytest.raises(larder.InvalidParams, match="self"):
            ask(self="x")
    for ask in (client.character.search, lambda **filters: next(client.character.pages(**filters))):
        with pytest.raises(larder.InvalidParams, match="self"):
            ask(self="x")
    assert client.character.at(self="x")._calls.scope == {"self": "x"}


def test_resources_of_two_catalogs_are_available(upstream, home, places):
    catalogs = ["--catalog", "rickandmorty", "--catalog", "hackernews"]
    base = ["--base-url", f"rickandmorty.rickandmorty={upstream.url}"]
    with Larder(args=[*catalogs, *base, *places], binary=binary(), env=environment(home)) as client:
        assert client["rickandmorty.character"].get(1).item["name"] == "Rick Sanchez"
        assert "hackernews.story" in client.status()["resources"]
