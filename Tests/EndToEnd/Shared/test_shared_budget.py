"""Machines with a shared level share one rate limit. A machine uses its own limit if the shared level replies too late.

Only the long test depends on time: its total duration cannot be below what the limit allows.
"""

import time

import pytest

from harness import RPCError, eventually

LIMIT = 20


def ask_all(larders, each):
    """Requests different things on each machine. Returns the number of fetched things and the number of refused
    requests."""
    asked = [
        (larder, larder.send("thing/get", {"id": f"{number}-{count}"}))
        for count in range(each)
        for number, larder in enumerate(larders)
    ]
    results = [larder.wait(id) for larder, id in asked]
    refused = [result for result in results if "error" in result]
    assert all(RPCError(result["error"]).kind == "rateLimited" for result in refused)
    return len(results) - len(refused), len(refused)


@pytest.mark.parametrize("count", [3, pytest.param(10, marks=pytest.mark.long)])
def test_processes_with_a_shared_level_share_one_rate_limit(things, api, count):
    limit = {"rateLimit": {"requests": LIMIT, "per": "1d"}}
    larders = [things(f"machine{number}", of_api=limit) for number in range(count)]
    brought, refused = ask_all(larders, LIMIT)
    assert brought + refused == LIMIT * count and len(api.asked) == brought
    things.machines.check(brought, LIMIT, range(LIMIT, LIMIT * count + 1))


def test_processes_without_a_shared_level_have_separate_rate_limits(things, api):
    limit = {"rateLimit": {"requests": LIMIT, "per": "1d"}}
    larders = [things(f"machine{number}", of_api=limit, url=False) for number in range(3)]
    assert ask_all(larders, LIMIT) == (3 * LIMIT, 0) and len(api.asked) == 3 * LIMIT


def test_processes_with_different_credentials_have_separate_rate_limits(things, api):
    limit = {"rateLimit": {"requests": 5, "per": "1d"}}
    larders = [
        things(name, of_api={**limit, "auth": {"bearer": "${env:TOKEN}"}}, env={"TOKEN": f"the token {token}"})
        for name, token in (("one", "alpha"), ("two", "alpha"), ("three", "beta"))
    ]
    brought, refused = ask_all(larders, 5)
    assert brought + refused == 15
    things.machines.check(brought, 10, range(10, 16))


def test_each_process_uses_its_own_rate_limit_if_the_shared_level_is_lost(things, api, redis):
    limit = {"rateLimit": {"requests": 5, "per": "1d"}}
    one, two = (things(name, of_api=limit) for name in ("one", "two"))
    redis.kill()
    assert ask_all([one], 10) == (5, 5)
    assert ask_all([two], 10) == (5, 5)


def test_refusal_by_the_shared_rate_limit_has_a_retry_time(things, api):
    limit = {"rateLimit": {"requests": 1, "per": "1h"}}
    one, two = (things(name, of_api=limit) for name in ("one", "two"))
    one.call("thing/get", id="a")
    reply = two.wait(two.send("thing/get", {"id": "b"}))
    if "result" in reply and things.machines.late():
        return
    error = two.refusal(reply)
    assert error.kind == "rateLimited" and 3000 < error.data["retryAfter"] <= 3600 and error.data["attempts"] == 0


def test_unused_rate_limit_key_in_redis_expires(things, api, redis):
    one = things("one", of_api={"rateLimit": {"requests": 100, "per": "1h"}})
    one.call("thing/get", id="a")
    (bucket,) = redis.keys("b")
    assert 0 < redis("PTTL", bucket) <= 37_000
    redis("PEXPIRE", bucket, 1)
    eventually(lambda: not redis.keys("b"), "the unused bucket to expire")
    assert things.version(one, id="b") == 1


@pytest.mark.parametrize("forged", ["0", "-1", "nan", "99999999999999999999999", "x" * 100_000])
def test_invalid_rate_limit_value_in_redis_does_not_delay_requests(things, api, redis, forged):
    one = things("one", of_api={"rateLimit": {"requests": 5, "per": "1h"}})
    one.call("thing/get", id="a")
    (bucket,) = redis.keys("b")
    redis("SET", bucket, forged)
    assert things.version(one, id="b") == 1
    redis("DEL", bucket)
    redis("RPUSH", bucket, "a list")
    assert things.version(one, id="c") == 1


@pytest.mark.parametrize("ahead", [400, 1_000_000])
def test_rate_limit_value_far_in_the_future_does_not_block_requests(things, api, redis, ahead):
    """A rate limit value far in the future is ignored, and the process uses its own limit."""
    one = things("one", of_api={"rateLimit": {"requests": 5, "per": "5s"}, "timeout": "10s"})
    one.call("thing/get", id="a")
    (bucket,) = redis.keys("b")
    seconds, micros = redis("TIME")
    redis("SET", bucket, str((int(seconds) + ahead) * 1_000_000))
    assert ask_all([one], 4) == (4, 0)
    explained = one.wait(one.send("request/explain", {"method": "thing/get", "params": {"id": "new"}}))["result"]
    assert explained["limiter"]["wait"] > 0


@pytest.mark.long
def test_ten_processes_together_stay_within_the_shared_rate_limit(things, api):
    """Of 200 requests, 50 may start at once and 50 in each second, so all of them take at least 3 s."""
    limit = {"rateLimit": {"requests": 50, "per": "1s"}, "timeout": "60s"}
    larders = [things(f"machine{number}", of_api=limit) for number in range(10)]
    begin = time.monotonic()
    assert ask_all(larders, 20) == (200, 0) and len(api.asked) == 200
    assert time.monotonic() - begin >= 3 * 0.95
