"""Terminal output: tables and items fit the terminal, colours are optional, and control characters in the data are
escaped."""

import json
import subprocess

import pytest

from screens import columns, plain
from terminal import recent

WIDE = "\u65e5\u672c\u8a9e\u306e\u540d\u524d"  # six characters of two columns each
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"  # one emoji of two columns
ODD = "a\x1b[31mb\x07\x9b2Jc\x7fd\u202ee\u2066f\ng\th"
ODD_SHOWN = r"a\u001b[31mb\u0007\u009b2Jc\u007fd\u202ee\u2066f\ng\th"


class TestTables:
    def test_page_is_printed_as_a_table(self, on_terminal):
        shown = on_terminal("list", "character", width=90)
        assert shown.code == 0
        head, first, *_, last = shown.lines
        assert head.split()[:4] == ["id", "name", "status", "species"]
        assert first.split()[:4] == ["1", "Rick", "Sanchez", "Alive"]
        assert recent(last) == "20 of 60 items, page 1 of 3, next: --page 2, all: --all; from the API"
        assert shown.lines[-2].startswith("not shown: ") and shown.lines[-2].endswith(" (--fields)")
        assert "\x1b[1m" in shown.text

    @pytest.mark.parametrize("width", [10, 20, 33, 80, 200])
    @pytest.mark.parametrize("words", [["list", "character"], ["get", "character", "1"], ["search", "character"]])
    def test_no_line_is_wider_than_the_terminal(self, on_terminal, width, words):
        shown = on_terminal(*words, width=width)
        assert shown.code == 0 and shown.lines
        assert [line for line in shown.lines if columns(line) > width] == []

    def test_selected_fields_become_the_columns_of_a_table(self, on_terminal):
        shown = on_terminal("list", "character", "--fields", "name, origin.name", "--limit", "2")
        assert shown.lines[0].split() == ["name", "origin.name"]
        assert shown.lines[1].split(None, 2) == ["Rick", "Sanchez", "Earth (C-137)"]

    def test_long_value_in_a_table_is_truncated(self, on_terminal, served_items):
        options, _ = served_items([{"id": "1", "text": "long " * 100}])
        line = on_terminal("list", "thing", *options, width=40).lines[1]
        assert columns(line) == 40 and line.endswith("\u2026")

    def test_wide_characters_count_as_two_columns(self, on_terminal, served_items):
        names = [WIDE, "e\u0301" * 4, FAMILY, "plain"]
        options, _ = served_items([{"id": str(n), "name": name, "end": "|"} for n, name in enumerate(names)])
        head, *rows, _ = on_terminal("list", "thing", *options).lines
        place = head.index("end")
        before = [row[: row.index("|")] for row in rows]
        for text, name in zip(before, names):
            assert columns(text) - (4 if name == FAMILY else 0) == place, text
        assert WIDE in before[0]

    def test_control_characters_in_the_data_are_escaped(self, on_terminal, served_items):
        options, _ = served_items([{"id": "1", "name": ODD, ODD: "key"}])
        called = ["call", "thing/get", "id=1", 'fields=["id","name"]']
        for words in (["list", "thing"], ["get", "thing", "1"], called, ["list", "thing", "--json"]):
            shown = on_terminal(*words, *options, width=300)
            assert shown.code == 0, shown.text
            text = plain(shown.text)
            assert not any(c in text for c in "\x1b\x07\x9b\x7f\u202e\u2066\t"), text
            assert "31mb" in text
        assert json.loads(text)[0]["name"] == ODD
        assert ODD_SHOWN in plain(on_terminal("list", "thing", *options, width=300).text)

    def test_control_characters_in_an_error_are_escaped(self, on_terminal, served_items):
        options, _ = served_items([], answer=lambda _: (500, {}, {"message": "bad \x1b[2J\u202e thing"}))
        for words in (["get", "thing", "1"], ["call", "thing/get", "id=1"]):
            shown = on_terminal(*words, *options, env={"NO_COLOR": "1"})
            assert shown.code == 1 and "\x1b" not in shown.text and "\u202e" not in shown.text
            assert r"[2J\u202e thing" in " ".join(shown.lines)


    @pytest.mark.parametrize(
        "words", [["help", ODD], ["--no" + ODD], ["check", "no" + ODD], ["catalog", "import", ODD]]
    )
    def test_control_characters_in_arguments_are_escaped(self, on_terminal, words):
        shown = on_terminal(*words, width=300, env={"NO_COLOR": "1"})
        assert shown.code != 0 and not any(c in shown.text for c in "\x1b\x07\x9b\x7f\u202e\u2066"), shown.text
        assert r"\u202e" in shown.text


