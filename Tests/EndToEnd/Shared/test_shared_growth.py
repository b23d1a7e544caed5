"""Many items in the Redis server: all of them are found again, and each takes the documented memory."""

import json

import pytest

from harness import eventually
from machines import degraded, settled, stats

# Bytes for each item besides its payload: the key's name, the value's first line, and Redis's own memory for an
# expiring key.
OVERHEAD = 600
BATCH = 250


def grow(things, api, redis, count):
    api.padding = "x" * 500
    machines = things.machines
    one = things("one", "--memory", "1MiB")
    before = int(redis.info("used_memory"))
    for start in range(0, count, BATCH):
        asked = [one.send("thing/get", {"id": f"item-{start + number}"}) for number in range(BATCH)]
        assert all("result" in one.wait(id) for id in asked)
    eventually(lambda: stats(one)["written"] == count or machines.late(), "the write in the background")
    found = stats(one)
    assert (found["lost"], found["refused"], degraded(one)) == (0, 0, []) or machines.late()
    settled(one)
    machines.check(len(redis.keys("i")), count, range(count))
    each = (int(redis.info("used_memory")) - before) / count
    bytes = len(json.dumps(api.thing("item-1", 1)))
    assert each <= bytes + OVERHEAD, f"{each:.0f} bytes for an item of {bytes}"
    two = things("two")
    for number in range(0, count, max(1, count // 500)):
        found = two.call("thing/get", id=f"item-{number}")
        assert found["item"]["id"] == f"item-{number}"
        assert machines.finds(found)
    settled(two)
    assert redis.keys_without_expiry() == []
    eventually(lambda: not redis.keys("l"), "the end of all leases")


def test_two_thousand_shared_items_are_found_again(things, api, redis):
    grow(things, api, redis, 2_000)


@pytest.mark.long
def test_hundred_thousand_shared_items_are_found_again(things, api, redis):
    grow(things, api, redis, 100_000)
