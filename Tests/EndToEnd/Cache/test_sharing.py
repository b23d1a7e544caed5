"""Concurrent requests for the same data share one request to the remote."""

from harness import eventually


def wait_for_coalesced(larder, count):
    """Waits until `count` requests have joined a fetch that was already running."""
    eventually(lambda: larder.call("cache/stats")["remote"]["coalesced"] >= count, f"{count} shared requests")


def test_thousand_readers_of_an_uncached_item_share_one_request(served, upstream):
    hold = upstream.hold()
    asked = [served.send("character/get", {"id": 1}) for _ in range(1000)]
    hold.wait(1)
    wait_for_coalesced(served, 999)
    hold.release()
    results = [served.wait(id)["result"] for id in asked]
    assert all(result == results[0] and result["source"] == "remote" for result in results)
    assert upstream.count() == 1
    stats = served.call("cache/stats")
    assert (stats["remote"]["requests"], stats["remote"]["coalesced"]) == (1, 999)


def test_concurrent_list_getMany_and_get_calls_share_requests(served, upstream):
    hold = upstream.hold()
    asked = [served.send("character/list", {"page": 2}) for _ in range(20)]
    asked += [served.send("character/getMany", {"ids": [1, 2, 3]}) for _ in range(20)]
    hold.wait(2)
    asked += [served.send("character/get", {"id": id}) for id in (1, 2, 3)]
    wait_for_coalesced(served, 19 + 19 * 3 + 3)
    hold.release()
    for id in asked:
        assert "result" in served.wait(id)
    assert upstream.count() == 2


def test_each_call_with_policy_none_sends_a_separate_request(served, upstream):
    hold = upstream.hold()
    asked = [served.send("character/get", {"id": 1, "cachePolicy": "none"}) for _ in range(5)]
    asked += [served.send("character/get", {"id": 1}) for _ in range(5)]
    hold.wait(6)
    wait_for_coalesced(served, 4)
    hold.release()
    for id in asked:
        assert served.wait(id)["result"]["source"] == "remote"
    assert upstream.count() == 6


def test_failure_of_a_shared_request_reaches_all_callers_and_is_not_cached(served, upstream):
    upstream.fail(status=500)
    asked = [served.send("character/get", {"id": 1}) for _ in range(50)]
    for id in asked:
        assert served.refusal(served.wait(id)).kind == "serverError"
    upstream.heal()
    assert served.call("character/get", id=1)["source"] == "remote"


def test_cancelled_callers_do_not_disturb_other_callers_of_a_shared_request(served, upstream):
    hold = upstream.hold()
    asked = [served.send("character/get", {"id": 1}) for _ in range(10)]
    hold.wait(1)
    wait_for_coalesced(served, 9)
    for id in asked[:9]:
        served.notify("$/cancelRequest", {"id": id})
        assert served.refusal(served.wait(id)).code == -32800
    hold.release()
    assert served.wait(asked[9])["result"]["item"]["id"] == 1
    assert upstream.count() == 1


def test_calls_that_wait_for_a_shared_request_count_as_in_flight(start, upstream):
    larder = start("--max-in-flight", "3")
    hold = upstream.hold()
    asked = [larder.send("character/get", {"id": 1}) for _ in range(3)]
    hold.wait(1)
    wait_for_coalesced(larder, 2)
    refused = larder.fails("character/get", id=1)
    assert refused.kind == "busy"
    hold.release()
    for id in asked:
        assert larder.wait(id)["result"]["source"] == "remote"
