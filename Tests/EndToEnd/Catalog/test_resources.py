"""get, list and getMany with every cache policy, over REST and over GraphQL."""

import datetime
import re

import pytest

NOBODY = {"name": "nobody at all"}


def fetched_at(result):
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", result["fetchedAt"]), result["fetchedAt"]
    return datetime.datetime.fromisoformat(result["fetchedAt"][:-1] + "+00:00")


class TestGet:
    def test_get_result_has_item_source_and_age(self, served):
        before = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=1)
        result = served.call("character/get", id=2)
        assert list(result) == ["item", "source", "fetchedAt", "stale"]
        item = result["item"]
        assert (item["id"], item["name"], item["status"]) == (2, "Morty Smith", "Alive")
        assert item["origin"]["name"] == "unknown" and item["location"]["name"] == "Citadel of Ricks"
        assert (result["source"], result["stale"]) == ("remote", False)
        assert before <= fetched_at(result) <= datetime.datetime.now(datetime.timezone.utc)

    def test_localFirst_policy_requests_an_item_once(self, served, upstream):
        first = served.call("character/get", id=1)
        second = served.call("character/get", id=1)
        assert second == {**first, "source": "memory"}
        assert upstream.count() == 1

    def test_remoteFirst_policy_sends_a_request_for_each_call(self, served, upstream):
        served.call("character/get", id=1)
        upstream.edit("character", 1, name="Pickle Rick")
        result = served.call("character/get", id=1, cachePolicy="remoteFirst")
        assert (result["item"]["name"], result["source"]) == ("Pickle Rick", "remote")
        assert served.call("character/get", id=1)["item"]["name"] == "Pickle Rick"
        assert upstream.count() == 2

    def test_policy_none_neither_reads_nor_writes_the_cache(self, served, upstream):
        assert served.call("character/get", id=1, cachePolicy="none")["source"] == "remote"
        assert served.fails("character/get", id=1, cachePolicy="localOnly").kind == "notCached"
        served.call("character/get", id=1)
        upstream.edit("character", 1, name="Pickle Rick")
        assert served.call("character/get", id=1, cachePolicy="none")["item"]["name"] == "Pickle Rick"
        assert served.call("character/get", id=1)["item"]["name"] == "Rick Sanchez"
        assert upstream.count() == 3

    def test_localOnly_policy_sends_no_request(self, served, upstream):
        error = served.fails("character/get", id=1, cachePolicy="localOnly")
        assert (error.code, error.kind, error.data["resource"]) == (-31010, "notCached", "character")
        assert upstream.count() == 0
        served.call("character/get", id=1)
        assert served.call("character/get", id=1, cachePolicy="localOnly")["source"] == "memory"
        assert served.close() == 0
        assert served.again().call("character/get", id=1, cachePolicy="localOnly")["source"] == "persistence"
        assert upstream.count() == 1

    def test_cached_item_survives_a_restart(self, served, upstream):
        first = served.call("character/get", id=1)
        assert served.close() == 0
        again = served.again()
        assert again.call("character/get", id=1) == {**first, "source": "persistence"}
        assert again.call("character/get", id=1) == {**first, "source": "memory"}
        assert upstream.count() == 1

    def test_restart_without_persistence_loses_the_cache(self, served):
        lonely = served.again("--no-persistence")
        lonely.call("character/get", id=1)
        assert lonely.call("character/get", id=1)["source"] == "memory"
        assert served.again().fails("character/get", id=1, cachePolicy="localOnly").kind == "notCached"

    def test_missing_item_is_notFound(self, served):
        for _ in range(2):
            error = served.fails("character/get", id=99999)
            assert (error.code, error.kind) == (-31003, "notFound")

    def test_deleted_item_leaves_the_cache(self, served, upstream):
        served.call("character/get", id=5)
        upstream.delete("character", 5)
        assert served.call("character/get", id=5)["source"] == "memory"
        assert served.fails("character/get", id=5, cachePolicy="remoteFirst").kind == "notFound"
        assert served.fails("character/get", id=5, cachePolicy="localOnly").kind == "notCached"
        assert served.close() == 0
        assert served.again().fails("character/get", id=5, cachePolicy="localOnly").kind == "notCached"

    def test_integer_id_may_be_given_as_a_string(self, served, upstream):
        served.call("character/get", id=1)
        assert served.call("character/get", id="1")["source"] == "memory"
        assert upstream.count() == 1

    @pytest.mark.parametrize("id", ["../location/1", "1/../2", "1?page=2", "a\nb", "..", "%2e%2e", "", -1, 1.5])
    def test_id_cannot_add_path_segments_or_a_query_to_the_url(self, start, upstream, id):
        larder = start()
        error = larder.fails("character/get", id=id)
        assert error.code == -32602 or error.kind in ("notFound", "invalidRequest", "serverError"), error
        for entry in upstream.requests():
            assert re.fullmatch(r"/api/character/[^/?#]*", entry["path"]), entry["path"]
        larder.alive()


