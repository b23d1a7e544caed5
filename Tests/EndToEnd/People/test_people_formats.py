"""Output formats, sorting, and colours of `get`, `list` and `search`."""

import csv
import io
import json
import signal
import subprocess
import threading

import pytest
import yaml

from screens import OnTerminal, Screen, columns, plain
from scripted import serving
from terminal import recent


@pytest.fixture
def things(served_items):
    """The options for a catalog with three things, whose values need quotes in most formats."""
    items = [
        {"id": "b", "size": 10, "text": 'a, "b"\nnext\tline', "tags": ["x", "y"], "of": {"no": None}},
        {"id": "a", "size": 9, "text": "no", "tags": [], "of": {}},
        {"id": "c", "size": None, "text": "", "tags": ["~"], "of": {"no": "off"}},
    ]
    options, asked = served_items(items)
    return items, options, asked


class TestFormats:
    def test_json_output_is_one_array(self, people, things):
        items, options, _ = things
        assert json.loads(people("list", "thing", "-o", "json", *options).stdout) == items
        assert json.loads(people("get", "thing", "a", "-o", "json", *options).stdout) == items[1]
        assert json.loads(people("search", "thing", "nothing", "-o", "json", *options).stdout) == []

    def test_yaml_output_has_the_same_values_as_json_output(self, people, things):
        items, options, _ = things
        assert yaml.safe_load(people("list", "thing", "-o", "yaml", *options).stdout) == items
        assert yaml.safe_load(people("get", "thing", "b", "-o", "yaml", *options).stdout) == items[0]

    def test_csv_has_a_header_and_quoted_values(self, people, things):
        items, options, _ = things
        rows = list(csv.DictReader(io.StringIO(people("list", "thing", "-o", "csv", *options).stdout.decode())))
        assert [row["id"] for row in rows] == ["b", "a", "c"]
        assert [row["text"] for row in rows] == [item["text"] for item in items]
        assert [row["size"] for row in rows] == ["10", "9", ""]
        assert [json.loads(row["tags"]) for row in rows] == [item["tags"] for item in items]

    def test_tsv_has_one_line_for_each_item(self, people, things):
        _, options, _ = things
        lines = people("list", "thing", "-o", "tsv", "-f", "id,text", *options).stdout.decode().splitlines()
        assert lines == ["id\ttext", 'b\ta, "b"\\nnext\\tline', "a\tno", "c\t"]

    def test_formats_record_and_table_can_be_printed_into_a_pipe(self, people, things):
        _, options, _ = things
        text = people("list", "thing", "-o", "record", "-f", "id,size", *options).stdout.decode()
        assert text.startswith("id    b\nsize  10\n\nid    a\nsize  9\n\nid    c\nsize  -\n3 items; from")
        text = people("get", "thing", "a", "-o", "table", "-f", "id,size", *options).stdout.decode()
        assert text.startswith("id  size\na      9\nfrom")

    def test_fields_that_the_first_page_lacks_are_reported_for_csv(self, people, served_items):
        paging = {"style": "page", "param": "page", "pages": "pages"}

        def answer(request):
            page = int(request.query.get("page", 1))
            return 200, {}, {"things": [{"id": str(page), **({"late": 1} if page == 2 else {})}], "pages": 2}

        options, _ = served_items([], answer=answer, list={"items": "things", "pagination": paging})
        done = people("list", "thing", "--all", "-o", "csv", *options)
        assert (done.code, done.stdout) == (0, b"id\n1\n2\n")
        assert "no item of the first page has them: late; select the columns with --fields" in done.stderr

    def test_json_on_a_terminal_is_indented_and_coloured(self, on_terminal):
        shown = on_terminal("get", "character", "1", "--json", "-f", "id,name")
        assert shown.text == '{\n  \x1b[36m"id"\x1b[0m: \x1b[33m1\x1b[0m,\n  \x1b[36m"name"\x1b[0m: "Rick Sanchez"\n}\n'
        shown = on_terminal("list", "character", "--json", "--limit", "2")
        assert [item["id"] for item in json.loads(plain(shown.text))] == [1, 2]
        shown = on_terminal("call", "character/get", "id=1", 'fields=["id"]')
        assert json.loads(plain(shown.text))["item"] == {"id": 1} and len(shown.lines) > 3

    def test_json_option_in_a_pipe_prints_lines(self, people):
        done = people("list", "character", "--json", "--limit", "2")
        assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]


    @pytest.mark.parametrize("name", ["resources", "catalogs"])
    def test_lists_of_resources_and_catalogs_can_be_printed_in_every_format(self, command, name):
        rows = command(name).messages
        assert json.loads(command(name, "-o", "json").stdout) == rows
        assert yaml.safe_load(command(name, "-o", "yaml").stdout) == rows
        table = list(csv.DictReader(io.StringIO(command(name, "-o", "csv").stdout.decode())))
        assert [list(row.values())[0] for row in table] == [list(row.values())[0] for row in rows]
        assert command(name, "-o", "table", env={"COLUMNS": "200"}).stdout.decode().startswith(name.removesuffix("s"))
        narrow = command(name, "-o", "table", env={"COLUMNS": "40"}).stdout.decode()
        assert "…" not in narrow and max(map(len, narrow.splitlines())) <= 40
        assert all(next(iter(row.values())) in narrow for row in rows)

    def test_result_of_the_call_command_is_printed_as_json_or_yaml_only(self, people):
        words = ["call", "character/get", "id=1", 'fields=["id"]']
        result = json.loads(people(*words).stdout)
        assert json.loads(people(*words, "-o", "json").stdout)["item"] == {"id": 1}
        assert people(*words, "-o", "json").stdout.count(b"\n") > 3
        assert yaml.safe_load(people(*words, "-o", "yaml").stdout)["item"] == result["item"]
        done = people(*words, "-o", "csv")
        assert (done.code, done.stderr) == (64, "larder: --output must be json, jsonl or yaml for 'call', not 'csv'\n")

    def test_quote_before_a_combining_mark_is_doubled_in_csv(self, people, served_items):
        options, _ = served_items([{"id": "1", "name": 'a"\u0301,b', "z": 1}])
        text = people("list", "thing", "-o", "csv", *options).stdout.decode()
        assert list(csv.reader(io.StringIO(text))) == [["id", "name", "z"], ["1", 'a"\u0301,b', "1"]]

    @pytest.mark.parametrize("words", [["call", "thing/list", "-o", "jsonl"], ["list", "thing", "-o", "jsonl"]])
    def test_control_characters_in_lines_of_json_are_escaped_on_a_terminal(self, on_terminal, served_items, words):
        options, _ = served_items([{"id": "1", "name": "\x9b2J\u202e\x7f"}])
        text = on_terminal(*words, *options, width=200).text
        assert "\\u009b" in text and not any(c in text for c in "\x9b\u202e\x7f")


