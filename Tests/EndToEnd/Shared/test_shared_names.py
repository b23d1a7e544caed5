"""The Redis server contains opaque key names and plain JSON values without secrets. All keys expire."""

import contextlib
import json
import re

import pytest

from machines import SECRET, settled
from scripted import serving

NAME = re.compile(r"larder:1:default:[ipglb]:\{[0-9a-f]{64}\}")
HOUR, DAY = 3_600_000, 86_400_000
PLANTED = {
    "id": "zebra-4711",
    "owner": "hippopotamus",
    "filter": "giraffe",
    "token": "Pl4nted-t0ken-of-the-API",
    "header": "Pl4nted-h34der",
    "resource": "rhinoceros",
    "api": "savannah",
}


@pytest.fixture
def planted(machines, api, root):
    """A server with one key of each kind, made from easily recognizable texts."""
    entry = {
        "api": PLANTED["api"],
        "id": "string",
        "scope": {"owner": "string"},
        "rest": {
            "get": {"path": "/{owner}/{id}"},
            "list": {"path": "/{owner}/things", "filters": {"kind": "kind"}},
        },
    }
    api_definition = {
        "baseURL": api.url,
        "auth": {"bearer": "${env:TOKEN}"},
        "headers": {"X-Planted": "${env:HEADER}"},
        "rateLimit": {"requests": 1000, "per": "1h"},
    }
    path = root / "planted.json"
    path.write_text(json.dumps({
        "larder": 1, "apis": {PLANTED["api"]: api_definition}, "resources": {PLANTED["resource"]: entry}}))
    variables = {"TOKEN": PLANTED["token"], "HEADER": PLANTED["header"]}
    one = machines("one", "--catalog", path, env=variables, upstream=None)
    resource = PLANTED["resource"]
    one.call(f"{resource}/get", id=PLANTED["id"], owner=PLANTED["owner"])
    one.call(f"{resource}/list", filter={"kind": PLANTED["filter"]}, owner=PLANTED["owner"])
    api.gate.clear()
    asked = one.send(f"{resource}/get", {"id": "another", "owner": PLANTED["owner"]})
    api.wait(3)
    yield one
    api.gate.set()
    one.wait(asked)


def dump(redis):
    """Returns all values in the server by name."""
    found = {}
    for name in redis.keys():
        found[name] = redis("GET", name)
    return found


def test_redis_key_names_reveal_no_secret_url_or_resource(planted, api, redis):
    found = dump(redis)
    assert {name.split(":")[3] for name in found} == set("ipglb")
    words = [*PLANTED.values(), SECRET, api.url.partition("//")[2], "http", "things", "kind"]
    for name in found:
        assert NAME.fullmatch(name), name
        assert not any(word in name for word in words), name
    for name, value in found.items():
        if name.split(":")[3] not in "ip":
            assert not any(word.encode() in value for word in words), (name, value)


def test_redis_values_contain_no_secret(planted, redis):
    everything = b"\n".join(dump(redis).values())
    for secret in (PLANTED["token"], PLANTED["header"], SECRET):
        assert secret.encode() not in everything
    assert PLANTED["id"].encode() in everything, "values are not encrypted"


def test_redis_value_has_the_documented_format(things, redis):
    one = things("one")
    one.call("thing/list")
    things.version(one)
    settled(one)
    for name, value in redis.values().items():
        line, _, payload = value.partition(b"\n")
        head = json.loads(line)
        assert list(head) == ["version", "fetchedAt", "removed", "invalidated", "tag"]
        assert head["version"] == 1 and re.fullmatch("[0-9a-f]{64}", head["tag"])
        assert all(re.fullmatch("[0-9a-f]{16}", head[mark]) for mark in ("removed", "invalidated"))
        content = json.loads(payload)
        if ":p:" in name:
            assert content["ids"] == [str(number) for number in range(1, 11)] and content["partial"] is False
        else:
            assert content["version"] == 1
    (generations,) = redis.keys("g")
    assert re.fullmatch(rb"[0-9a-f]{16} [0-9a-f]{16}", redis("GET", generations))


