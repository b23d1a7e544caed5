"""prefetch: caches a complete list for later use without a network."""

import json

import pytest

PAGES, ITEMS = 42, 826


@pytest.fixture
def whole(upstream):
    """The upstream with as many characters as the public API has."""
    for id in range(61, ITEMS + 1):
        upstream.edit("character", id, **{**PATTERN, "name": f"Character {id}"})
    return upstream


PATTERN = {
    "status": "Alive",
    "species": "Human",
    "type": "",
    "gender": "unknown",
    "origin": {"name": "unknown", "url": ""},
    "location": {"name": "unknown", "url": ""},
    "image": "",
    "episode": [],
    "url": "",
    "created": "2017-11-04T18:48:46.250Z",
}


def notifications(larder, count):
    return [json.loads(larder.line()) for _ in range(count)]


class TestCompleteList:
    def test_prefetched_list_is_available_offline(self, served, whole):
        result = served.call("character/prefetch")
        assert result == {"pages": PAGES, "items": ITEMS, "fetched": PAGES, "reused": 0, "complete": True}
        assert whole.count() == PAGES
        assert served.close() == 0
        offline = served.again("--offline")
        ids = []
        for page in range(1, PAGES + 1):
            result = offline.call("character/list", page=page)
            assert result["page"]["pages"] == PAGES and result["stale"] is False
            ids += [item["id"] for item in result["items"]]
        assert ids == list(range(1, ITEMS + 1))
        for id in ids:
            assert offline.call("character/get", id=id)["item"]["id"] == id
        assert whole.count() == PAGES

    def test_second_prefetch_sends_no_request(self, served, upstream):
        served.call("character/prefetch")
        result = served.call("character/prefetch")
        assert result == {"pages": 3, "items": 60, "fetched": 0, "reused": 3, "complete": True}
        served.close()
        assert served.again().call("character/prefetch")["reused"] == 3
        assert upstream.count() == 3

    def test_prefetch_revalidates_stale_pages(self, larder, upstream):
        larder.call("character/prefetch")
        larder.call("cache/invalidate")
        assert larder.call("character/prefetch")["fetched"] == 3
        assert all("if-none-match" in entry["headers"] for entry in upstream.requests()[3:])
        assert larder.call("character/list", page=3)["stale"] is False


class TestPartialPrefetch:
    def test_prefetch_stops_at_maxPages(self, served, upstream):
        assert served.call("character/prefetch", maxPages=2)["pages"] == 2
        assert upstream.count() == 2
        assert served.fails("character/list", page=3, cachePolicy="localOnly").kind == "notCached"

    def test_prefetch_of_a_filtered_list_caches_only_that_list(self, served, upstream):
        result = served.call("character/prefetch", filter={"name": "rick"})
        there = served.call("character/list", filter={"name": "rick"}, cachePolicy="localOnly")
        assert there["page"]["count"] == result["items"] > 0
        assert served.fails("character/list", cachePolicy="localOnly").kind == "notCached"

    def test_prefetch_with_a_filter_without_matches_caches_one_empty_page(self, served):
        result = served.call("character/prefetch", filter={"name": "nobody at all"})
        assert (result["pages"], result["items"]) == (1, 0)

    @pytest.mark.parametrize("params", [{"maxPages": -1}, {"maxPages": "all"}, {"filter": {"nose": "x"}}, {"page": 2}])
    def test_invalid_prefetch_params_are_refused(self, larder, upstream, params):
        assert larder.fails("character/prefetch", **params).code == -32602
        assert upstream.count() == 0

    def test_offline_prefetch_only_reads_the_cache(self, start, upstream):
        assert start("--offline").fails("character/prefetch").kind == "notCached"
        with start() as larder:
            pages = larder.call("character/prefetch", filter={"name": "rick"})["pages"]
        asked = upstream.count()
        found = start("--offline").call("character/prefetch", filter={"name": "rick"})
        assert (found["pages"], found["reused"], found["fetched"]) == (pages, pages, 0)
        assert upstream.count() == asked


class TestResuming:
    def test_prefetch_resumes_after_a_failure(self, served, whole):
        # The eleventh request fails.
        for _ in range(10):
            whole.fault()
        whole.fail(status=500)
        error = served.fails("character/prefetch")
        assert error.kind == "serverError" and whole.count() == 11
        whole.heal()
        result = served.call("character/prefetch")
        assert result == {"pages": PAGES, "items": ITEMS, "fetched": PAGES - 10, "reused": 10, "complete": True}

    def test_prefetch_resumes_after_a_kill(self, served, whole):
        for _ in range(10):
            whole.fault()
        hold = whole.hold()
        served.send("character/prefetch")
        hold.wait(1)
        # Ten pages have arrived. They are written before the next read of the file is answered.
        assert served.again().call("character/list", page=9, cachePolicy="localOnly")["items"]
        served.process.kill()
        served.process.wait()
        whole.heal()
        hold.release()
        result = served.again().call("character/prefetch")
        assert (result["pages"], result["items"]) == (PAGES, ITEMS)
        assert result["fetched"] + result["reused"] == PAGES and result["reused"] >= 9

    def test_prefetch_fails_instead_of_using_a_stale_page(self, served, upstream):
        served.call("character/prefetch")
        served.call("cache/invalidate")
        upstream.fail(status=500)
        assert served.fails("character/prefetch").kind == "serverError"

    def test_prefetch_can_be_cancelled(self, served, upstream):
        upstream.fault()
        hold = upstream.hold()
        walk = served.send("character/prefetch")
        hold.wait(1)
        served.notify("$/cancelRequest", {"id": walk})
        assert served.wait(walk)["error"]["code"] == -32800
        upstream.heal()
        hold.release()
        result = served.call("character/prefetch")
        # The second page may have arrived before the prefetch was cancelled.
        assert result["pages"] == 3 and result["reused"] in (1, 2)
        assert served.wait(served.send("server/status"))["result"]["inFlight"] == 0


class TestProgress:
    def test_prefetch_reports_progress_for_each_page(self, served, upstream):
        walk = served.send("character/prefetch", {"workDoneToken": "walk"})
        assert served.wait(walk)["result"]["pages"] == 3
        told = notifications(served, 5)
        assert {entry["method"] for entry in told} == {"$/progress"}
        assert {entry["params"]["token"] for entry in told} == {"walk"}
        values = [entry["params"]["value"] for entry in told]
        assert [value["kind"] for value in values] == ["begin", "report", "report", "report", "end"]
        assert [value.get("percentage") for value in values[1:4]] == [33, 66, 100]
        assert values[1]["message"] == "page 1 of 3"
        served.alive()