class TestOrder:
    @pytest.mark.parametrize(
        "words, ids",
        [
            (["--sort", "size"], ["a", "b", "c"]),
            (["--sort", "-size"], ["b", "a", "c"]),
            (["--sort", "text,id"], ["c", "b", "a"]),
            (["--reverse"], ["c", "a", "b"]),
            (["--sort", "id", "--reverse"], ["c", "b", "a"]),
        ],
    )
    def test_items_are_sorted(self, people, things, words, ids):
        _, options, _ = things
        done = people("list", "thing", *words, *options)
        assert [item["id"] for item in done.messages] == ids

    def test_items_of_all_pages_are_sorted_together_by_the_options_all_and_sort(self, people):
        done = people("list", "character", "--all", "--sort", "-id")
        assert [item["id"] for item in done.messages] == list(range(60, 0, -1))

    @pytest.mark.parametrize("words", [["list", "character"], ["search", "character"]])
    def test_limit_applies_after_the_items_of_all_pages_are_sorted(self, people, on_terminal, words):
        assert people("prefetch", "character").code == 0
        done = people(*words, "--all", "--sort", "-id", "-n", "3")
        assert [item["id"] for item in done.messages] == [60, 59, 58] and done.stderr == ""
        last = on_terminal(*words, "--all", "--sort", "-id", "-n", "3", "-f", "id", width=200).lines[-1]
        of_list, of_search = "3 of 60 items, 3 pages, more: --limit N; ", "3 of 60 matches in 60 cached items, more"
        assert last.startswith((of_list, of_search)), last
        assert [item["id"] for item in people("list", "character", "--sort", "-id", "-n", "3").messages] == [3, 2, 1]

    def test_sort_field_that_the_catalog_does_not_declare_is_an_error(self, people):
        done = people("list", "character", "--sort", "nam")
        assert done.code == 1 and "'nam'; did you mean 'name'?" in done.stderr, done

    def test_sort_field_that_no_cached_item_has_is_an_error(self, people, things):
        _, options, asked = things
        words = ["list", "thing", "--sort", "siez", "-f", "id", *options]
        assert "--sort needs 'siez' in --fields" in people(*words).stderr and not asked
        assert people("list", "thing", *options).code == 0
        done = people(*words)
        assert (done.code, done.stderr) == (1, "larder: --sort has the unknown field 'siez'; did you mean 'size'?\n")


    @pytest.mark.parametrize("words", [["--fields", "id,nam"], ["--sort", "nam"]])
    def test_field_that_no_item_has_is_reported(self, people, things, words):
        _, options, _ = things
        done = people("list", "thing", *words, *options)
        assert done.code == 0 and done.stderr == "larder: no item has the field 'nam'\n"
        assert people("list", "thing", "--fields", "id,of.no", *options).stderr == ""

    @pytest.mark.parametrize("words", [["get", "thing", "a"], ["get", "thing", "a", "b"], ["list", "thing"]])
    def test_similar_field_is_suggested_for_a_field_that_no_item_has(self, people, things, words):
        _, options, _ = things
        done = people(*words, "--fields", "id,siez", *options)
        assert done.code == 0 and done.stderr == "larder: no item has the field 'siez'; did you mean 'size'?\n"

    @pytest.mark.parametrize(
        "words, hint",
        [
            (["get", "thing", "1", "-f", "tags.z"], "'tags.z'"),
            (["get", "thing", "1", "-f", "tags.0.key"], "'tags.0.key'; did you mean 'tags.key'?"),
            (["list", "thing", "-f", "id,labels.q"], "'labels.q'"),
            (["list", "thing", "-f", "owner.logn"], "'owner.logn'; did you mean 'owner.login'?"),
            (["list", "thing", "--sort", "owner.logn"], "'owner.logn'; did you mean 'owner.login'?"),
        ],
    )
    def test_nested_field_that_no_item_has_is_reported(self, people, served_items, words, hint):
        options, _ = served_items([{"id": "1", "tags": [{"key": 1}], "labels": ["x"], "owner": {"login": "a"}}])
        done = people(*words, *options)
        assert (done.code, done.stderr) == (0, f"larder: no item has the field {hint}\n")

    def test_field_of_a_later_page_is_not_reported(self, people, served_items):
        def answer(request):
            item = {"id": "2", "note": "x"} if request.query.get("page") == "2" else {"id": "1"}
            return 200, {}, {"things": [item], "pages": 2}

        pagination = {"style": "page", "param": "page", "pages": "pages"}
        options, _ = served_items([], answer=answer, list={"items": "things", "pagination": pagination})
        done = people("list", "thing", "--all", "--fields", "id,note", *options)
        assert done.stderr == "" and done.messages == [{"id": "1"}, {"id": "2", "note": "x"}]

    @pytest.mark.parametrize("method", ["thing/list", "thing/search"])
    def test_call_command_warns_of_a_field_that_no_item_has(self, people, things, method):
        _, options, _ = things
        people("list", "thing", *options)
        done = people("call", method, 'fields=["id","nam"]', *options)
        warning = "larder: warning: no item of 'thing' has the field 'nam'; check its spelling\n"
        assert (done.code, done.stderr) == (0, warning)
        assert people("call", method, 'fields=["id","of.no"]', *options).stderr == ""