def test_equal_entries_have_the_same_redis_key_only_with_the_same_secret(things, redis):
    for name in ("one", "two"):
        larder = things(name)
        things.version(larder, cachePolicy="remoteFirst")
        settled(larder)
    assert len(redis.keys("i")) == 1
    names = redis.keys()
    larder = things("three", secret=SECRET + "!")
    things.version(larder)
    settled(larder)
    assert len(redis.keys("i")) == 2 and not set(names) & (set(redis.keys()) - set(names))


class TestExpiry:
    def lives(self, redis, kind="i"):
        return [redis("PTTL", name) for name in redis.keys(kind)]

    def test_shared_values_expire_after_about_a_week(self, machines, redis, upstream):
        one = machines("one")
        for page in (1, 2, 3):
            one.call("character/list", page=page)
        settled(one)
        lives = self.lives(redis)
        assert len(lives) == 60
        assert all(7 * DAY * 0.9 - HOUR <= life <= 7 * DAY * 1.1 for life in lives), lives
        assert max(lives) - min(lives) > 7 * DAY * 0.05, "the values must expire at different times"
        assert all(7 * DAY * 0.9 - HOUR <= life <= 7 * DAY * 1.1 for life in self.lives(redis, "p"))

    def test_shorter_keepFor_of_the_catalog_shortens_the_lifetime_of_shared_values(self, things, redis):
        one = things("one", cache={"keepFor": "2h"})
        one.call("thing/list")
        settled(one)
        lives = self.lives(redis)
        assert len(lives) == 10 and all(2 * HOUR * 0.9 - HOUR / 4 <= life <= 2 * HOUR * 1.1 for life in lives), lives

    def test_longer_keepFor_keeps_shared_values_for_at_most_a_week(self, things, redis):
        one = things("one", cache={"keepFor": "400d"})
        one.call("thing/list")
        settled(one)
        assert all(life <= 7 * DAY * 1.1 for life in self.lives(redis))

    def test_generation_key_outlives_all_values_and_every_key_expires(self, planted, redis):
        assert redis.keys_without_expiry() == []
        longest = max(self.lives(redis) + self.lives(redis, "p"))
        assert min(self.lives(redis, "g")) > longest

    def test_fetch_extends_the_lifetime_of_the_generation_key(self, things, redis):
        one = things("one")
        things.version(one)
        (generations,) = redis.keys("g")
        before = redis("GET", generations)
        redis("PEXPIRE", generations, HOUR)
        things.version(one, id="another")
        assert redis("PTTL", generations) > 7 * DAY and redis("GET", generations) == before


def test_entries_of_two_catalogs_have_separate_redis_keys(machines, api, root):
    """A secret of one catalog also occurs as ordinary text in the other catalog. Their entries still have different
    keys."""
    with contextlib.ExitStack() as stack:
        def serve(name):
            return stack.enter_context(serving(lambda request: (200, {}, {"id": 1, "at": name})))

        urls = [serve("a"), serve("b")]

        def write(machine, name, base, token):
            definition = {"baseURL": base, "auth": {"bearer": token}}
            rest = {"get": {"path": "/things/{id}"}}
            thing = {"api": "main", "id": "integer", "rest": rest, "cache": {"shared": "everyone"}}
            folder = root / f"catalogs-{machine}"
            folder.mkdir(exist_ok=True)
            path = folder / f"{name}.jsonc"
            path.write_text(json.dumps({"larder": 1, "apis": {"main": definition}, "resources": {"thing": thing}}))
            return ["--catalog", path]

        def start(machine, first, second, more=""):
            host = first.partition("//")[2]
            options = write(machine, "one", first, "token") + write(machine, "two", second, "${env:HOST}")
            return machines(machine + more, *options, env={"HOST": host}, upstream=None)

        one = start("one", urls[0], urls[1])
        assert one.call("one.thing/get", id=1)["item"]["at"] == "a"
        assert one.call("two.thing/get", id=1)["item"]["at"] == "b"
        settled(one)
        two = start("two", urls[1], urls[0])
        assert two.call("one.thing/get", id=1)["item"]["at"] == "b"
        assert two.call("two.thing/get", id=1)["item"]["at"] == "a"
        same = start("one", urls[0], urls[1], more="-again")
        for name, at in (("one", "a"), ("two", "b")):
            result = same.call(f"{name}.thing/get", id=1)
            assert result["item"]["at"] == at and machines.finds(result)
