"""Cancelling: of single requests, of members of a batch, and of some who wait for what others wait for too."""

import json

import pytest

from harness import eventually, request


def asked_for(upstream, path):
    return [one for one in upstream.requests("/api") if one["path"] == path]


def aborted(upstream, path):
    return any(one.get("aborted") for one in asked_for(upstream, path))


def write_batch(larder, ids):
    """One `get` of the character n for each id, n from 1."""
    batch = [json.loads(request("character/get", {"id": n}, id)) for n, id in enumerate(ids, 1)]
    larder.write(json.dumps(batch) + "\n")


class TestBatches:
    def test_members_can_be_cancelled_one_by_one(self, patient, upstream):
        hold = upstream.hold("/api/character")
        ids = [1, "1", 2.5, "x", -6, "last"]
        write_batch(patient, ids)
        hold.wait(6)
        for id in ("1", 2.5, "last"):
            patient.cancel(id)
        for number in (2, 3, 6):
            eventually(lambda: aborted(upstream, f"/api/character/{number}"), f"transfer {number} aborted")
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

    def test_all_members_cancelled(self, patient, upstream):
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

    def test_a_batch_that_cancels_its_own(self, patient, upstream):
        hold = upstream.hold("/api/character")
        asked = json.loads(request("character/get", {"id": 1}))
        cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}
        patient.write(json.dumps([asked, cancel]) + "\n")
        assert [(one["id"], one["error"]["code"]) for one in patient.batch()] == [(1, -32800)]
        hold.release()
        patient.alive()


class TestSharedFetches:
    def test_a_thousand_ask_once(self, patient, upstream):
        hold = upstream.hold("/api/character/1")
        patient.write("".join(request("character/get", {"id": 1}, n) for n in range(1000)))
        hold.wait()
        eventually(lambda: patient.call("cache/stats")["remote"]["coalesced"] == 999, "all to join")
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

    def test_the_last_to_leave_ends_it(self, patient, upstream):
        hold = upstream.hold("/api/character/1")
        for n in range(50):
            patient.send("character/get", {"id": 1}, id=n)
        hold.wait()
        # Who has not joined yet would begin a transfer of his own when all others have left.
        eventually(lambda: patient.call("cache/stats")["remote"]["coalesced"] == 49, "all to join")
        for n in range(50):
            assert not aborted(upstream, "/api/character/1")
            patient.cancel(n)
            assert patient.wait(n)["error"]["code"] == -32800
        eventually(lambda: aborted(upstream, "/api/character/1"), "the transfer aborted")
        hold.release()
        assert patient.call("character/get", id=1)["source"] == "remote"
        assert len(asked_for(upstream, "/api/character/1")) == 2
        patient.alive()

    def test_a_single_one_leaves_a_getMany_alone(self, patient, upstream):
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

    def test_a_getMany_that_leaves_leaves_a_single_one_alone(self, patient, upstream):
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

    def test_what_is_cancelled_is_not_remembered(self, patient, upstream):
        hold = upstream.hold("/api/character/1")
        asked = patient.send("character/get", {"id": 1})
        hold.wait()
        patient.cancel(asked)
        assert patient.wait(asked)["error"]["code"] == -32800
        hold.release()
        assert patient.call("character/get", id=1)["item"]["id"] == 1
        patient.alive()


@pytest.mark.parametrize("id", [99, "1", None, {"a": 1}, [1]])
def test_what_is_not_in_flight(larder, upstream, id):
    hold = upstream.hold("/api/character/1")
    asked = larder.send("character/get", {"id": 1}, id=1)
    hold.wait()
    larder.cancel(id)
    hold.release()
    assert larder.wait(asked)["result"]["item"]["id"] == 1
    larder.cancel(asked)
    larder.alive()


def test_a_walk_over_a_list_can_be_cancelled(patient, upstream):
    hold = upstream.hold("/api/character?page=2")
    asked = patient.send("character/prefetch", {})
    hold.wait()
    patient.cancel(asked)
    assert patient.wait(asked)["error"]["code"] == -32800
    hold.release()
    # It goes on where it was.
    result = patient.call("character/prefetch")
    assert result["pages"] == 3 and result["reused"] >= 1
    patient.alive()


def test_an_observer_whose_request_was_cancelled_is_not_there(patient):
    """Its request may be faster than the cancellation; then it is there. Either way both sides know."""
    for n in range(50):
        asked = patient.send("character/observe", {"id": n + 1, "observer": f"o{n}"})
        patient.cancel(asked)
        reply = patient.wait(asked)
        if "result" in reply:
            assert patient.call("character/unobserve", observer=f"o{n}") == {"observer": f"o{n}"}
    patient.alive()
