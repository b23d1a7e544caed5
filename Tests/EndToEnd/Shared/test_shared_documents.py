"""The example configurations in Fixtures/shared and the examples of docs/shared.md work as shown."""

import re
import subprocess

import pytest

from harness import PATIENCE, ROOT, binary, environment, eventually
from machines import LATE, SECRET, degraded, is_absent, settled, stats
from redis_server import Fault, RedisServer

FILES = ROOT / "Fixtures" / "shared"
DOCUMENT = ROOT / "docs" / "shared.md"
ADMIN = "user admin on >admin ~* &* +@all\n"
# These commands need no right, or authenticate a user.
FREE = {"auth", "hello", "quit", "reset"}


def acl():
    """Returns the ACL file with an added test user, and without comments, because Redis does not allow comments in ACL
    files."""
    return (FILES / "users.acl").read_text() + ADMIN


def allowed():
    return set(re.findall(r"\+([a-z|]+)", next(line for line in acl().splitlines() if line.startswith("user larder"))))


@pytest.fixture
def guarded():
    """A server with the given users and configuration. Commands that Redis disables by default are enabled, so that
    only the ACL refuses them."""
    options = ["--enable-module-command", "yes", "--enable-debug-command", "yes"]
    with RedisServer(*options, acl=acl(), config=FILES / "redis.conf") as server:
        server.log_in("admin", "admin")
        yield server


def password():
    return re.search(r">(\S+)", acl()).group(1)


def asked_and_degraded(larder):
    """Reads a new thing, then returns why the shared level is degraded. A read during the connection attempt would not
    use the level."""
    assert larder.call("thing/get", id=f"{larder.next_id}")["source"] == "remote"
    return str(degraded(larder))


