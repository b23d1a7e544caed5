"""Lists of many pages: each page is printed when it arrives, and no page is fetched beyond the requested ones."""

import json
import os
import subprocess

import pytest

from harness import PATIENCE, binary, environment
from terminal import recent


def ids(done):
    assert done.code == 0, done
    return [item["id"] for item in done.messages]


class TestPages:
    def test_list_command_prints_one_page(self, people, upstream):
        assert len(ids(people("list", "character"))) == 20 and upstream.count() == 1
        assert ids(people("list", "character", "--page", "2"))[0] == 21
        assert ids(people("list", "character", "page=3"))[0] == 41

    def test_summary_of_a_piped_list_is_shown_on_the_terminal_with_the_next_page(self, begin_on_terminal):
        shown = begin_on_terminal("list", "character", stdout=subprocess.PIPE)
        assert len(shown.process.stdout.read().splitlines()) == 20
        shown.process.stdout.close()
        assert shown.end() == 0
        assert shown.lines == ["larder: 20 of 60 items, page 1 of 3, next: --page 2, all: --all"]

    def test_option_all_prints_every_page(self, people):
        assert ids(people("list", "character", "--all")) == list(range(1, 61))
        assert ids(people("list", "character", "--all", "--page", "2")) == list(range(21, 61))

    @pytest.mark.parametrize("limit, requests", [(1, 1), (20, 1), (21, 2), (45, 3), (1000, 3)])
    def test_option_limit_fetches_only_the_needed_pages(self, people, upstream, limit, requests):
        assert ids(people("list", "character", "--limit", limit)) == list(range(1, min(limit, 60) + 1))
        assert upstream.count() == requests

    def test_option_limit_with_a_page_number_fetches_only_that_page(self, people, upstream):
        assert ids(people("list", "character", "--page", "2", "--limit", "30")) == list(range(21, 41))
        assert upstream.count() == 1

    def test_summary_counts_items_and_pages(self, on_terminal):
        last = recent(on_terminal("list", "character", "--all").lines[-1])
        assert last == "60 items, 3 pages; 3 pages from the API"
        last = recent(on_terminal("list", "character", "--limit", "30", width=200).lines[-1])
        assert last == "30 of 60 items, 2 pages, more: --all; 2 pages from the cache (disk), just now"
        assert on_terminal("list", "character", "--page", "3").lines[-1].startswith("20 of 60 items, page 3 of 3; ")

    def test_pages_are_printed_as_they_arrive(self, led, home, upstream):
        held = upstream.hold("/api/character?page=2")
        process = subprocess.Popen(
            [binary(), *led(["list", "character", "--all"])], stdout=subprocess.PIPE, env=environment(home)
        )
        try:
            held.wait()
            first = [json.loads(process.stdout.readline())["id"] for _ in range(20)]
            assert first == list(range(1, 21)) and process.poll() is None
            held.release()
            assert len(process.stdout.readlines()) == 40 and process.wait(PATIENCE) == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def test_table_keeps_the_columns_of_the_first_page_and_widens_them(self, on_terminal, served_items):
        paging = {"style": "page", "param": "page", "pages": "pages"}

        def answer(request):
            page = int(request.query.get("page", 1))
            item = {"id": str(page), "name": "a" * 5} if page == 1 else {"id": "2", "name": "b" * 50, "more": 1}
            return 200, {}, {"things": [item], "pages": 2}

        options, _ = served_items([], answer=answer, list={"items": "things", "pagination": paging})
        assert on_terminal("list", "thing", "--all", *options).lines[:3] == ["id  name", "1   aaaaa", "2   " + "b" * 50]

    def test_list_command_prints_the_pages_before_a_failed_page_and_exits_with_an_error(self, people, upstream):
        upstream.fail("/api/character?page=2", status=404)
        done = people("list", "character", "--all")
        assert done.code == 1 and len(done.messages) == 20
        assert done.stderr.startswith("larder: notFound: "), done

    def test_list_without_pagination_is_printed_as_one_page(self, on_terminal, people, served_items):
        options, _ = served_items([{"id": "1"}, {"id": "2"}])
        assert ids(people("list", "thing", "--all", *options)) == ["1", "2"]
        *rows, last = on_terminal("list", "thing", *options).lines
        assert (rows, recent(last)) == (["id", "1", "2"], "2 items; from the cache (disk), just now")
        last = on_terminal("list", "thing", "--limit", "1", *options).lines[-1]
        assert recent(last) == "1 item, more: --all; from the cache (disk), just now"
        assert people("list", "thing", "--page", "2", *options).code == 1

    def test_empty_list_prints_only_a_summary(self, on_terminal, people, served_items):
        options, _ = served_items([])
        (line,) = on_terminal("list", "thing", *options).lines
        assert recent(line) == "0 items; from the API"
        assert people("list", "thing", *options).stdout == b""

    def test_repeated_cursor_is_an_error(self, people, served_items):
        paging = {"style": "cursor", "param": "after", "next": "next"}

        def answer(request):
            page = request.query.get("after", "a")
            return 200, {}, {"things": [{"id": page}], "next": {"a": "b", "b": "c", "c": "b"}[page]}

        options, asked = served_items([], answer=answer, list={"items": "things", "pagination": paging})
        done = people("list", "thing", "--all", *options)
        assert done.code == 1 and 'page "b" twice' in done.stderr and len(asked) == 3, done

    @pytest.mark.parametrize("chosen", [[], ["--fields", "id"]])
    def test_page_with_the_same_items_under_another_cursor_is_an_error(self, people, served_items, chosen):
        paging = {"style": "cursor", "param": "after", "next": "next"}

        def answer(request):
            number = int(request.query.get("after", 0))
            return 200, {}, {"things": [{"id": str(min(number, 1))}], "next": number + 1 if number < 9 else None}

        options, asked = served_items([], answer=answer, list={"items": "things", "pagination": paging})
        done = people("list", "thing", "--all", *chosen, *options)
        assert done.code == 1 and "page 2 has the same items" in done.stderr, done
        assert [item["id"] for item in done.messages] == ["0", "1"] and len(asked) == 3

    def test_pages_that_differ_only_in_omitted_fields_are_all_printed(self, people, served_items):
        paging = {"style": "cursor", "param": "after", "next": "next"}

        def answer(request):
            number = int(request.query.get("after", 0))
            item = {"id": str(number), "name": "a"}
            return 200, {}, {"things": [item], "next": number + 1 if number < 2 else None}

        options, _ = served_items([], answer=answer, list={"items": "things", "pagination": paging})
        done = people("list", "thing", "--all", "--fields", "name", *options)
        assert done.code == 0 and done.messages == [{"name": "a"}] * 3, done

    def test_endless_empty_pages_are_an_error(self, people, served_items):
        paging = {"style": "cursor", "param": "after", "next": "next"}

        def answer(request):
            number = int(request.query.get("after", 0))
            return 200, {}, {"things": [], "next": number + 1 if number < 150 else None}

        options, asked = served_items([], answer=answer, list={"items": "things", "pagination": paging})
        done = people("list", "thing", "--all", *options)
        assert done.code == 1 and "too many empty pages" in done.stderr and len(asked) == 101, done