class TestSeveralItems:
    def test_get_command_prints_several_items_with_one_request(self, people, upstream):
        done = people("get", "character", "3", "1", "2", "-f", "id")
        assert done.messages == [{"id": 3}, {"id": 1}, {"id": 2}] and upstream.count() == 1

    def test_ids_without_an_item_are_reported(self, people, on_terminal):
        done = people("get", "character", "1", "99999", "-f", "id")
        assert (done.code, done.messages) == (1, [{"id": 1}]) and done.stderr == "larder: notFound: 99999\n"
        shown = on_terminal("get", "character", "1", "2", "-f", "id,name")
        assert [recent(line) for line in shown.lines] == [
            "id  name",
            " 1  Rick Sanchez",
            " 2  Morty Smith",
            "2 items: 1 from the API, 1 from the cache (disk), just now",
        ]


    def test_stale_items_after_an_api_failure_are_reported(self, people, on_terminal, upstream):
        assert people("get", "character", "1", "2").code == 0
        upstream.fail("/api", status=503)
        done = people("get", "character", "1", "2", "cachePolicy=remoteFirst", "-f", "id")
        assert done.code == 0 and done.messages == [{"id": 1}, {"id": 2}]
        assert done.stderr.startswith("larder: from the cache, the API failed: "), done
        shown = on_terminal("get", "character", "1", "2", "cachePolicy=remoteFirst", "-f", "id", width=200)
        assert any("2 items: 2 from the cache (disk), just now; the API failed: " in recent(l) for l in shown.lines)