class TestACL:
    def test_documented_redis_rights_are_sufficient_and_necessary(self, things, guarded, api):
        of_api = {"rateLimit": {"requests": 100, "per": "1s"}}
        env = {"LARDER_SHARED_PASSWORD": password()}
        guarded("CONFIG", "RESETSTAT")
        guarded("ACL", "LOG", "RESET")
        one, two = (things(name, url=guarded.url("larder"), env=env, of_api=of_api) for name in ("one", "two"))
        api.gate.clear()
        asked = [larder.send("thing/get", {"id": "x"}) for larder in (one, two)]
        api.wait(1)
        renewals = int(calls(guarded).get("pexpire", 0))
        eventually(lambda: int(calls(guarded).get("pexpire", 0)) > renewals + 1, "a lease to be renewed")
        api.gate.set()
        assert [larder.wait(id)["result"]["item"]["version"] for larder, id in zip((one, two), asked)] == [1, 1]
        one.call("thing/list")
        assert [item["id"] for item in two.call("thing/list")["items"]][:2] == ["1", "2"]
        api.version = 2
        things.version(one, cachePolicy="remoteFirst")
        one.call("cache/invalidate", resource="thing", id="1")
        one.call("cache/remove", resource="thing", id="2")
        one.call("cache/remove")
        two.call("cache/invalidate")
        assert things.version(two) == 2
        assert not degraded(one) and not degraded(two)
        for larder in (one, two):
            assert stats(larder)["state"] == "ok"
            settled(larder)
        assert guarded("ACL", "LOG") == []
        # Every granted right is needed.
        used = {name for name, count in calls(guarded).items() if count}
        assert used >= {"get", "set", "eval", "mget"}
        assert allowed() - used <= {"select"} | FREE, "unused rights"

    def test_documented_redis_rights_allow_another_database(self, things, guarded):
        env = {"LARDER_SHARED_PASSWORD": password()}
        for name, source in (("one", "remote"), ("two", "shared")):
            larder = things(name, url=guarded.url("larder", database=1), env=env)
            machines = things.machines
            machines.check(larder.call("thing/get", id="x")["source"], source, {"remote"})
            settled(larder)
        assert guarded("ACL", "LOG") == []

    def test_read_mode_works_with_the_documented_read_rights(self, things, guarded):
        env = {"LARDER_SHARED_PASSWORD": password()}
        one = things("one", url=guarded.url("larder"), env=env)
        things.version(one)
        settled(one)
        guarded("ACL", "LOG", "RESET")
        reader = things("reader", url=guarded.url("reader"), env=env, mode="read")
        assert things.machines.finds(reader.call("thing/get", id="x"))
        reader.call("cache/remove", resource="thing", id="x")
        assert not degraded(reader)
        assert guarded("ACL", "LOG") == []

    @pytest.mark.parametrize("right", sorted(allowed()))
    def test_error_names_the_missing_redis_command_right(self, things, guarded, api, right):
        """Without a right, requests are answered without the shared level, and `server/status` names the missing right
        until it is granted."""
        guarded("ACL", "SETUSER", "larder", f"-{right}")
        guarded("ACL", "LOG", "RESET")
        options = {
            "url": guarded.url("larder", database=1 if right == "select" else 0), "waits": False,
            "env": {"LARDER_SHARED_PASSWORD": password()}, "of_api": {"rateLimit": {"requests": 100, "per": "1s"}},
        }
        one, two = (things(name, **options) for name in ("one", "two"))

        def told():
            return " ".join(degraded(one) + degraded(two))

        api.gate.clear()
        asked = [one.send("thing/get", {"id": "x"})]
        api.wait(1)
        asked.append(two.send("thing/get", {"id": "x"}))
        if right in ("pttl", "pexpire"):
            # This right is needed only to renew a lease or if another process holds one.
            eventually(lambda: guarded("ACL", "LOG"), "the refusal")
        api.gate.set()
        assert [larder.wait(id)["result"]["item"]["version"] for larder, id in zip((one, two), asked)] == [1, 1]
        assert [item["id"] for item in one.call("thing/list")["items"]][:2] == ["1", "2"]
        api.version = 2
        assert things.version(one, cachePolicy="remoteFirst") == 2
        one.call("cache/invalidate", resource="thing", id="1")
        assert one.call("thing/get", id="1", cachePolicy="localOnly")["stale"]
        assert things.version(one, "1") == 2
        one.call("cache/remove", resource="thing", id="2")
        assert is_absent(one, "thing/get", id="2") and things.version(one, "2") == 2
        one.call("cache/remove")
        assert is_absent(one, "thing/get", id="x") and things.version(one) == 2
        if right == "hello":
            return  # Redis requires no right for this command.
        eventually(lambda: f"lacks +{right};" in told(), f"+{right} to be named, not {told()}")
        assert "docs/shared.md" in told() and not re.search("LOG|script:", told()), told()
        assert any(f"+{right};" in (stats(larder)["reason"] or "") for larder in (one, two))
        guarded("ACL", "SETUSER", "larder", f"+{right}")
        things.version(two, "3")
        eventually(lambda: not told(), f"all rights, not {told()}")
        assert {stats(larder)["state"] for larder in (one, two)} == {"ok"}
        settled(one)
        settled(two)

    @pytest.mark.parametrize("mode", ["read", "readwrite"])
    def test_error_names_the_missing_redis_key_pattern(self, things, guarded, mode):
        guarded("ACL", "SETUSER", "larder", "resetkeys", "~larder:1:other:*")
        larder = things(
            "one", url=guarded.url("larder"), env={"LARDER_SHARED_PASSWORD": password()}, mode=mode, waits=False)
        eventually(lambda: "lacks ~larder:1:default:*;" in asked_and_degraded(larder), "the key pattern to be named")

    def test_error_names_all_missing_redis_rights(self, things, guarded):
        guarded("ACL", "SETUSER", "larder", "-get", "-del", "-mget")
        larder = things(
            "one", url=guarded.url("larder"), env={"LARDER_SHARED_PASSWORD": password()}, waits=False)
        eventually(lambda: "lacks +mget, +get and +del;" in asked_and_degraded(larder), "all rights to be named")

    def test_documented_redis_rights_allow_no_other_keys_and_commands(self, guarded):
        client = guarded.connect()
        client("AUTH", "larder", password())
        assert client("SET", "larder:1:default:i:{x}", "1", "PX", "1000") == b"OK"
        for key in ("x", "larder", "larder:2:default:i:{x}", "session:1"):
            for words in (("GET", key), ("SET", key, "1"), ("DEL", key), ("EVAL", "return 1", "1", key)):
                with pytest.raises(Fault, match="NOPERM"):
                    client(*words)
        for script in ("return redis.call('FLUSHALL')", "return redis.call('SCAN', '0')"):
            with pytest.raises(Fault, match="can't run this command"):
                client("EVAL", script, "0")
        with pytest.raises(Fault, match="can't access"):
            client("EVAL", "return redis.call('GET', 'session:1')", "0")
        refused = 0
        for words in every_command(guarded):
            if words[0] not in allowed() | FREE:
                with pytest.raises(Fault, match="NOPERM"):
                    client(*words)
                refused += 1
        assert refused > 200
        client.close()

    def test_unknown_redis_user_is_refused(self, guarded, things):
        stranger = things("one", url=guarded.url(), waits=False)
        assert things.version(stranger) == 1
        eventually(lambda: degraded(stranger), "the degraded level in server/status")