class TestSearch:
    def test_search_finds_cached_items(self, people, on_terminal, upstream):
        assert people("prefetch", "character").code == 0
        before = upstream.count()
        assert len(ids(people("search", "character"))) == 20
        assert ids(people("search", "character", "--all")) == list(range(1, 61))
        assert len(ids(people("search", "character", "--limit", "25"))) == 25
        assert len(ids(people("search", "character", "offset=50"))) == 10
        last = on_terminal("search", "character", width=100).lines[-1]
        assert last == "20 of 60 matches in 60 cached items, more: --limit N or --all; no requests were made"
        assert upstream.count() == before

    def test_search_in_an_empty_cache_finds_nothing(self, on_terminal):
        (line,) = on_terminal("search", "character", "rick").lines
        assert line == "0 matches in 0 cached items; no requests were made"


class TestOutput:
    def test_closed_pipe_stops_the_list(self, led, home, upstream):
        held = upstream.hold("/api/character?page=2")  # The pipe is closed before the second page arrives.
        process = subprocess.Popen(
            [binary(), *led(["list", "character", "--all"])],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(home),
        )
        assert process.stdout.readline()
        process.stdout.close()
        held.release()
        assert (process.wait(PATIENCE), process.stderr.read()) == (0, b"")
        process.stderr.close()

    def test_list_command_exits_if_its_output_pipe_has_no_reader(self, led, home):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(
            [binary(), *led(["list", "character", "--all"])],
            stdout=write,
            stderr=subprocess.PIPE,
            env=environment(home),
            timeout=PATIENCE,
        )
        os.close(write)
        assert (done.returncode, done.stderr) == (0, b"")

    @pytest.mark.parametrize("words", [["list", "character"], ["get", "character", "1"], ["prefetch", "location"]])
    def test_list_command_reports_a_full_disk(self, led, home, words):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [binary(), *led(words)], stdout=full, stderr=subprocess.PIPE, env=environment(home), timeout=PATIENCE
            )
        assert (done.returncode, done.stderr) == (74, b"larder: cannot write to stdout: No space left on device\n")
