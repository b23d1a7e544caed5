"""Which processes share entries: modes, namespaces, secrets, credentials, policies and sizes."""

import pytest

from machines import SECRET, settled, stats

MIB = 1 << 20


def source_of(things, name="two", id="x", **options):
    """Returns the source from which a second machine gets the thing."""
    return things(name, **options).call("thing/get", id=id)["source"]


def is_found(things, name="two", **options):
    """Whether a second machine gets the thing from the shared level."""
    return things.machines.finds(things(name, **options).call("thing/get", id="x"))


def fill(things, **options):
    one = things("one", **options)
    things.version(one)
    settled(one)


class TestModes:
    def test_process_in_read_mode_writes_nothing_to_redis(self, things, api, redis):
        with redis.monitor() as monitor:
            one = things("one", mode="read", of_api={"rateLimit": {"requests": 100, "per": "1s"}})
            things.version(one)
            one.call("thing/list")
            one.call("cache/invalidate", resource="thing")
            one.call("cache/remove", resource="thing", id="x")
            one.call("cache/remove")
            things.version(one)
            settled(one)
            assert redis("DBSIZE") == 0
            words = {line.split('"')[1].upper() for line in monitor.commands() if line.startswith('"')}
            assert "MGET" in words
            assert not words & {"SET", "DEL", "EVAL", "EVALSHA", "FCALL", "XADD", "PEXPIRE", "GETEX", "UNLINK"}, words

    def test_process_in_read_mode_finds_shared_values(self, things, api):
        fill(things)
        assert is_found(things, mode="read")
        things.machines.check(len(api.asked), 1, {2})

    def test_shared_level_has_the_mode_read_by_default(self, machines, redis, upstream):
        options = ["--shared", redis.url()]
        one = machines("one", *options, url=False, env={"LARDER_SHARED_SECRET": SECRET})
        one.call("character/get", id=1)
        assert stats(one)["mode"] == "read"
        settled(one)
        assert redis("DBSIZE") == 0

    def test_environment_variables_configure_the_shared_level(self, machines, redis, upstream, root):
        secret = root / "secret"
        secret.write_text(SECRET + "\n")
        one = machines("one", "--shared-mode", "readwrite", url=False, env={
            "LARDER_SHARED": redis.url(), "LARDER_SHARED_SECRET_FILE": str(secret)})
        one.call("character/get", id=1)
        settled(one)
        assert machines.finds(machines("two").call("character/get", id=1))


class TestNamespaces:
    def test_entries_of_different_namespaces_are_separate(self, things, api, redis):
        fill(things)
        other = ["--shared-namespace", "other.team_1"]
        assert things("two", *other).call("thing/get", id="x")["source"] == "remote"
        # A removal in one namespace keeps the entries of the other.
        two = things("two", *other)
        two.call("cache/remove")
        settled(two)
        assert is_found(things, "three")
        assert redis.keys("g", namespace="other.team_1") and redis.keys("g")

    def test_entries_of_different_redis_databases_are_separate(self, things, api, redis):
        fill(things)
        assert source_of(things, url=redis.url(database=1)) == "remote"
        assert is_found(things, "three", url=redis.url(database=1))
        assert redis.info("db0").startswith("keys=") and redis.info("db1").startswith("keys=")

    def test_process_with_another_secret_finds_no_shared_entry(self, things, api, redis):
        fill(things)
        before = redis.values()
        assert source_of(things, secret=SECRET + ".") == "remote"
        three = things("three", secret="another secret, also long enough")
        things.version(three)
        three.call("cache/remove")
        settled(three)
        assert is_found(things, "four")
        assert before.items() <= redis.values().items() and len(set(redis.keys("g"))) == 3

    def test_shared_values_signed_with_another_secret_are_not_counted_as_rejected(self, things, api):
        fill(things)
        two = things("two", secret=SECRET + ".")
        things.version(two)
        assert stats(two)["rejected"] == 0 and (stats(two)["state"] == "ok" or things.machines.late())


@pytest.fixture
def token_command(root):
    """The command line of a program that prints a token."""
    path = root / "token"
    path.write_text("#!/bin/sh\necho the-token-of-a-command\n")
    path.chmod(0o755)
    return [str(path)]