class TestMaxAge:
    def test_maxAge_zero_causes_a_new_request(self, served, upstream):
        served.call("character/get", id=1)
        upstream.edit("character", 1, name="Pickle Rick")
        result = served.call("character/get", id=1, maxAge=0)
        assert (result["item"]["name"], result["source"], result["stale"]) == ("Pickle Rick", "remote", False)

    @pytest.mark.parametrize("age", [3600, 3600.5, "90s", "5m", "12h", "30d"])
    def test_entry_younger_than_maxAge_is_fresh(self, served, upstream, age):
        served.call("character/get", id=1)
        assert served.call("character/get", id=1, maxAge=age)["source"] == "memory"
        assert upstream.count() == 1

    def test_stale_item_is_returned_if_the_remote_fails(self, served, upstream):
        first = served.call("character/get", id=1)
        upstream.fail(status=500)
        result = served.call("character/get", id=1, maxAge=0)
        assert result["item"] == first["item"] and result["fetchedAt"] == first["fetchedAt"]
        assert result["stale"] is True and result["source"] == "memory"
        assert result["fallback"]["code"] == -31004 and result["fallback"]["data"]["kind"] == "serverError"
        assert result["fallback"]["message"]

    def test_policy_localOnly_marks_stale_items(self, served):
        served.call("character/get", id=1)
        assert served.call("character/get", id=1, cachePolicy="localOnly")["stale"] is False
        assert served.call("character/get", id=1, cachePolicy="localOnly", maxAge=0)["stale"] is True


