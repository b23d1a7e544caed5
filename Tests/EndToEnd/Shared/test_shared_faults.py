"""Failures of the Redis server. Every request is answered as it would be without the shared level."""

import time

import pytest

from harness import eventually
from machines import LATE, degraded, settled, stats
from redis_server import Fault, RedisServer
from ways import Silent

RATE = 200
REQUESTS = 300


class Load:
    """Requests at a steady rate, each for a different item, so that each misses the machine's own caches.

    The shared level holds some of the items.
    """

    def __init__(self, larder, expected):
        self.larder, self.expected, self.asked, self.begin = larder, expected, {}, None

    def run(self, count):
        """Sends `count` more requests without waiting for replies."""
        self.begin = self.begin or time.monotonic() - len(self.asked) / RATE
        for _ in range(count):
            time.sleep(max(0, self.begin + len(self.asked) / RATE - time.monotonic()))
            id = len(self.asked) + 1
            self.asked[id] = self.larder.send("character/get", {"id": id})

    def check(self):
        """Checks that every reply is the same as without a shared level. Returns the sources."""
        sources = set()
        for id, asked in self.asked.items():
            reply = self.larder.wait(asked)
            assert "result" in reply, reply
            result = reply["result"]
            assert result["item"] == self.expected[id] and result["stale"] is False and "fallback" not in result, reply
            sources.add(result["source"])
        return sources


