"""Connections to the server: sockets, TLS, users and passwords, and how other programs see them."""

import pytest

from harness import eventually
from machines import SECRET, degraded, settled, stats
from redis_server import TLS, RedisServer
from ways import Proxy

TRUSTED = {"CURL_CA_BUNDLE": "", "SSL_CERT_DIR": "", "SSL_CERT_FILE": str(TLS / "authority.pem")}
DEAD = "http://127.0.0.1:1"
PROXIES = {name: DEAD for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")}
# The API is reached without a proxy.
PROXIES = {**PROXIES, "NO_PROXY": "nowhere.example", "no_proxy": "nowhere.example"}


def both_ways(machines, **options):
    """Checks that one machine stores an item and that a second machine finds the item. Returns the second machine."""
    one = machines("one", **options)
    one.call("character/get", id=1)
    settled(one)
    two = machines("two", **options)
    assert machines.finds(two.call("character/get", id=1))
    assert not degraded(two) or machines.late()
    return two


def test_shared_level_works_over_a_unix_socket(apart, redis):
    two = both_ways(apart, url=redis.unix_url())
    assert stats(two)["url"] == redis.unix_url()


def test_unix_socket_url_can_select_a_redis_database(apart, redis):
    both_ways(apart, url=redis.unix_url(database=3))
    assert redis.info("db3").startswith("keys=")


def test_shared_level_works_over_tls(apart):
    with RedisServer(tls=True) as server:
        two = both_ways(apart, url=server.url(), env=TRUSTED)
        assert stats(two)["url"].startswith("rediss://")


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "TLS"])
def test_proxies_are_not_used_for_the_redis_server(apart, upstream, tls):
    """Only the Redis server can be reached if proxies are set. The API cannot, because its requests use the proxies."""
    with RedisServer(tls=tls) as server:
        one = apart("one", url=server.url(), env=TRUSTED)
        one.call("character/get", id=1)
        settled(one)
        two = apart("two", url=server.url(), env={**TRUSTED, **PROXIES})
        reply = two.wait(two.send("character/get", {"id": 1}))
        assert "result" in reply and reply["result"]["source"] == "shared" or apart.late()
        assert two.fails("character/get", id=2).kind == "network"


def test_redis_certificate_for_another_host_is_refused(apart, upstream):
    with RedisServer(tls=True) as server:
        url = server.url().replace("127.0.0.1", "localhost")
        one = apart("one", url=url, env=TRUSTED, waits=False)
        assert one.call("character/get", id=1)["source"] == "remote"
        eventually(lambda: degraded(one), "the degraded level in server/status")
        settled(one)
        assert server("DBSIZE") == 0


PASSWORD = "a pass:word/with?all@sorts#of%25"
WAYS = {
    "in the URL": lambda server, file: (server.url("larder:correct"), {}, "correct"),
    "in a variable": lambda server, file: (server.url("larder"), {"LARDER_SHARED_PASSWORD": PASSWORD}, PASSWORD),
    "in a file": lambda server, file: (server.url("larder"), {"LARDER_SHARED_PASSWORD_FILE": file}, PASSWORD),
}


@pytest.mark.parametrize("way", WAYS)
def test_redis_user_and_password_are_used_and_never_shown(apart, root, way):
    file = root / "password"
    file.write_text(PASSWORD + "\n")
    with RedisServer() as server:
        url, env, password = WAYS[way](server, str(file))
        server("ACL", "SETUSER", "larder", "on", ">" + password, "~larder:1:*", "+@all")
        server("ACL", "SETUSER", "default", "resetkeys")
        two = both_ways(apart, url=url, env=env)
        assert password not in str(two.call("cache/stats")) and password not in two.stderr()
        assert {line.split("user=")[1].split()[0] for line in clients(server, "larder")} == {"larder"}


def clients(server, name):
    return [line for line in server("CLIENT", "LIST").decode().splitlines() if f" name={name} " in line]


def test_redis_password_without_a_user_is_accepted(apart):
    with RedisServer("--requirepass", "the one password") as server:
        server.log_in("the one password")
        both_ways(apart, url=server.url(), env={"LARDER_SHARED_PASSWORD": "the one password"})


def test_each_process_has_one_redis_connection(machines, redis, upstream):
    both = [machines("one"), machines("two")]
    for larder in both:
        asked = [larder.send("character/get", {"id": id}) for id in range(1, 61)]
        assert all("result" in larder.wait(id) for id in asked)
    assert len(clients(redis, "larder")) == 2


def test_large_redis_write_on_a_slow_connection_does_not_block_requests(things, api, redis):
    """A large value takes seconds to reach the server. Meanwhile, requests are answered as if there were no shared
    level."""
    with Proxy(redis, rate=256 << 10) as line:
        one = things("one", url=line.url())
        api.padding = "x" * 900_000
        things.version(one, id="large")
        api.padding = ""
        assert [things.version(one, id=id) for id in ("a", "b", "c")] == [1, 1, 1]
        assert stats(one)["written"] == 0, "further writes would have waited for the large one"
        assert stats(one)["failures"] == 0, "a slow connection is no failure"


def test_token_command_does_not_inherit_the_shared_variables(things, api, root, redis):
    script, seen = root / "token", root / "seen"
    script.write_text(f"#!/bin/sh\nenv > '{seen}'\necho the-token\n")
    script.chmod(0o755)
    variables = {"LARDER_SHARED_PASSWORD": "the password", "LARDER_SHARED_NAMESPACE": "default", "OTHER": "seen"}
    redis("CONFIG", "SET", "requirepass", "the password")
    one = things("one", of_api={"auth": {"bearer": {"command": [str(script)]}}}, env=variables)
    assert things.version(one) == 1
    text = seen.read_text()
    assert "OTHER=seen" in text and "LARDER_SHARED" not in text and SECRET not in text


def test_no_redis_connection_is_made_without_a_configured_server(machines, redis, upstream):
    before = redis.info("total_connections_received")
    one = machines("one", url=False, env={"LARDER_SHARED_SECRET": SECRET})
    one.call("character/get", id=1)
    settled(one)
    assert redis.info("total_connections_received") == before
