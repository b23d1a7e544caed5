"""Commands that list the resources, print their help, and show the contents of the cache."""

import json

import pytest
import yaml

from screens import plain


class TestResources:
    def test_list_command_without_a_resource_prints_the_resources(self, people, on_terminal):
        done = people("list")
        assert [row["resource"] for row in done.messages] == ["character", "location", "episode"]
        assert done.messages[0]["commands"] == ["get", "list", "search", "prefetch", "sync"]
        assert done.messages[0]["filters"][:2] == ["name", "status"]
        assert people("resources").stdout == done.stdout
        lines = on_terminal("resources", width=100).lines
        assert lines[0].split() == ["resource", "api", "commands", "filters"]
        assert lines[-1] == "larder help RESOURCE shows its fields, filters and examples"
        note = "larder help RESOURCE --catalog github shows its fields, filters and examples"
        assert on_terminal("resources", "--catalog", "github", width=200).lines[-1] == note

    @pytest.mark.parametrize("width", [40, 80])
    def test_resource_list_is_wrapped_on_a_narrow_terminal(self, command, on_terminal, width):
        rows = command("resources", "--catalog", "github").messages
        lines = on_terminal("resources", "--catalog", "github", width=width).lines
        assert all(len(line) <= width for line in lines), lines
        words = " ".join(lines).replace(",", "").split()
        for row in rows:
            assert row["resource"] in lines and set(row["commands"] + row["parents"] + row["filters"]) <= set(words)

    def test_help_of_a_resource_has_an_example_of_each_command(self, command):
        text = command("help", "issue", "--catalog", "github").stdout.decode()
        of_items = ["get issue ID", "watch issue ID", "open issue ID"]
        for words in [*of_items, "list issue", "watch list issue", "prefetch issue", "sync issue"]:
            assert f"\n  larder {words} owner=VALUE repo=VALUE --catalog github\n" in text, (words, text)
        assert "larder open" not in command("help", "character").stdout.decode()

    def test_resource_list_shows_the_parents_of_items(self, command):
        done = command("resources", "--catalog", "github")
        assert {"issue": ["owner", "repo"]}.items() <= {r["resource"]: r["parents"] for r in done.messages}.items()

    @pytest.mark.parametrize(
        "words", [["help", "character"], ["list", "character", "--help"], ["get", "character", "-h"]]
    )
    def test_help_of_a_resource_has_fields_filters_and_examples(self, people, words):
        text = people(*words).stdout.decode()
        assert text.startswith("character: a resource of the API 'rickandmorty'\n\nFilters of the list:\n  name ")
        assert '  status   one of "Alive", "Dead", "unknown"\n' in text
        assert "\n\nFields:\n  id " in text and "\n  larder list character name=VALUE\n" in text

    def test_help_of_a_resource_names_required_parents(self, command):
        text = command("help", "issue", "--catalog", "github").stdout.decode()
        assert "Parents:\n  owner  a string, required\n" in text
        assert "\n  larder get issue ID owner=VALUE repo=VALUE --catalog github\n" in text

    def test_unknown_resource_has_a_suggestion(self, people):
        done = people("help", "charakter")
        assert done.code == 64
        assert done.stderr == "larder: unknown topic or resource 'charakter'; did you mean 'character'?\n"

    def test_suggested_resource_has_the_catalog_of_the_command_line(self, command):
        end = "; did you mean 'github/issue'?\n"
        assert command("help", "github/isue").stderr == f"larder: unknown topic or resource 'github/isue'{end}"
        assert f"unknown resource 'github/isue'{end}" in command("list", "github/isue").stderr


