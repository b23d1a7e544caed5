"""Forged values in the Redis server count as misses. A value is used only if a process with the secret wrote exactly
these bytes under this key.
"""

import json

import pytest

from harness import eventually
from machines import settled, stats

WEEK = 7 * 24 * 3600 * 1000


@pytest.fixture
def kept(things, redis):
    """The item and the list as stored in the server, by name."""

    def are_there():
        one = things("one")
        things.version(one, cachePolicy="remoteFirst")
        one.call("thing/list", cachePolicy="remoteFirst")
        settled(one)
        found = len(redis.keys("i")), len(redis.keys("p"))
        assert found == (11, 1) or things.machines.late(), found
        return found == (11, 1)

    eventually(are_there, "values in a level that is not late")
    return redis.values()


def first_line(value):
    line, _, payload = value.partition(b"\n")
    return json.loads(line), payload


def with_line(value, **members):
    line, payload = first_line(value)
    return json.dumps({**line, **members}, separators=(",", ":")).encode() + b"\n" + payload


FORGERIES = {
    "a tombstone": lambda value: b"x1",
    "a tombstone of the future": lambda value: b"x99999999999999999",
    "a mark of the future": lambda value: b"s99999999999999999" + value,
    "another version": lambda value: with_line(value, version=2),
    "later": lambda value: with_line(value, fetchedAt=first_line(value)[0]["fetchedAt"] + 1),
    "of the future": lambda value: with_line(value, fetchedAt=1 << 62),
    "before all time": lambda value: with_line(value, fetchedAt=-(1 << 63)),
    "a number without end": lambda value: with_line(value, fetchedAt=10**400),
    "another validator": lambda value: with_line(value, etag='"forged"'),
    "no tag": lambda value: with_line(value, tag=""),
    "another tag": lambda value: with_line(value, tag="0" * 64),
    "a tag in capitals": lambda value: with_line(value, tag=first_line(value)[0]["tag"].upper()),
    "another removal": lambda value: with_line(value, removed="0" * 16),
    "one byte more": lambda value: value + b" ",
    "one byte less": lambda value: value[:-1],
    "a newline more": lambda value: value.replace(b"\n", b"\n\n", 1),
    "another payload": lambda value: value.replace(b'"version":1}', b'"version":7}'),
    "the same twice": lambda value: value + b"\n" + value,
    "only a newline": lambda value: b"\n",
    "deep": lambda value: b"[" * 100_000,
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_shared_value_counts_as_a_miss(things, api, redis, kept, forgery):
    for name, value in kept.items():
        forged = FORGERIES[forgery](value)
        # Some forgeries apply only to the item: only it has this payload, and a page has none.
        assert forged != value or forgery == "another payload" and ":p:" in name
        redis.put(name, forged)
    asked = len(api.asked)
    two = things("two")
    found = two.call("thing/get", id="x")
    assert (found["item"], found["source"]) == ({"id": "x", "version": 1}, "remote")
    assert len(api.asked) == asked + 1
    # A tombstone is an ordinary miss, and a value with a changed mark is only stale.
    is_counted = not forged.startswith((b"x", b"s"))
    assert stats(two)["rejected"] >= is_counted or things.machines.late()
    settled(two)
    # The next machine finds the value that this machine has stored.
    found = things("three").call("thing/get", id="x")
    assert found["source"] == "shared" and not found["stale"] or things.machines.late()


def test_shared_value_moved_to_another_key_counts_as_a_miss(things, api, redis, kept):
    items = [(name, value) for name, value in kept.items() if ":i:" in name]
    for (name, _), (_, value) in zip(items, items[1:] + items[:1]):
        redis.put(name, value)
    two = things("two")
    for id in ["x", *map(str, range(1, 11))]:
        found = two.call("thing/get", id=id)
        assert (found["item"], found["source"]) == ({"id": id, "version": 1}, "remote")
    things.machines.check(stats(two)["rejected"], 11, range(11))


def test_shared_item_stored_under_the_key_of_a_page_counts_as_a_miss(things, redis, kept):
    item, page = (next(name for name in kept if f":{kind}:" in name) for kind in "ip")
    redis.put(item, kept[page])
    redis.put(page, kept[item])
    two = things("two")
    assert [item["id"] for item in two.call("thing/list")["items"]] == [str(number) for number in range(1, 11)]


def test_old_shared_value_restored_after_a_removal_counts_as_a_miss(things, api, redis, kept):
    """A program with write access can restore an older value, but not under a new generation."""
    two = things("two")
    two.call("cache/remove", resource="thing")
    api.version = 2
    for name, value in kept.items():
        redis("SET", name, value, "PX", WEEK)
    settled(two)
    for name in ("two", "three"):
        assert things.version(things(name)) == 2


@pytest.mark.parametrize("forged", [b"", b"x", b"0" * 50, b"\xff" * 50, b"0" * 1_000_000], ids=len)
def test_forged_generation_numbers_make_all_shared_values_misses(things, api, redis, kept, forged):
    (name,) = redis.keys("g")
    redis("SET", name, forged)
    api.version = 2
    two = things("two")
    assert things.version(two) == 2
    eventually(lambda: redis("GET", name) != forged, "new generations")
    settled(two)
    assert redis("PTTL", name) > WEEK
    found = things("three").call("thing/get", id="x")
    assert found["item"]["version"] == 2 and things.machines.finds(found)


@pytest.mark.parametrize("kind", ["i", "g", "l"])
def test_redis_key_of_the_wrong_type_counts_as_a_miss(things, api, redis, kept, kind):
    names = redis.keys(kind) if kind != "l" else [name.replace(":i:", ":l:") for name in redis.keys("i")]
    for name in names:
        redis("DEL", name)
        redis("RPUSH", name, "a list")
        redis("PEXPIRE", name, 2000)
    two = things("two")
    assert things.version(two) == 1 and things.version(two, id="another") == 1
    two.call("cache/remove", resource="thing", id="x")
    api.version = 2
    assert things.version(two) == 2
    settled(two)
    assert things.version(things("three")) == 2


def test_redis_scripts_are_loaded_again_if_the_server_lost_them(things, api, redis, kept):
    two = things("two")
    for id in ("x", "another", "one more"):
        redis("SCRIPT", "FLUSH")
        assert things.version(two, id=id) == 1
    settled(two)
    three = things("three")
    assert all(things.machines.finds(three.call("thing/get", id=id)) for id in ("x", "another", "one more"))