class TestCredentials:
    STATIC = {
        "bearer": {"bearer": "${env:TOKEN}"},
        "basic": {"basic": {"user": "somebody", "password": "${env:TOKEN}"}},
        "a key in a header": {"apiKey": {"in": "header", "name": "X-Key", "value": "${env:TOKEN}"}},
        "a key in the query": {"apiKey": {"in": "query", "name": "key", "value": "${env:TOKEN}"}},
    }

    @pytest.mark.parametrize("auth", STATIC)
    def test_entries_are_shared_only_with_equal_static_credentials(self, things, api, auth):
        of_api = {"auth": self.STATIC[auth]}
        fill(things, of_api=of_api, env={"TOKEN": "the first token"})
        assert is_found(things, of_api=of_api, env={"TOKEN": "the first token"})
        assert source_of(things, "three", of_api=of_api, env={"TOKEN": "the other token"}) == "remote"
        assert source_of(things, "four") == "remote"

    def test_secret_header_separates_shared_entries_as_a_credential_does(self, things, api):
        of_api = {"headers": {"X-Tenant": "${env:TOKEN}"}}
        fill(things, of_api=of_api, env={"TOKEN": "the first token"})
        assert is_found(things, of_api=of_api, env={"TOKEN": "the first token"})
        assert source_of(things, "three", of_api=of_api, env={"TOKEN": "the other token"}) == "remote"

    def test_entries_with_a_token_command_are_not_shared(self, things, api, redis, token_command):
        of_api = {"auth": {"bearer": {"command": token_command}}}
        fill(things, of_api=of_api)
        assert source_of(things, of_api=of_api) == "remote" and redis.keys("i", "l") == []

    def test_entries_with_oauth_are_not_shared(self, things, api, redis):
        auth = {"oauth2": {"tokenURL": f"{api.url}/token", "clientID": "me", "clientSecret": "${env:TOKEN}"}}
        api.thing = lambda id, version: {"id": id, "version": version, "access_token": "t", "expires_in": 3600}
        fill(things, of_api={"auth": auth}, env={"TOKEN": "the first token"})
        assert source_of(things, of_api={"auth": auth}, env={"TOKEN": "the first token"}) == "remote"
        assert redis.keys("i", "l") == []

    def test_setting_shared_everyone_shares_entries_between_all_credentials(self, things, api, token_command):
        everyone = {"cache": {"shared": "everyone"}}
        fill(things, of_api={"auth": {"bearer": "${env:TOKEN}"}}, env={"TOKEN": "the first token"}, **everyone)
        other = {"of_api": {"auth": {"bearer": "${env:TOKEN}"}}, "env": {"TOKEN": "the other token"}}
        assert is_found(things, **other, **everyone)
        assert is_found(things, "three", of_api={"auth": {"bearer": {"command": token_command}}}, **everyone)
        assert source_of(things, "four", **other) == "remote"

    def test_resource_with_shared_set_to_never_stays_out_of_the_shared_level(self, things, api, redis):
        never = {"cache": {"shared": "never"}}
        with redis.monitor() as monitor:
            fill(things, **never)
            assert source_of(things, **never) == "remote"
            assert monitor.about("i", "p", "l") == []
        other = things("other")
        things.version(other)
        settled(other)
        assert redis.keys("i") and source_of(things, "three", **never) == "remote"

    def test_each_base_url_has_separate_shared_entries(self, things, api):
        fill(things)
        other = api.url.replace("127.0.0.1", "localhost")
        assert things("two", "--base-url", f"a={other}").call("thing/get", id="x")["source"] == "remote"


class TestPolicies:
    def test_policy_localOnly_and_option_offline_never_read_the_shared_level(self, things, api, redis):
        fill(things)
        with redis.monitor() as monitor:
            two, three = things("two"), things("three", "--offline")
            for larder, policy in ((two, {"cachePolicy": "localOnly"}), (three, {})):
                assert larder.fails("thing/get", id="x", **policy).kind == "notCached"
                assert larder.fails("thing/list", **policy).kind == "notCached"
                larder.call("thing/search", text="x")
            assert monitor.about("i", "p", "l", "g") == []
            assert things.version(two) == 1
            assert monitor.about("i") != []

    @pytest.mark.parametrize("policy", ["remoteFirst", "none"])
    def test_shared_entry_is_not_used_as_fallback_for_a_failed_api(self, machines, upstream, policy):
        one = machines("one")
        one.call("character/get", id=1)
        settled(one)
        upstream.fail(status=500)
        two = machines("two")
        assert two.fails("character/get", id=1, cachePolicy=policy).kind == "serverError"
        reply = two.wait(two.send("character/get", {"id": 1}))
        assert "result" in reply and reply["result"]["source"] == "shared" or machines.late()

    @pytest.mark.parametrize(("policy", "count"), [("localFirst", 1), ("remoteFirst", 1), ("none", 0)])
    def test_cache_policy_decides_whether_an_item_is_stored_in_redis(self, things, api, redis, policy, count):
        one = things("one")
        things.version(one, cachePolicy=policy)
        settled(one)
        things.machines.check(len(redis.keys("i")), count, range(count))
        assert redis.keys("l") == [] or things.machines.late()

    def test_failures_and_missing_items_are_not_stored_in_redis(self, machines, upstream, redis):
        one = machines("one")
        assert one.fails("character/get", id=99999).kind == "notFound"
        upstream.fail(status=500)
        assert one.fails("character/get", id=1).kind == "serverError"
        settled(one)
        assert redis.keys("p", "l") == []
        assert all(value.startswith(b"x") for value in redis.values().values()), "only tombstones"


class TestSizes:
    def test_item_above_one_mebibyte_is_not_shared(self, things, api, redis):
        api.padding = "x" * (MIB + 1)
        fill(things)
        assert redis.keys("i") == []
        assert source_of(things) == "remote"
        assert things("two").call("thing/get", id="x")["source"] == "persistence"

    def test_item_just_below_one_mebibyte_is_shared(self, things, api, redis):
        api.padding = "x" * (MIB - 1024)
        fill(things)
        assert is_found(things)
        things.machines.check(len(api.asked), 1, {2})

    def test_pages_above_one_mebibyte_are_shared(self, things, api):
        api.padding = "x" * (MIB // 2)
        one = things("one")
        first = one.call("thing/list")
        settled(one)
        second = things("two").call("thing/list")
        assert second["items"] == first["items"] and things.machines.finds(second)
        things.machines.check(len(api.asked), 1, {2})