@pytest.fixture
def expected(apart, whole):
    """The items that a process without a shared level returns. The shared level must not change them."""
    larder = apart("without", url=False)
    items = {}
    for page in range(1, REQUESTS // 20 + 1):
        items.update({item["id"]: item for item in larder.call("character/list", page=page)["items"]})
    whole.log.clear()
    return items


def warm(machines, server, url=None, **options):
    """Stores every second item in the shared level."""
    larder = machines("warm", url=url or server.url(), **options)
    requests = [larder.send("character/get", {"id": id}) for id in range(1, REQUESTS + 1, 2)]
    for request in requests:
        larder.wait(request)
    settled(larder)
    machines.check(len(server.keys("i")), REQUESTS // 2, range(REQUESTS // 2))


def each_value(server, change):
    for name, value in server.values().items():
        server.put(name, change(value))


def swap(server):
    """Replaces each value and its authentication tag by the value and tag of another key."""
    found = server.values()
    for name, value in zip(found, [*list(found.values())[1:], *list(found.values())[:1]]):
        server.put(name, value)


def wrong_types(server):
    for name in server.keys("i", "p", "g"):
        # The rename replaces the key in one step, so that no process can store a value in between.
        server("RPUSH", "a list", "an element")
        server("RENAME", "a list", name)


def out_of_memory(server):
    server("CONFIG", "SET", "maxmemory-policy", "noeviction")
    server("CONFIG", "SET", "maxmemory", "1")


def become_replica(server):
    """Makes the server a replica of a server that does not exist. It keeps its data and refuses writes."""
    server("REPLICAOF", "127.0.0.1", "1")


def revoke_rights(*rules):
    def lose(server):
        server("ACL", "SETUSER", "default", *rules)

    return lose


def change_password(server):
    """Changes the password and disconnects all clients."""
    server("CONFIG", "SET", "requirepass", "another password than before")
    server.log_in("another password than before")
    server("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")


# The failure that starts in the middle of the load, and whether `server/status` reports it.
FAULTS = {
    "nothing": (lambda server: None, False),
    "killed": (RedisServer.kill, True),
    "stopped": (RedisServer.pause, True),
    "restarted empty": (RedisServer.restart, False),
    "flushed": (lambda server: server("FLUSHALL"), False),
    "all connections are cut": (lambda server: server("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"), False),
    "out of memory": (out_of_memory, True),
    "a replica that refuses writes": (become_replica, True),
    "a wrong password from now on": (change_password, True),
    "scripts are forbidden": (revoke_rights("-eval"), True),
    "writing is forbidden": (revoke_rights("-@write"), True),
    "reading is forbidden": (revoke_rights("-mget"), True),
    "the keys are forbidden": (revoke_rights("resetkeys", "~other:*"), True),
    "values cut": (lambda server: each_value(server, lambda value: value[: len(value) // 2]), False),
    "values without a payload": (lambda server: each_value(server, lambda value: value.split(b"\n")[0]), False),
    "values empty": (lambda server: each_value(server, lambda value: b""), False),
    "values swapped": (swap, False),
    "values forged": (lambda server: each_value(server, lambda value: value.replace(b'"Alive"', b'"Forged"')), False),
    "values of binary": (lambda server: each_value(server, lambda value: bytes(range(256)) * 9), False),
    "values of 20 MB": (lambda server: [server.put(name, b"{" * 20_000_000) for name in server.keys("i")[:3]], False),
    "wrong types": (wrong_types, False),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_redis_fault_during_requests_does_not_change_replies(apart, expected, fault):
    begin, is_told = FAULTS[fault]
    with RedisServer() as server:
        warm(apart, server)
        larder = apart("tested", url=server.url())
        load = Load(larder, expected)
        load.run(REQUESTS // 3)
        # By now, values have been read and stored.
        eventually(lambda: stats(larder)["hits"] and stats(larder)["written"] or apart.late(), "the use of the level")
        was_late = apart.late()
        begin(server)
        load.run(REQUESTS - REQUESTS // 3)
        sources = load.check()
        assert "remote" in sources and ("shared" in sources or was_late)
        if is_told:
            eventually(lambda: degraded(larder), "the degraded level in server/status")
        elif fault == "nothing":
            assert not degraded(larder) or apart.late()


def test_shared_level_is_used_again_after_a_redis_restart(apart, expected):
    with RedisServer() as server:
        larder = apart("tested", url=server.url())
        server.kill()
        load = Load(larder, expected)
        load.run(20)
        assert load.check() == {"remote"}
        (reason,) = eventually(lambda: degraded(larder), "the degraded level in server/status")
        assert "127.0.0.1" in reason
        assert stats(larder)["state"] in ("failing", "unavailable") and stats(larder)["reason"]
        server.restart()
        eventually(lambda: not degraded(larder), "the recovery to be reported")
        assert stats(larder)["state"] == "ok"
        larder.call("character/get", id=100)
        eventually(lambda: server.keys("i") or apart.late(), "the first value in the new server")


def test_shared_level_is_used_again_after_redis_was_paused(apart, expected):
    with RedisServer() as server:
        warm(apart, server)
        larder = apart("tested", url=server.url())
        was_late = apart.late()
        server.pause()
        load = Load(larder, expected)
        load.run(40)
        assert load.check() <= {"remote", "shared"}
        server.resume()
        eventually(lambda: not degraded(larder), "the recovery to be reported")
        before = stats(larder)["failures"]
        found = larder.call("character/get", id=41)
        assert found["item"] == expected[41]
        assert found["source"] == "shared" or was_late or stats(larder)["failures"] > before


def test_refused_redis_writes_are_reported_until_writes_succeed(apart, upstream):
    with RedisServer() as server:
        larder = apart("tested", url=server.url())
        out_of_memory(server)
        larder.call("character/get", id=1)
        (reason,) = eventually(lambda: degraded(larder), "the degraded level in server/status")
        assert "memory" in reason, reason
        server("CONFIG", "SET", "maxmemory", "0")
        larder.call("character/get", id=2)
        eventually(lambda: not degraded(larder), "the recovery to be reported")


def test_status_reports_that_the_redis_server_is_a_replica(apart, upstream):
    with RedisServer() as server:
        warm_one = apart("warm", url=server.url())
        warm_one.call("character/get", id=1)
        settled(warm_one)
        become_replica(server)
        larder = apart("tested", url=server.url(), waits=False)
        assert larder.call("character/get", id=1)["item"]["id"] == 1
        assert larder.call("character/get", id=2)["source"] == "remote"
        (reason,) = eventually(lambda: degraded(larder), "the degraded level in server/status")
        assert "replica" in reason, reason


# Servers that never work: how each is started, and a word of the reported reason.
NOT_A_SERVER = {
    "nothing there": (lambda: RedisServer(), None),
    "not a Redis": (lambda: Silent(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), None),
    "never answers": (lambda: Silent(), None),
    "answers binary": (lambda: Silent(bytes(range(256)) * 64), None),
    "claims a text of 8 EB": (lambda: Silent(b"$8999999999999999999\r\nx"), None),
    "claims an array of 8 EB": (lambda: Silent(b"*8999999999999999999\r\n"), None),
    "nests without end": (lambda: Silent(b"*1\r\n" * 100_000), None),
    "a cluster": (lambda: RedisServer("--cluster-enabled", "yes"), "cluster"),
    "a wrong password": (lambda: RedisServer("--requirepass", "the right one"), "password"),
    "an unknown certificate": (lambda: RedisServer(tls=True), "certificate"),
}


@pytest.mark.parametrize("fault", NOT_A_SERVER)
def test_unusable_redis_server_does_not_change_replies(apart, expected, fault):
    make, word = NOT_A_SERVER[fault]
    with make() as server:
        if fault == "nothing there":
            server.kill()
        variables = {"LARDER_SHARED_PASSWORD": "the wrong one"} if fault == "a wrong password" else {}
        quiet = dict.fromkeys(("CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"), "")
        larder = apart("tested", url=server.url(), env={**quiet, **variables}, waits=False)
        load = Load(larder, expected)
        load.run(100)
        assert load.check() == {"remote"}
        reasons = eventually(lambda: degraded(larder), "the degraded level in server/status")
        assert not word or word in reasons[0], reasons
        assert "the wrong one" not in str(reasons) and "the wrong one" not in larder.stderr()
        assert larder.call("cache/remove", resource="character", id=1)["removed"] == 1
        assert stats(larder)["state"] in ("failing", "unavailable")


def test_redis_cluster_is_refused_and_gets_no_writes(apart, upstream):
    with RedisServer("--cluster-enabled", "yes") as server:
        server("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        larder = apart("tested", url=server.url(), waits=False)
        assert larder.call("character/get", id=1)["source"] == "remote"
        assert "cluster" in eventually(lambda: degraded(larder), "the degraded level in server/status")[0]
        settled(larder)
        assert server("DBSIZE") == 0


def test_redis_server_that_dies_at_the_end_does_not_delay_the_exit(apart, upstream):
    with RedisServer() as server:
        larder = apart("tested", url=server.url())
        larder.call("character/get", id=1)
        server.pause()
        larder.call("character/get", id=2)
        assert larder.close() == 0
        server.resume()


def test_next_process_does_not_connect_to_a_hanging_redis_server(apart, upstream):
    """A second process does not try to connect to a server that hung for the first. Otherwise each command in a script
    would wait."""
    with Silent() as silent:

        def tried(id):
            one = apart("one", url=silent.url(), waits=False)
            assert one.call("character/get", id=id)["item"]["id"] == id
            assert "within" in degraded(one)[0]
            settled(one)
            return len(silent.connections)

        first = tried(1)
        assert first > 0 and tried(2) == first


def test_forged_shared_value_is_counted_as_rejected_and_replaced(apart, expected):
    with RedisServer() as server:
        warm(apart, server)
        each_value(server, lambda value: value.replace(b'"Alive"', b'"Forged"').replace(b'"unknown"', b'"forged"'))
        larder = apart("tested", url=server.url())
        assert larder.call("character/get", id=1)["item"] == expected[1]
        settled(larder)
        again = apart("again", url=server.url())
        found = again.call("character/get", id=1)
        assert found["item"] == expected[1] and apart.finds(found)
        assert again.call("character/get", id=3)["item"] == expected[3]
        assert stats(again)["rejected"] >= 1 or apart.late()


def test_harness_distinguishes_a_slow_shared_cache_from_an_unreachable_one(apart, upstream):
    with RedisServer() as server:
        gone, late = (apart(name, url=server.url()) for name in ("gone", "late"))
        gone_before = LATE.findall(gone.stderr())
        server.pause()
        assert apart.finds(late.call("character/get", id=1)) and LATE.search(late.stderr())
        with pytest.raises(AssertionError):
            apart.check(late.call("character/get", id=1)["source"], "shared", {"remote"})
        server.resume()
    assert gone.call("character/get", id=2)["source"] == "remote"
    eventually(lambda: degraded(gone), "the degraded level in server/status")
    assert LATE.findall(gone.stderr()) == gone_before


def test_redis_fault_helpers_cause_the_intended_errors():
    with RedisServer() as server:
        out_of_memory(server)
        with pytest.raises(Fault, match="OOM"):
            server("SET", "a", "b")
    with RedisServer() as server:
        become_replica(server)
        with pytest.raises(Fault, match="READONLY"):
            server("SET", "a", "b")
        assert server("GET", "a") is None
    with RedisServer() as server:
        revoke_rights("-eval")(server)
        with pytest.raises(Fault, match="NOPERM"):
            server("EVAL", "return 1", 0)
        change_password(server)
        assert server("PING") == b"PONG"