class TestList:
    def test_pages_have_items_and_page_info(self, served):
        result = served.call("character/list")
        assert list(result) == ["items", "page", "source", "fetchedAt", "stale"]
        assert result["page"] == {"current": 1, "pages": 3, "count": 60, "next": 2, "previous": None}
        assert [item["id"] for item in result["items"]] == list(range(1, 21))
        last = served.call("character/list", page=3)
        assert last["page"] == {"current": 3, "pages": 3, "count": 60, "next": None, "previous": 2}
        assert [item["id"] for item in last["items"]] == list(range(41, 61))

    def test_page_is_cached(self, served, upstream):
        first = served.call("character/list", page=2)
        assert served.call("character/list", page=2) == {**first, "source": "memory"}
        served.close()
        again = served.again()
        assert again.call("character/list", page=2) == {**first, "source": "persistence"}
        assert again.call("character/list", page=2) == {**first, "source": "memory"}
        assert upstream.count() == 1

    def test_list_call_without_the_param_page_returns_page_one(self, served, upstream):
        served.call("character/list")
        assert served.call("character/list", page=1)["source"] == "memory"
        assert served.call("character/list", filter={})["source"] == "memory"
        assert upstream.count() == 1

    def test_items_cached_by_a_list_are_found_by_get(self, served, upstream):
        page = served.call("character/list", page=2)
        got = served.call("character/get", id=25)
        assert got["source"] == "memory" and got["item"] == page["items"][4]
        assert upstream.count() == 1

    def test_filters_are_sent_and_their_order_does_not_affect_the_cache(self, served, upstream):
        result = served.call("character/list", filter={"name": "rick", "status": "Alive"})
        assert result["items"] and result["page"]["count"] == len(result["items"])
        assert all("rick" in i["name"].lower() and i["status"] == "Alive" for i in result["items"])
        same = served.call("character/list", filter={"status": "Alive", "name": "rick"})
        assert same["source"] == "memory"
        assert served.call("character/list", filter={"name": "rick"})["source"] == "remote"
        assert upstream.count() == 2

    def test_filter_with_special_characters_is_encoded(self, served, upstream):
        upstream.edit("character", 9, name="a&b=c d/é+?#%")
        result = served.call("character/list", filter={"name": "&b=c d/é+?#%"})
        assert [item["id"] for item in result["items"]] == [9]

    def test_filter_without_matches_returns_an_empty_page(self, served, upstream):
        for source in ("remote", "memory"):
            result = served.call("character/list", filter=NOBODY)
            assert result["items"] == [] and result["source"] == source
            assert (result["page"]["current"], result["page"]["next"], result["page"]["previous"]) == (1, None, None)
        assert upstream.count() == 1

    def test_page_past_the_end_is_notFound(self, served):
        assert served.fails("character/list", page=999).kind == "notFound"
        assert served.call("character/list")["page"]["pages"] == 3

    def test_list_follows_each_cache_policy(self, served, upstream):
        assert served.fails("episode/list", cachePolicy="localOnly").kind == "notCached"
        assert served.call("episode/list", cachePolicy="none")["source"] == "remote"
        assert served.fails("episode/list", cachePolicy="localOnly").kind == "notCached"
        assert served.call("episode/list", cachePolicy="remoteFirst")["source"] == "remote"
        assert served.call("episode/list", cachePolicy="localOnly")["source"] == "memory"
        upstream.edit("episode", 1, name="Another pilot")
        assert served.call("episode/list")["items"][0]["name"] == "Pilot"
        assert served.call("episode/list", cachePolicy="remoteFirst")["items"][0]["name"] == "Another pilot"

    def test_stale_page_is_returned_if_the_remote_fails(self, served, upstream):
        first = served.call("location/list")
        upstream.fail(drop=True)
        for settings in ({"maxAge": 0}, {"cachePolicy": "remoteFirst"}):
            result = served.call("location/list", **settings)
            assert result["items"] == first["items"] and result["page"] == first["page"]
            assert result["stale"] is True and result["fallback"]["data"]["kind"] == "network"

    def test_cached_page_shows_the_current_values_of_its_items(self, served, upstream):
        served.call("character/list")
        upstream.edit("character", 3, name="Somebody else")
        served.call("character/get", id=3, cachePolicy="remoteFirst")
        page = served.call("character/list")
        assert page["source"] == "memory" and page["items"][2]["name"] == "Somebody else"

    def test_page_is_fetched_again_if_one_of_its_items_was_removed(self, served, upstream):
        served.call("character/list")
        served.call("cache/remove", resource="character", id=3)
        page = served.call("character/list")
        assert page["source"] == "remote" and len(page["items"]) == 20
        assert upstream.count() == 2


class TestGetMany:
    def test_getMany_keeps_the_order_and_lists_missing_ids(self, served):
        result = served.call("character/getMany", ids=[3, 99999, 1, 2])
        assert list(result) == ["items", "missing", "sources"]
        assert [item["id"] for item in result["items"]] == [3, 1, 2]
        assert result["missing"] == [99999]
        assert result["sources"] == {"memory": 0, "persistence": 0, "remote": 3}

    def test_getMany_takes_each_item_from_the_first_cache_level_that_has_it(self, served):
        served.call("character/get", id=1)
        served.close()
        again = served.again()
        again.call("character/get", id=2)
        result = again.call("character/getMany", ids=[1, 2, 3])
        assert result["sources"] == {"memory": 1, "persistence": 1, "remote": 1}
        assert again.call("character/get", id=3)["source"] == "memory"

    def test_getMany_sends_one_request_for_many_ids(self, served, upstream):
        assert len(served.call("character/getMany", ids=list(range(1, 21)))["items"]) == 20
        assert upstream.count() == 1

    def test_getMany_accepts_one_id_and_an_empty_list(self, served, upstream):
        assert [i["id"] for i in served.call("character/getMany", ids=[7])["items"]] == [7]
        empty = served.call("character/getMany", ids=[])
        assert empty["items"] == [] and empty["missing"] == []
        assert upstream.count() == 1

    def test_getMany_with_only_missing_ids_returns_no_items(self, served):
        result = served.call("character/getMany", ids=[88888, 99999])
        assert result["items"] == [] and result["missing"] == [88888, 99999]

    def test_getMany_follows_each_cache_policy(self, served, upstream):
        served.call("character/get", id=1)
        upstream.edit("character", 1, name="Pickle Rick")
        local = served.call("character/getMany", ids=[1, 2], cachePolicy="localOnly")
        assert [i["name"] for i in local["items"]] == ["Rick Sanchez"] and local["missing"] == [2]
        fresh = served.call("character/getMany", ids=[1, 2], cachePolicy="none")
        assert fresh["items"][0]["name"] == "Pickle Rick" and fresh["sources"]["remote"] == 2
        assert served.call("character/get", id=1)["item"]["name"] == "Rick Sanchez"
        first = served.call("character/getMany", ids=[1, 2], cachePolicy="remoteFirst")
        assert first["sources"]["remote"] == 2
        assert served.call("character/get", id=1)["item"]["name"] == "Pickle Rick"


