"""The output of `get`, `list` and `search` goes through the program in PAGER on a terminal."""

import json
import os

import pytest

from screens import plain


@pytest.fixture
def pager(home):
    """`pager(script)` returns the environment with a shell script as the pager."""

    def pager(script):
        path = home / "pager"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return {"PAGER": str(path)}

    return pager


def test_output_goes_through_the_pager(on_terminal, pager):
    shown = on_terminal("list", "character", env=pager('echo "$LESS$LV"; sed "s/Rick/PAGED/"'))
    assert shown.code == 0 and shown.lines[0] == "FRX-c" and "PAGED Sanchez" in plain(shown.text)
    assert shown.lines[-1].endswith("from the API")


def test_list_command_stops_when_the_user_leaves_the_pager(begin_on_terminal, pager, upstream, home):
    left = home / "left"
    os.mkfifo(left)
    held = upstream.hold("/api/character?page=2")
    shown = begin_on_terminal("list", "character", "--all", env=pager(f"head -3; read key < {left}"))
    try:
        held.wait()
        left.write_text("q\n")
        assert shown.end() == 0
    finally:
        held.release()
    assert len(shown.lines) == 3


@pytest.mark.parametrize("env", [{"PAGER": ""}, {"PAGER": "cat"}])
def test_empty_variable_PAGER_means_no_pager(on_terminal, env):
    assert on_terminal("get", "character", "1", env=env).lines[0] == "id        1"


def test_no_pager_is_used_in_a_pipe_or_with_the_option_no_pager(on_terminal, people, pager):
    env = pager("echo paged")
    assert "paged" not in on_terminal("get", "character", "1", "--no-pager", env=env).text
    assert json.loads(people("get", "character", "1", env=env).stdout)["id"] == 1


def test_error_before_any_output_is_shown_without_the_pager(on_terminal, pager):
    shown = on_terminal("get", "character", "99999", env=pager("echo paged; cat"))
    assert shown.code == 1 and any(line.startswith("larder: notFound: ") for line in shown.lines)
    assert "paged" not in shown.text


@pytest.mark.parametrize("ending", ["exit 3", "kill -9 $$"])
def test_exit_code_of_the_pager_does_not_matter(on_terminal, pager, ending):
    shown = on_terminal("get", "character", "1", env=pager(f"cat; {ending}"))
    assert shown.code == 0 and shown.lines[0] == "id        1"


@pytest.mark.parametrize("command", ["prefetch", "sync"])
def test_result_of_reading_a_whole_list_is_not_paged(on_terminal, pager, command):
    shown = on_terminal(command, "character", env=pager("echo paged; cat"))
    assert shown.code == 0 and shown.text and "paged" not in shown.text


@pytest.mark.parametrize("exists", [False, True])
def test_pager_that_cannot_be_started_is_an_error(on_terminal, home, exists):
    path = home / "unusable"
    if exists:
        path.write_text("no program")
    shown = on_terminal("get", "character", "1", env={"PAGER": str(path)})
    assert shown.code == 1 and str(path) in shown.text
    assert "larder: the program in PAGER cannot be started: correct it, or use --no-pager" in shown.lines
