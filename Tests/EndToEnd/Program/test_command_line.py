"""The command line: `call`, `cache`, `--help` and wrong options."""

import json
import re

import pytest


@pytest.fixture
def call(command, places, upstream):
    return lambda *args, **options: command(
        "call", *args, "--base-url", f"rickandmorty={upstream.url}", *places, **options
    )


class TestCall:
    def test_call_command_prints_the_result(self, call):
        done = call("character/get", "id=1")
        assert (done.code, done.stderr) == (0, ""), done
        assert json.loads(done.stdout)["item"]["name"] == "Rick Sanchez" and done.stdout.endswith(b"\n")
        assert json.loads(call("character/get", "id=1").stdout)["source"] == "persistence"

    def test_call_command_prints_the_error_on_stderr(self, call):
        done = call("character/get", "id=99999")
        assert (done.code, done.stdout) == (1, b""), done
        assert "notFound" in done.stderr or "-31003" in done.stderr

    def test_params_of_call_may_be_one_json_object(self, call):
        assert len(json.loads(call("character/getMany", '{"ids": [1, 2]}').stdout)["items"]) == 2

    def test_param_values_of_call_may_be_json_or_text(self, call):
        assert json.loads(call("character/getMany", "ids=[3,1]").stdout)["items"][0]["id"] == 3
        assert json.loads(call("recents/add", "text=two words").stdout) == {"recents": ["two words"]}
        assert json.loads(call("recents/add", 'text="1"').stdout) == {"recents": ["1", "two words"]}
        assert json.loads(call("recents/add", "text=a=b").stdout)["recents"][0] == "a=b"

    def test_dotted_param_names_of_call_set_nested_values(self, call):
        items = json.loads(call("character/list", "filter.name=rick", "filter.status=Dead").stdout)["items"]
        assert items and all(item["status"] == "Dead" for item in items)

    def test_options_may_precede_or_follow_the_command(self, command, places, upstream):
        base = ["--base-url", f"rickandmorty={upstream.url}"]
        for args in (
            [*places, *base, "call", "character/get", "id=1"],
            ["call", *base, "character/get", *places, "id=1"],
            ["call", "character/get", "id=1", *[f"{a}={b}" for a, b in zip(places[::2], places[1::2])], *base],
        ):
            assert command(*args).code == 0, args

    def test_invalid_params_exit_with_code_1(self, call):
        done = call("character/get", "id=1", "maxAge=soon")
        assert done.code == 1 and "maxAge" in done.stderr

    def test_unknown_method_exits_with_code_1(self, call):
        assert call("character/fetch", "id=1").code == 1

    @pytest.mark.parametrize("args", [[], ["character/get", "id"], ["character/get", "{"], ["recents/list", "[1]"]])
    def test_usage_errors_exit_with_code_64(self, call, args):
        done = call(*args)
        assert done.code == 64 and done.stderr and done.stdout == b"", done


class TestCache:
    def test_cache_path_is_printed(self, command, home, places):
        assert command("cache", "path", *places).stdout.decode() == f"{home / 'cache'}/cache.sqlite\n"
        assert command("cache", "path").stdout.decode() == f"{home / 'xdg-cache'}/larder/cache.sqlite\n"
        # `cache path` opens no file and needs no catalog.
        assert command("cache", "path", *places, "--catalog", str(home / "none")).code == 0
        assert not (home / "cache").exists()

    def test_cache_stats_are_printed(self, call, command, places):
        call("character/list")
        done = command("cache", "stats", *places)
        assert (done.code, done.stderr) == (0, ""), done
        stats = json.loads(done.stdout)
        assert stats["persistence"]["entries"] == 21 and stats["persistence"]["state"] == "ok"
        assert stats["persistence"]["path"] + "\n" == command("cache", "path", *places).stdout.decode()
        assert stats["memory"]["entries"] == 0

    def test_unusable_cache_file_is_reported_at_once(self, command):
        for _ in range(5):
            stats = json.loads(command("cache", "stats", "--cache-dir", "/dev/null/none").stdout)
            assert stats["persistence"]["state"] == "unavailable"

    def test_cache_clear_removes_all_entries(self, call, command, places):
        call("character/list")
        assert json.loads(command("cache", "clear", *places).stdout) == {"removed": 21}
        assert json.loads(command("cache", "clear", *places).stdout) == {"removed": 0}
        assert json.loads(command("cache", "stats", *places).stdout)["persistence"]["entries"] == 0

    @pytest.mark.parametrize(
        "args, hint",
        [
            (["cache"], "stats, clear, path"),
            (["cache", "stat"], "'stats'"),
            (["cache", "clear", "a", "all"], "'all'"),
            (["cache", "path", "--no-persistence"], "--no-persistence"),
        ],
        ids=lambda value: "_".join(value) if isinstance(value, list) else "",
    )
    def test_usage_error_of_the_cache_command_has_a_hint(self, command, places, args, hint):
        done = command(*args, *places)
        assert done.code == 64 and hint in done.stderr and done.stdout == b"", done


class TestHelp:
    @pytest.mark.parametrize("args", [["--help"], ["-h"]])
    def test_help_names_every_command(self, command, args):
        done = command(*args)
        assert (done.code, done.stderr) == (0, "")
        assert "larder call" in done.stdout.decode()
        assert "larder cache clear [RESOURCE]" in done.stdout.decode()

    def test_help_names_every_option(self, command):
        text = command("--help").stdout.decode()
        for option in (
            "--catalog --base-url --cache-dir --data-dir --memory --disk --no-persistence --record --replay --offline "
            "--log-level --help --version"
        ).split():
            assert option in text, option

    def test_version_is_printed(self, command):
        done = command("--version")
        assert done.code == 0 and re.match(r"larder \d+\.\d+\.\d+\S*\n", done.stdout.decode()), done


class TestUnknownArguments:
    @pytest.mark.parametrize(
        "args, hint",
        [
            (["--cach-dir", "x"], "--cache-dir"),
            (["--no-persistance"], "--no-persistence"),
            (["cal", "character/get"], "call"),
            (["--nothing-like-it"], "--help"),
            (["--catalog"], "--catalog"),
            (["--memory", "lots"], "--memory"),
            (["--memory", "-1"], "--memory"),
            (["--base-url", "nonsense"], "--base-url"),
            (["--base-url", "nobody=http://127.0.0.1:1"], "nobody"),
            (["--log-level", "loud"], "--log-level"),
            (["--record", "a", "--replay", "b"], "--record"),
            (["-x"], "--help"),
        ],
        ids=lambda value: "_".join(value) if isinstance(value, list) else "",
    )
    def test_unknown_argument_is_refused_with_a_suggestion(self, command, places, args, hint):
        done = command(*places, *args)
        assert done.code == 64 and done.stdout == b"", done
        assert hint in done.stderr, done


class TestOffline:
    def test_option_offline_prevents_requests_for_every_cache_policy(self, start, upstream):
        first = start()
        first.call("character/get", id=1)
        first.close()
        offline = start("--offline")
        for policy in ("localFirst", "remoteFirst", "none", "localOnly"):
            assert offline.call("character/get", id=1, cachePolicy=policy)["item"]["id"] == 1
            assert offline.fails("character/get", id=2, cachePolicy=policy).kind == "notCached"
        assert upstream.count() == 1