def common_parts(left, right):
    """Returns copies of both values with only the object keys that both contain.

    The URLs of relations in the left value become ids, as in the right value.
    """
    if isinstance(left, dict) and isinstance(right, dict):
        keys = [key for key in left if key in right]
        assert keys == [key for key in right if key in left], "the order of the keys differs"
        pairs = {key: common_parts(left[key], right[key]) for key in keys}
        return {k: v[0] for k, v in pairs.items()}, {k: v[1] for k, v in pairs.items()}
    if isinstance(left, list) and left and left[0].startswith("https://rickandmortyapi.com/api/"):
        return [int(url.rsplit("/", 1)[1]) for url in left], right
    return left, right


@pytest.mark.parametrize("served", ["graphql"], indirect=True)
class TestTransportsAgree:
    """Both transports return the same values for the fields that both contain."""

    FIELDS = {
        "character": {
            *("id", "name", "status", "species", "type", "gender", "origin", "location", "image", "episode", "created")
        },
        "location": {"id", "name", "type", "dimension", "created", "residents"},
        "episode": {"id", "name", "episode", "created", "characters"},
    }

    @pytest.fixture
    def both(self, served, start, tmp_path_factory):
        return start(cache_dir=tmp_path_factory.mktemp("rest")), served

    @pytest.mark.parametrize("resource", ["character", "location", "episode"])
    def test_items_and_pages_are_equal_over_rest_and_graphql(self, both, shared_upstream, resource):
        count = 0
        for id in shared_upstream.data.rows[resource]:
            left, right = (one.call(f"{resource}/get", id=id, cachePolicy="none")["item"] for one in both)
            a, b = common_parts(left, right)
            assert a == b
            assert self.FIELDS[resource] <= set(a)
            assert isinstance(right["id"], int)
            count += 1
        assert count == {"character": 60, "location": 30, "episode": 15}[resource]
        for page in range(1, -(-count // 20) + 1):
            left, right = (one.call(f"{resource}/list", page=page) for one in both)
            assert left["page"] == right["page"]
            for one, other in zip(left["items"], right["items"]):
                a, b = common_parts(one, other)
                assert a == b

    @pytest.mark.parametrize(
        "resource, filter",
        [("character", {"name": "rick"}), ("character", {"gender": "male", "status": "dead"}), ("character", NOBODY)]
        + [("location", {"type": "Planet"}), ("episode", {"episode": "S01"})],
    )
    def test_filtered_lists_are_equal_over_rest_and_graphql(self, both, resource, filter):
        left, right = (one.call(f"{resource}/list", filter=filter) for one in both)
        assert [i["id"] for i in left["items"]] == [i["id"] for i in right["items"]]
        if left["items"]:
            assert left["page"] == right["page"]

    def test_getMany_results_are_equal_over_rest_and_graphql(self, both):
        left, right = (one.call("character/getMany", ids=[3, 99999, 1]) for one in both)
        assert [i["id"] for i in left["items"]] == [i["id"] for i in right["items"]] == [3, 1]
        assert left["missing"] == right["missing"] == [99999]
        assert left["sources"] == right["sources"]