class TestColour:
    def test_option_color_overrides_the_environment(self, people, on_terminal):
        assert b"\x1b[" in people("list", "character", "--table", "--color", "always").stdout
        assert b"\x1b[" in people("list", "character", "--table", env={"CLICOLOR_FORCE": "1"}).stdout
        assert b"\x1b[" not in people("list", "character", "--table", env={"CLICOLOR_FORCE": "0"}).stdout
        assert "\x1b[" not in on_terminal("list", "character", "--color", "never").text
        assert "\x1b[" in on_terminal("list", "character", "--color", "always", env={"NO_COLOR": "1"}).text

    def test_beginning_of_an_error_message_is_red(self, people, on_terminal):
        red = "\x1b[1;31mlarder: notFound:\x1b[0m the API"
        words = ["get", "character", "99999"]
        assert red in on_terminal(*words).text
        assert red in people(*words, "--color", "always").stderr
        assert red in people(*words, env={"CLICOLOR_FORCE": "1"}).stderr
        assert "\x1b" not in people(*words).stderr + on_terminal(*words, env={"NO_COLOR": "1"}).text
        assert "\x1b" not in on_terminal(*words, "--color=never").text
        assert on_terminal("lst").text.startswith("\x1b[1;31mlarder:\x1b[0m unknown command 'lst'")


class TestWidths:
    @pytest.mark.parametrize("width", [40, 80, 200])
    def test_ids_and_numbers_of_later_pages_are_not_cut(self, on_terminal, served_items, width):
        paging = {"style": "page", "param": "page", "pages": "pages"}

        def answer(request):
            page = int(request.query.get("page", 1))
            numbers = range((page - 1) * 100 + 1, page * 100 + 1)
            same = {"text": "long " * 20}
            items = [{"id": str(n), "name": f"\u65e5\u672c {n}", "price": n * 1.25, **same} for n in numbers]
            return 200, {}, {"things": items, "pages": 50}

        options, _ = served_items([], answer=answer, list={"items": "things", "pagination": paging})
        lines = on_terminal("list", "thing", "--all", *options, width=width).lines
        rows = lines[1:5001]
        assert [row.split()[0] for row in rows] == [str(n) for n in range(1, 5001)]
        assert all(str(n * 1.25).removesuffix(".0") in row for n, row in enumerate(rows, 1))
        assert max(map(columns, rows)) <= width

    def test_whole_uuid_fits_into_80_columns(self, on_terminal, served_items):
        uuid = "3c003a04-bbb6-4a26-8b14-e0123456789a"
        dates = {name: "2026-01-31T09:05:00Z" for name in ("created", "updated")}
        options, _ = served_items([{**dates, "id": uuid, "name": "a name that needs some room"}])
        lines = on_terminal("list", "thing", *options).lines
        assert uuid in lines[1] and max(map(columns, lines)) <= 80


class TestWaiting:
    @pytest.mark.parametrize("isPiped", [False, True])
    def test_progress_line_of_a_slow_request_is_shown_and_erased(self, begin_on_terminal, upstream, isPiped):
        held = upstream.hold("/api/character?page=2")
        piped = {"stdout": subprocess.DEVNULL} if isPiped else {}
        shown = begin_on_terminal("list", "character", "--all", width=100, **piped)
        try:
            held.wait()
            shown.wait("character  20 items, 1 page  waiting for the API")
        finally:
            held.release()
        assert shown.end() == 0
        assert not any("waiting" in line for line in Screen(shown.text).lines)

    def test_progress_line_of_call_is_shown_and_erased(self, begin_on_terminal, upstream):
        held = upstream.hold("/api/character/1")
        shown = begin_on_terminal("call", "character/get", "id=1", width=100)
        try:
            held.wait()
            shown.wait("character/get  waiting for the API")
        finally:
            held.release()
        assert shown.end() == 0
        assert not any("waiting" in line for line in Screen(shown.text).lines)

    @pytest.mark.parametrize(
        "words, step",
        [
            (["catalog", "infer"], "reading the response"),
            (["catalog", "import"], "reading the document"),
            (["add", "slow"], "looking for an API document"),
        ],
    )
    def test_progress_line_of_a_draft_is_shown_and_erased(self, home, words, step):
        held = threading.Event()

        def answer(_):
            held.wait()
            return 200, {}, [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}]

        with serving(answer) as url:
            shown = OnTerminal(home, *words, f"{url}/things", width=100)
            try:
                shown.wait(f"{step}  waiting for the API")
            finally:
                held.set()
            assert shown.end() == (1 if words[1] == "import" else 0)
        assert not any("waiting" in line for line in Screen(shown.text).lines)

    def test_interrupt_erases_the_progress_line(self, begin_on_terminal, upstream):
        held = upstream.hold("/api/character/1")
        shown = begin_on_terminal("get", "character", "1", width=100)
        try:
            held.wait()
            shown.wait("waiting for the API")
            shown.type("\x03")
            assert shown.end() == -signal.SIGINT
        finally:
            held.release()
        assert Screen(shown.text).lines == [""]
