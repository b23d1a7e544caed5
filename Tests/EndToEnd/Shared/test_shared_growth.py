"""Many items in the server: all of them are found again, and each costs what the document says."""

import json

import pytest

from harness import eventually
from machines import degraded, settled, stats

# Per item, beside its own bytes: the name, the first line of the value, and what Redis needs for a key that ends.
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
    eventually(lambda: stats(one)["written"] == count or machines.late(), "what is written behind")
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
    assert redis.without_end() == []
    eventually(lambda: not redis.keys("l"), "the end of all leases")


def test_some_thousand_items(things, api, redis):
    grow(things, api, redis, 2_000)


@pytest.mark.long
def test_a_hundred_thousand_items(things, api, redis):
    grow(things, api, redis, 100_000)