def every_command(server):
    """Yields each command of the server with its minimum number of words."""
    for name, arity, *_, parts in server("COMMAND"):
        for whole, count in [(part[0], part[1]) for part in parts] or [(name, arity)]:
            words = whole.decode().lower().split("|")
            yield [*words, *["x"] * (abs(count) - len(words))]


def calls(server):
    """Returns how often each command was called since the statistics were reset, by clients and by scripts."""
    found = {}
    for line in server("INFO", "commandstats").decode().splitlines():
        match = re.match(r"cmdstat_([^:]+):calls=(\d+)", line)
        if match:
            found[match.group(1).lower()] = int(match.group(2))
    return found


class TestConfiguration:
    def test_example_redis_configuration_evicts_keys(self, guarded):
        assert guarded("CONFIG", "GET", "maxmemory-policy")[1] == b"allkeys-lru"
        assert int(guarded("CONFIG", "GET", "maxmemory")[1]) > 0

    def test_full_redis_server_evicts_keys_and_keeps_working(self, apart, upstream):
        with RedisServer("--maxmemory", "3mb", "--maxmemory-policy", "allkeys-lru") as server:
            one = apart("one", url=server.url())
            for _ in range(3):
                for page in (1, 2, 3):
                    items = one.call("character/list", page=page, cachePolicy="remoteFirst")["items"]
                    assert len(items) == 20
                for number in range(20):
                    server("SET", f"filler:{number}", b"x" * 100_000)
                one.call("cache/remove")
            assert not degraded(one)
            two = apart("two", url=server.url())
            assert two.call("character/get", id=1)["item"]["id"] == 1

    def test_files_in_the_example_compose_file_exist(self):
        text = (FILES / "compose.yaml").read_text()
        for name in re.findall(r"\./([\w.]+):", text):
            assert (FILES / name).is_file(), name
        assert "users.acl" in text and "redis.conf" in text


def exchanges():
    text = DOCUMENT.read_text(encoding="utf-8")
    for match in re.finditer(r"^```text\n(\$ larder .*?)^```$", text, re.M | re.S):
        yield pytest.param(match.group(1), id=f"line {text[: match.start()].count(chr(10)) + 2}")


def settled_text(text):
    text = re.sub(r'("fetchedAt":)"[^"]*"', r'\1"T"', text)
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:6379", text)


@pytest.mark.parametrize("example", exchanges())
def test_documented_shared_commands_print_the_shown_output(example, redis, upstream, root):
    """Runs the commands of an example in one folder. `$ ` starts a command, and `...` matches anything.

    After a late reply of the shared level, the output of further commands cannot be predicted and is not compared.
    """
    was_late = False
    program = root / "bin" / "larder"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec '{binary()}' --base-url rickandmorty={upstream.url} \"$@\"\n")
    program.chmod(0o755)
    variables = {"LARDER_SHARED": redis.url(), "LARDER_SHARED_SECRET": SECRET}
    for part in re.split(r"^\$ ", example, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        env = environment(root, variables)
        env["PATH"] = f"{program.parent}:{env['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command], env=env, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=PATIENCE)
        assert done.returncode == 0, done
        was_late = was_late or LATE.search(done.stderr)
        found, wanted = settled_text(done.stdout + done.stderr), settled_text(expected)
        pattern = ".*".join(re.escape(piece) for piece in wanted.rstrip("\n").split("..."))
        assert was_late or re.fullmatch(pattern, found.rstrip("\n"), re.S), f"found:    {found}\nexpected: {wanted}"


def test_shared_document_has_at_least_two_examples():
    assert len(list(exchanges())) >= 2


def test_shared_document_shows_the_tested_redis_rights():
    text = DOCUMENT.read_text(encoding="utf-8")
    assert acl().removesuffix(ADMIN) in text