class TestItems:
    def test_item_is_printed_with_one_line_for_each_field(self, on_terminal):
        shown = on_terminal("get", "character", "1")
        assert shown.code == 0
        assert shown.lines[:3] == ["id        1", "name      Rick Sanchez", "status    Alive"]
        assert "  name  Earth (C-137)" in shown.lines
        assert shown.lines[-1] == "from the API"

    def test_long_text_is_wrapped_and_keeps_its_lines(self, on_terminal, served_items):
        options, _ = served_items([{"id": "1", "text": "first line\r\nsecond " + "word " * 12}])
        lines = on_terminal("get", "thing", "1", *options, width=40).lines
        room = " " * 6
        assert lines[1:4] == ["text  first line", room + "second" + " word" * 5, room + " ".join(["word"] * 7)]

    def test_narrow_terminal_puts_values_below_names(self, on_terminal):
        lines = on_terminal("get", "character", "1", "--fields", "name,origin.name", width=20).lines
        assert lines == ["name", "  Rick Sanchez", "origin", "  name", "    Earth (C-137)", "from the API"]


class TestColourAndWidth:
    @pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}])
    def test_colours_can_be_turned_off(self, on_terminal, variables):
        shown = on_terminal("list", "character", env=variables)
        assert shown.code == 0 and "\x1b" not in shown.text

    def test_empty_variable_NO_COLOR_is_ignored(self, on_terminal):
        assert "\x1b[" in on_terminal("list", "character", env={"NO_COLOR": ""}).text

    def test_variable_COLUMNS_is_used_if_the_terminal_has_no_width(self, on_terminal, people):
        assert max(map(columns, on_terminal("get", "character", "1", width=0).lines)) > 60
        narrow = on_terminal("list", "character", width=0, env={"COLUMNS": "30"})
        assert max(map(columns, narrow.lines)) <= 30
        wide = on_terminal("list", "character", width=60, env={"COLUMNS": "30"})
        assert max(map(columns, wide.lines)) > 30
        piped = people("list", "character", "--table", env={"COLUMNS": "30"})
        assert max(map(columns, piped.stdout.decode().splitlines())) <= 30

    @pytest.mark.parametrize("odd", ["0", "-5", "many", "99999999999999999999"])
    def test_invalid_variable_COLUMNS_is_ignored(self, people, odd):
        done = people("list", "character", "--table", env={"COLUMNS": odd})
        assert done.code == 0 and max(map(columns, done.stdout.decode().splitlines())) <= 80


class TestOutputFormats:
    def test_pipe_gets_json_lines(self, people):
        done = people("list", "character", "name=rick")
        result = json.loads(people("call", "character/list", "filter.name=rick").stdout)
        assert (done.code, done.stderr) == (0, "") and done.messages == result["items"]

    def test_piped_item_is_one_line(self, people):
        done = people("get", "character", "1", "--fields", "name")
        assert (done.stdout, done.stderr) == (b'{"name":"Rick Sanchez"}\n', "")

    def test_table_option_prints_a_table_into_a_pipe(self, people):
        done = people("list", "character", "--table", "--limit", "1")
        assert b"\x1b" not in done.stdout and done.stdout.startswith(b"id  name")

    def test_output_is_a_table_only_if_stdout_is_a_terminal(self, on_terminal):
        shown = on_terminal("get", "character", "1", stdout=subprocess.PIPE)
        assert shown.text == "" and json.loads(shown.process.stdout.read())["id"] == 1
        shown.process.stdout.close()
        shown = on_terminal("get", "character", "1", stderr=subprocess.DEVNULL)
        assert shown.lines[0] == "id        1" and "\x1b[" in shown.text