class TestCache:
    def test_cache_statistics_are_printed_as_a_table_on_a_terminal(self, people, on_terminal):
        assert people("list", "character").code == 0
        lines = on_terminal("cache", "stats").lines
        assert [line.split() for line in lines[:4]] == [
            ["resource", "items"],
            ["character", "20"],
            ["location", "0"],
            ["episode", "0"],
        ]
        assert lines[4].startswith("21 items and pages, ") and lines[4].endswith(" of 1 GiB, state ok")
        stats = json.loads(people("cache", "stats").stdout)
        assert stats["persistence"]["entries"] == 21
        assert {name: numbers["items"] for name, numbers in stats["resources"].items()} == {
            "character": 20, "location": 0, "episode": 0,
        }  # fmt: skip
        assert "items" not in json.loads(people("call", "cache/stats").stdout)["resources"]["character"]

    def test_cache_clear_prints_a_sentence_on_a_terminal(self, people, on_terminal):
        assert people("list", "character").code == 0
        shown = on_terminal("cache", "clear", "charcter")
        assert shown.code == 1 and shown.lines[0].startswith("larder: 'resource' must be one of 'character', ")
        assert shown.lines[-1].endswith("mean 'character'?"), shown.lines
        assert people("cache", "clear", "charcter").stderr.startswith("larder: 'resource' must be one of 'character', ")
        assert on_terminal("cache", "clear", "character").lines == ["removed 21 items and pages"]
        assert json.loads(plain(on_terminal("cache", "clear", "--json").text)) == {"removed": 0}

    def test_cache_statistics_are_printed_in_the_selected_format(self, people, on_terminal):
        assert people("list", "character").code == 0
        assert yaml.safe_load(people("cache", "stats", "-o", "yaml").stdout)["persistence"]["entries"] == 21
        assert "character" in on_terminal("cache", "stats", "-o", "table").lines[1]
        refused = people("cache", "stats", "-o", "csv")
        assert refused.code == 64 and "--output must be table, json, jsonl or yaml for 'cache'" in refused.stderr

    def test_cache_clear_with_a_resource_removes_only_its_entries(self, people):
        assert people("get", "character", "1").code == 0
        assert people("get", "location", "1").code == 0
        assert people("cache", "clear", "character").messages == [{"removed": 1}]
        assert people("get", "character", "1", "--offline").code == 1
        assert people("get", "location", "1", "--offline").code == 0


class TestOpen:
    @pytest.fixture
    def browser(self, home):
        path = home / "browser"
        path.write_text(f'#!/bin/sh\nprintf %s "$*" > "{home}/opened"\n')
        path.chmod(0o755)
        return {"BROWSER": str(path)}

    def test_web_page_of_an_item_is_opened(self, people, served_items, browser, home):
        item = {"id": "1", "url": "https://api.example.com/1", "html_url": "https://example.com/1"}
        options, _ = served_items([item])
        done = people("open", "thing", "1", *options, env=browser)
        assert (done.code, done.stdout) == (0, b"https://example.com/1\n")
        assert (home / "opened").read_text() == "https://example.com/1"

    @pytest.mark.parametrize(
        "url", ["file:///etc/passwd", "https://a b", "https://a\x1b[2J", "https://api.a.b/1", "--x", 7]
    )
    def test_field_value_that_is_not_a_web_url_is_not_opened(self, people, served_items, browser, home, url):
        options, _ = served_items([{"id": "1", "url": url}])
        done = people("open", "thing", "1", *options, env=browser)
        assert done.code == 1 and "has no field with the URL of a web page" in done.stderr
        assert not (home / "opened").exists()

    @pytest.mark.parametrize("variables", [{}, {"BROWSER": ""}])
    def test_page_is_opened_by_the_system_without_a_browser(self, people, served_items, browser, home, variables):
        for name in ("open", "xdg-open"):
            (home / name).symlink_to(browser["BROWSER"])
        options, _ = served_items([{"id": "1", "url": "https://example.com/1"}])
        done = people("open", "thing", "1", *options, env={"PATH": f"{home}:/usr/bin:/bin", **variables})
        assert done.code == 0 and (home / "opened").read_text() == "https://example.com/1", done

    def test_failing_browser_is_reported(self, people, served_items):
        options, _ = served_items([{"id": "1", "url": "https://example.com/1"}])
        done = people("open", "thing", "1", *options, env={"BROWSER": "/nonexistent/browser"})
        assert done.code == 1 and "could not open the page; set BROWSER" in done.stderr
        assert plain(done.stdout.decode()) == "https://example.com/1\n"
