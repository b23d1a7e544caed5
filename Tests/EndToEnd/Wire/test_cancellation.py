"""Cancellation of single requests, of batch members, and of requests that share one fetch."""

import json

import pytest

from harness import eventually, request


def asked_for(upstream, path):
    return [one for one in upstream.requests("/api") if one["path"] == path]


def aborted(upstream, path):
    return any(one.get("aborted") for one in asked_for(upstream, path))


def write_batch(larder, ids):
    """Sends one batch of `character/get` requests: one for each id in `ids`, for the characters 1, 2, 3 and so on."""
    batch = [json.loads(request("character/get", {"id": n}, id)) for n, id in enumerate(ids, 1)]
    larder.write(json.dumps(batch) + "\n")


class TestBatches:
    def test_batch_members_are_cancelled_individually(self, patient, upstream):
        hold = upstream.hold("/api/character")
        ids = [1, "1", 2.5, "x", -6, "last"]
        write_batch(patient, ids)
        hold.wait(6)
        for id in ("1", 2.5, "last"):
            patient.cancel(id)
        for number in (2, 3, 6):
            eventually(lambda: aborted(upstream, f"/api/character/{number}"), f"transfer {number} to be aborted")
        hold.release()
        replies = {json.dumps(one["id"]): one for one in patient.batch()}
        assert len(replies) == 6
        for number, id in enumerate(ids, 1):
            reply = replies[json.dumps(id)]
            if id in ("1", 2.5, "last"):
                assert reply["error"]["code"] == -32800, reply
            else:
                assert reply["result"]["item"]["id"] == number, reply
                assert not aborted(upstream, f"/api/character/{number}")
        patient.alive()

    def test_batch_with_all_members_cancelled_returns_only_errors(self, patient, upstream):
        hold = upstream.hold("/api/character")
        write_batch(patient, [1, 2, 3])
        hold.wait(3)
        for id in (3, 1, 2):
            patient.cancel(id)
        assert [(one["id"], one["error"]["code"]) for one in patient.batch()] == [
            (3, -32800),
            (1, -32800),
            (2, -32800),
        ]
        hold.release()
        patient.alive()

    def test_batch_can_cancel_a_request_of_the_same_batch(self, patient, upstream):
        hold = upstream.hold("/api/character")
        asked = json.loads(request("character/get", {"id": 1}))
        cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}
        patient.write(json.dumps([asked, cancel]) + "\n")
        assert [(one["id"], one["error"]["code"]) for one in patient.batch()] == [(1, -32800)]
        hold.release()
        patient.alive()


class TestCoalescedFetches:
    def test_thousand_equal_requests_share_one_fetch(self, patient, upstream):
        hold = upstream.hold("/api/character/1")
        patient.write("".join(request("character/get", {"id": 1}, n) for n in range(1000)))
        hold.wait()
        eventually(lambda: patient.call("cache/stats")["remote"]["coalesced"] == 999, "all requests to join the fetch")
        for n in range(0, 1000, 10):
            patient.cancel(n)
        for n in range(0, 1000, 10):
            assert patient.wait(n)["error"]["code"] == -32800
        hold.release()
        for n in range(1000):
            if n % 10:
                assert patient.wait(n)["result"]["item"]["id"] == 1
        assert len(asked_for(upstream, "/api/character/1")) == 1 and not aborted(upstream, "/api/character/1")
        patient.alive()

    def test_shared_fetch_is_aborted_when_the_last_request_for_it_is_cancelled(self, patient, upstream):
        hold = upstream.hold("/api/character/1")
        for n in range(50):
            patient.send("character/get", {"id": 1}, id=n)
        hold.wait()
        # A request that joins after all others have left would start a second transfer.
        eventually(lambda: patient.call("cache/stats")["remote"]["coalesced"] == 49, "all requests to join the fetch")
        for n in range(50):
            assert not aborted(upstream, "/api/character/1")
            patient.cancel(n)
            assert patient.wait(n)["error"]["code"] == -32800
        eventually(lambda: aborted(upstream, "/api/character/1"), "the transfer to be aborted")
        hold.release()
        assert patient.call("character/get", id=1)["source"] == "remote"
        assert len(asked_for(upstream, "/api/character/1")) == 2
        patient.alive()

    def test_cancelled_get_does_not_abort_a_shared_getMany(self, patient, upstream):
        hold = upstream.hold("/api/character")
        many = patient.send("character/getMany", {"ids": [1, 2]})
        hold.wait()
        single = patient.send("character/get", {"id": 1})
        patient.cancel(single)
        assert patient.wait(single)["error"]["code"] == -32800
        hold.release()
        assert [item["id"] for item in patient.wait(many)["result"]["items"]] == [1, 2]
        assert upstream.count("/api") == 1
        patient.alive()

    def test_cancelled_getMany_does_not_abort_a_shared_get(self, patient, upstream):
        hold = upstream.hold("/api/character")
        many = patient.send("character/getMany", {"ids": [1, 2]})
        hold.wait()
        single = patient.send("character/get", {"id": 1})
        patient.wait(patient.send("server/status"))
        patient.cancel(many)
        assert patient.wait(many)["error"]["code"] == -32800
        hold.release()
        assert patient.wait(single)["result"]["item"]["id"] == 1
        patient.alive()

    def test_item_can_be_fetched_again_after_a_cancelled_get(self, patient, upstream):
        hold = upstream.hold("/api/character/1")
        asked = patient.send("character/get", {"id": 1})
        hold.wait()
        patient.cancel(asked)
        assert patient.wait(asked)["error"]["code"] == -32800
        hold.release()
        assert patient.call("character/get", id=1)["item"]["id"] == 1
        patient.alive()


@pytest.mark.parametrize("id", [99, "1", None, {"a": 1}, [1]])
def test_cancelling_an_unknown_or_finished_request_has_no_effect(larder, upstream, id):
    hold = upstream.hold("/api/character/1")
    asked = larder.send("character/get", {"id": 1}, id=1)
    hold.wait()
    larder.cancel(id)
    hold.release()
    assert larder.wait(asked)["result"]["item"]["id"] == 1
    larder.cancel(asked)
    larder.alive()


def test_prefetch_can_be_cancelled_and_resumed(patient, upstream):
    hold = upstream.hold("/api/character?page=2")
    asked = patient.send("character/prefetch", {})
    hold.wait()
    patient.cancel(asked)
    assert patient.wait(asked)["error"]["code"] == -32800
    hold.release()
    # The second prefetch reuses the pages of the cancelled one.
    result = patient.call("character/prefetch")
    assert result["pages"] == 3 and result["reused"] >= 1
    patient.alive()


def test_cancelled_observe_request_registers_no_observer(patient):
    """A cancelled `observe` request leaves no observer.

    If the reply arrives before the cancellation, the observer exists and the reply contains its name.
    """
    for n in range(50):
        asked = patient.send("character/observe", {"id": n + 1, "observer": f"o{n}"})
        patient.cancel(asked)
        reply = patient.wait(asked)
        if "result" in reply:
            assert patient.call("character/unobserve", observer=f"o{n}") == {"observer": f"o{n}"}
    patient.alive()
