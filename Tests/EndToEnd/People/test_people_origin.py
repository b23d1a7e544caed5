"""The summary line names the source and age of the data. Problems are also reported if the output is a pipe."""

import contextlib
import json
import sqlite3

import pytest

import checksums
from terminal import recent


@pytest.fixture
def age(home):
    """`age(hours)` makes all cached entries older."""

    def age(hours):
        (path,) = (home / "cache").glob("*.sqlite")
        with contextlib.closing(sqlite3.connect(path)) as file:
            for table in ("items", "pages"):
                file.execute(f"UPDATE {table} SET fetched_at = fetched_at - ?", [hours * 3600 * 1000])
            checksums.renew(file)
            file.commit()

    return age


class TestSources:
    def test_summary_names_the_api_or_the_cache_as_source(self, on_terminal):
        assert recent(on_terminal("get", "character", "1").lines[-1]) == "from the API"
        assert recent(on_terminal("get", "character", "1").lines[-1]) == "from the cache (disk), just now"

    def test_summary_of_an_offline_read_contains_the_word_offline(self, on_terminal, people):
        assert people("get", "character", "1").code == 0
        last = recent(on_terminal("get", "character", "1", "--offline").lines[-1])
        assert last == "from the cache (disk), just now, offline"
        done = people("get", "character", "2", "--offline")
        assert done.code == 1 and done.stderr.startswith("larder: notCached: the cache policy or --offline "), done

    def test_summary_of_several_cached_items_shows_the_age_of_the_oldest(self, on_terminal, people, age):
        assert people("get", "character", "1").code == 0
        age(3)
        assert people("get", "character", "2").code == 0
        shown = on_terminal("get", "character", "1", "2", "-f", "id", "--offline", width=200)
        assert shown.lines[-1] == "2 items: 2 from the cache (disk), the oldest 3 h old; offline"
        last = recent(on_terminal("get", "character", "3", "4", "-f", "id", width=200).lines[-1])
        assert last == "2 items: 2 from the API"

    @pytest.mark.parametrize("hours, words", [(1, "60 min"), (3, "3 h"), (47, "47 h"), (72, "3 d")])
    def test_summary_shows_the_age(self, on_terminal, people, age, upstream, hours, words):
        assert people("get", "character", "1").code == 0
        age(hours)
        last = on_terminal("get", "character", "1", "--offline").lines[-1]
        assert last.removesuffix(", stale") == f"from the cache (disk), {words} old, offline"
        upstream.fail("/api", status=500)
        shown = on_terminal("get", "character", "1", "maxAge=1s", width=200)
        assert shown.code == 0 and shown.lines[-1].startswith(f"from the cache (disk), {words} old, the API failed: ")

    def test_cached_item_returned_after_an_api_failure_is_printed_with_the_error(self, on_terminal, people, upstream):
        assert people("get", "character", "1").code == 0
        upstream.fail("/api", status=503, body=json.dumps({"error": "closed\nfor lunch"}))
        shown = on_terminal("get", "character", "1", "cachePolicy=remoteFirst", width=200)
        assert shown.code == 0 and shown.lines[0] == "id        1"
        last = recent(shown.lines[-1])
        assert last.startswith("from the cache (disk), just now, the API failed: ") and "closed for lunch" in last
        done = people("get", "character", "1", "cachePolicy=remoteFirst")
        assert done.code == 0 and json.loads(done.stdout)["id"] == 1
        assert recent(done.stderr).startswith("larder: from the cache, just now, the API failed: ")
        assert done.stderr.count("\n") == 1

    def test_summary_reports_an_unreachable_api(self, people, upstream):
        assert people("get", "character", "1").code == 0
        upstream.fail("/api", drop=True)
        done = people("get", "character", "1", "cachePolicy=remoteFirst")
        told = recent(done.stderr)
        assert done.code == 0 and told.startswith("larder: from the cache, just now, the API did not answer: "), done

    def test_summary_reports_skipped_items(self, people, on_terminal, served_items):
        fields = {"id": "string", "count": "integer"}
        items = [{"id": "1", "count": 1}, {"id": "2", "count": "x"}]
        options, _ = served_items(items, fields=fields, onMismatch="skip")
        assert on_terminal("list", "thing", *options).lines[-1].endswith(", 1 malformed item skipped")
        done = people("list", "thing", *options)
        assert (done.code, len(done.messages)) == (0, 1)
        assert done.stderr == "larder: 1 malformed item skipped\n"


class TestWidth:
    def test_messages_and_the_last_line_are_wrapped_between_words(self, on_terminal, upstream):
        shown = on_terminal("list", "character", "--fields", "id", width=30)
        assert shown.code == 0 and all(len(line) <= 30 for line in shown.lines), shown.lines
        assert " ".join(shown.lines[-3:]).startswith("20 of 60 items, page 1 of 3, "), shown.lines
        upstream.fail("/api", status=401)
        shown = on_terminal("get", "character", "30", width=30)
        assert shown.code == 1 and all(len(line) <= 30 for line in shown.lines), shown.lines
        assert shown.lines[:2] == ["larder: unauthorized: the API", "  denied access (status 401):"], shown.lines

    def test_piped_messages_are_not_wrapped(self, people, upstream):
        upstream.fail("/api", status=401)
        assert people("get", "character", "2", env={"COLUMNS": "30"}).stderr.count("\n") == 2

    @pytest.mark.parametrize("columns, width", [(45, 44), (80, 79), (300, 99)])
    def test_help_is_as_wide_as_the_terminal(self, on_terminal, columns, width):
        widths = [len(line) for line in on_terminal("help", "caching", width=columns).lines if line[:2] != "  "]
        assert width - 12 <= max(widths) <= width, widths


class TestErrors:
    def test_plain_text_of_an_error_is_shown(self, people, upstream):
        upstream.fail("/api", status=404, body="file or directory '/nope' does not exist\n")
        first, _ = people("get", "character", "2").stderr.splitlines()
        assert first.endswith(" (status 404): file or directory '/nope' does not exist"), first

    def test_error_for_a_page_past_the_end_has_a_hint(self, people):
        done = people("list", "character", "--page", "999")
        assert done.code == 1 and done.stderr.splitlines()[1] == "  larder list character shows the first page", done

    def test_error_is_printed_as_one_line_and_a_hint(self, people):
        done = people("get", "character", "99999")
        assert (done.code, done.stdout) == (1, b"")
        assert done.stderr.splitlines() == [
            "larder: notFound: the API has no such item or page (status 404): Character not found",
            "  larder list character shows the available items",
        ]

    @pytest.mark.parametrize(
        "fault, kind, hint",
        [
            ({"status": 401}, "unauthorized", "  larder doctor reports missing secrets; larder check --live "),
            ({"status": 429, "headers": {"Retry-After": "3600"}}, "rateLimited", "  try again in 3600 s"),
            ({"status": 500}, "serverError", "  try again later"),
            ({"status": 200, "body": "<html>"}, "decodingFailed", "  larder check --live shows how the answer"),
        ],
    )
    def test_each_error_kind_has_a_hint(self, people, upstream, fault, kind, hint):
        upstream.fail("/api", **fault)
        first, second = people("get", "character", "1").stderr.splitlines()
        assert first.startswith(f"larder: {kind}: ") and second.startswith(hint), (first, second)
