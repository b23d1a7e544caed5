"""Fetch leases: only one process at a time fetches an entry, and another process takes over if the first one dies."""

import os
import random
import signal

import pytest

from harness import eventually

ROUNDS = 30


def kill(larder):
    larder.process.send_signal(signal.SIGKILL)
    larder.process.wait()


def wait_for_no_lease(redis):
    eventually(lambda: not redis.keys("l"), "all leases to end")
    assert redis.keys_without_expiry() == []


def test_fetch_lease_exists_only_while_its_owner_fetches(machines, upstream, redis):
    one = machines("one")
    hold = upstream.hold()
    asked = one.send("character/get", {"id": 1})
    hold.wait(1)
    (lease,) = redis.keys("l")
    assert 0 < redis("PTTL", lease) <= 1000
    # The lease is named after its entry, and its owner renews it during the fetch.
    token = redis("GET", lease)
    for _ in range(3):
        redis("PEXPIRE", lease, 60_000)
        eventually(lambda: 0 < redis("PTTL", lease) <= 1000, "the lease to be renewed")
    assert redis("GET", lease) == token
    hold.release()
    one.wait(asked)
    eventually(lambda: redis.keys("i"), "the value")
    assert redis.keys("i") == [lease.replace(":l:", ":i:")]
    wait_for_no_lease(redis)


def test_fetch_lease_of_another_process_is_not_deleted(machines, upstream, redis):
    one = machines("one")
    hold = upstream.hold()
    asked = one.send("character/get", {"id": 1})
    hold.wait(1)
    (lease,) = redis.keys("l")
    redis("SET", lease, "somebody else's", "PX", 60_000)
    hold.release()
    assert one.wait(asked)["result"]["source"] == "remote"
    one.close()
    assert redis("GET", lease) == b"somebody else's" and 50_000 < redis("PTTL", lease) <= 60_000


def test_fetch_lease_that_lasts_too_long_is_replaced(machines, upstream, redis):
    """A lease of an hour would delay each fetch of its entry. No process takes a lease for more than a second."""
    one, two = machines("one"), machines("two")
    hold = upstream.hold()
    asked = one.send("character/get", {"id": 1})
    hold.wait(1)
    (lease,) = redis.keys("l")
    hold.release()
    one.wait(asked)
    eventually(lambda: redis.keys("i"), "the value")
    wait_for_no_lease(redis)
    redis("DEL", lease.replace(":l:", ":i:"))
    redis("SET", lease, "planted", "PX", 3_600_000)
    upstream.reset()
    hold = upstream.hold()
    asked = two.send("character/get", {"id": 1})
    hold.wait(1)
    assert redis("GET", lease) != b"planted" and 0 < redis("PTTL", lease) <= 1000
    hold.release()
    assert two.wait(asked)["result"]["source"] == "remote"
    wait_for_no_lease(redis)


def test_fetch_lease_of_a_killed_process_is_taken_over(machines, upstream, redis):
    one, two = machines("one"), machines("two")
    hold = upstream.hold()
    one.send("character/get", {"id": 1})
    hold.wait(1)
    waiting = [two.send("character/get", {"id": 1}) for _ in range(100)]
    two.call("cache/stats")
    machines.check(upstream.count(), 1, {2})
    kill(one)
    hold.wait(2)
    hold.release()
    for id in waiting:
        assert two.wait(id)["result"]["item"]["name"] == "Rick Sanchez"
    assert upstream.count() == 2
    wait_for_no_lease(redis)


def test_fetch_lease_of_a_stopped_process_is_taken_over(machines, upstream, redis):
    one, two = machines("one"), machines("two")
    hold = upstream.hold(times=1)
    first = one.send("character/get", {"id": 1})
    hold.wait(1)
    one.process.send_signal(signal.SIGSTOP)
    try:
        assert two.call("character/get", id=1)["source"] == "remote"
    finally:
        one.process.send_signal(signal.SIGCONT)
    hold.release()
    assert one.wait(first)["result"]["item"]["id"] == 1
    assert upstream.count() == 2
    wait_for_no_lease(redis)


def test_process_releases_its_fetch_lease_if_all_callers_cancelled(machines, upstream, redis):
    one, two = machines("one"), machines("two")
    hold = upstream.hold(times=1)
    first = one.send("character/get", {"id": 1})
    hold.wait(1)
    second = two.send("character/get", {"id": 1})
    one.cancel(first)
    assert one.refusal(one.wait(first)).code == -32800
    assert two.wait(second)["result"]["item"]["id"] == 1
    wait_for_no_lease(redis)


def test_process_in_read_mode_takes_no_fetch_lease(machines, upstream, redis):
    one = machines("one", mode="read")
    hold = upstream.hold()
    asked = one.send("character/get", {"id": 1})
    hold.wait(1)
    assert redis.keys() == []
    hold.release()
    one.wait(asked)


def kills(machines, upstream, redis, rounds):
    """In each round, two processes request the same entries, and one is killed at a random moment."""
    dice = random.Random(int(os.environ.get("LARDER_FUZZ", "1")))
    survivor = machines("survivor", "--no-persistence")
    for round in range(rounds):
        survivor.call("cache/remove")
        victim = machines(f"victim{round % 3}", "--no-persistence")
        ids = [dice.randint(1, 60) for _ in range(dice.randint(1, 20))]
        pages = [dice.randint(1, 3) for _ in range(dice.randint(0, 2))]
        asked = {}
        for larder in dice.sample([victim, survivor], 2):
            sent = [larder.send("character/get", {"id": id}) for id in ids]
            sent += [larder.send("character/list", {"page": page}) for page in pages]
            asked[larder] = sent
        for id in asked[victim][: dice.randint(0, len(ids))]:
            if dice.random() < 0.8:
                victim.wait(id)
        kill(victim)
        for id, sent in zip(ids, asked[survivor]):
            item = survivor.wait(sent)["result"]["item"]
            assert (item["id"], item["name"]) == (id, upstream.data.rows["character"][id]["name"])
        for page, sent in zip(pages, asked[survivor][len(ids) :]):
            got = survivor.wait(sent)["result"]["items"]
            assert [item["id"] for item in got] == list(range(20 * page - 19, 20 * page + 1))
        assert redis.keys_without_expiry() == []
        victim.close()
    wait_for_no_lease(redis)


def test_processes_killed_at_random_moments_lose_no_request_of_other_processes(machines, upstream, redis):
    kills(machines, upstream, redis, ROUNDS)


@pytest.mark.long
def test_thousand_processes_killed_at_random_lose_no_request_of_other_processes(machines, upstream, redis):
    kills(machines, upstream, redis, 1000)
