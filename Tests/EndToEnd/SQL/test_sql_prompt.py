"""`larder sql` without a query starts a prompt on a terminal."""

import glob
import os
import shutil
import stat
import subprocess
import sys

import pytest

from harness import PATIENCE, binary, environment
from terminal import Terminal

ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c;\n"
LIBRARIES = [path for place in ("/usr/lib/*/", "/usr/lib/", "/lib/") for path in glob.glob(place + "libedit.so.2")]
needs_libedit = pytest.mark.skipif(not LIBRARIES and sys.platform != "darwin", reason="needs libedit")


@pytest.fixture(autouse=True)
def synced(command, places, desk):
    assert command("sync", "ticket", *places, *desk.options).code == 0


@pytest.fixture
def prompt(places, desk, home):
    """`prompt(*options)` starts `larder sql` on a terminal, and waits for its first prompt."""

    def prompt(*options, before=(), term="xterm"):
        words = [*before, binary(), "sql", *places, *map(str, desk.options), *options]
        shell = Terminal(words, environment(home, {"TERM": term, "NO_COLOR": "1", "HOME": str(home)}))
        shell.greeting = shell.wait("sql> ")
        return shell

    return prompt


def run(shell, statement):
    """Types a statement, and returns the output up to the next prompt."""
    shell.type(statement + "\n")
    return shell.wait("sql> ")


def leave(shell):
    """Presses Ctrl-D, and returns the exit code."""
    shell.type("\x04")
    return shell.end()


def history(home):
    return home / "xdg-state" / "larder" / "sql_history"


def test_rows_are_followed_by_their_coverage(prompt):
    with prompt() as shell:
        assert "'.help' shows help" in shell.greeting
        shown = run(shell, "select id, title from ticket where id < 3 order by id;")
        assert "id  title\r\n 1  one\r\n 2  it's\r\n2 rows; ticket: 3 items, synced " in shown
        assert leave(shell) == 0


def test_statement_has_several_lines_and_a_line_several_statements(prompt):
    with prompt() as shell:
        shell.type("select count(*) n -- one; line\n")
        shell.wait("...> ")
        shell.type("from ticket where title <> 'a;\n")
        shell.wait("...> ")
        shown = run(shell, "b'; select 40 + 2 answer;")
        assert "n\r\n3\r\n" in shown and "ticket: 3 items" in shown
        assert "answer\r\n    42\r\n" in shell.seen
        assert leave(shell) == 0


def test_prompt_continues_after_an_error(prompt):
    with prompt() as shell:
        shown = run(shell, "select nme from ticket;")
        assert "larder: no such column: nme\r\n  select nme from ticket;\r\n         ^\r\n" in shown
        assert "n\r\n3\r\n" in run(shell, "select count(*) n from ticket;")
        assert "can only read the tables" in run(shell, "delete from ticket;")
        assert leave(shell) == 0


@needs_libedit
def test_tab_completes_keywords_tables_and_columns(prompt):
    with prompt() as shell:
        # A tab completes only if no more input follows at once.
        for typed, completed in [("sel\t", "ect"), (" tit\t", "le"), (" from tick\t", "et")]:
            shell.type(typed)
            shell.wait(completed)
        assert "title\r\none\r\n" in run(shell, " where id = 1;")
        # The alias is after the cursor.
        rest = " from ticket t where id = 1;"
        shell.type("select t.tit" + rest)
        shell.wait("id = 1;")
        shell.type("\x1b[D" * len(rest) + "\t")
        shell.wait("le")
        assert "title\r\none\r\n" in run(shell, "")
        shell.type("select name from larder_\t")
        shell.wait("\a")
        shell.type("\t")
        shell.wait("larder_columns")
        shell.wait("larder_tables")
        shell.type("t\t")
        shell.wait("ables")
        shell.type(";\n")
        assert "name\r\nticket\r\nuser\r\n2 rows" in shell.wait("2 rows")
        shell.wait("sql> ")
        assert leave(shell) == 0


@needs_libedit
def test_pasted_tab_does_not_complete(prompt):
    with prompt() as shell:
        shown = run(shell, "select\tid,\ttitle from ticket\n\twhere id = 1;")
        assert "id  title\r\n 1  one\r\n" in shown and "larder: " not in shown
        assert leave(shell) == 0


@needs_libedit
def test_invalid_utf8_is_replaced(prompt):
    with prompt() as shell:
        for bytes in (b"\xe9", b"\xff", b"\xf0\x9f", b"\xc0\x80", b"\xed\xa0\x80"):
            os.write(shell.ours, b"select 'caf" + bytes + b"' a;\n")
            assert "a\r\ncaf\ufffd\r\n1 row" in shell.wait("1 row")
            shell.wait("sql> ")
        assert leave(shell) == 0


@needs_libedit
def test_up_arrow_recalls_statements_of_an_earlier_session(prompt, home):
    with prompt() as shell:
        shell.type("select 'first'\n")
        shell.wait("...> ")
        run(shell, "as a, '\u00fc' b;")
        run(shell, "select 2 as c;")
        assert leave(shell) == 0
    assert history(home).read_text(encoding="utf-8") == "select 'first' as a, '\u00fc' b;\nselect 2 as c;\n"
    assert stat.S_IMODE(history(home).stat().st_mode) == 0o600
    assert stat.S_IMODE(history(home).parent.stat().st_mode) == 0o700
    with prompt() as shell:
        shell.type("\x1b[A\x1b[A\n")
        assert "a      b\r\nfirst  \u00fc\r\n" in shell.wait("1 row")
        shell.wait("sql> ")
        assert leave(shell) == 0


def test_history_is_not_saved_without_persistence(prompt, home):
    with prompt("--no-persistence") as shell:
        assert "answer\r\n    42\r\n" in run(shell, "select 42 answer;")
        assert leave(shell) == 0
    assert not history(home).parent.exists()


def test_ctrl_c_cancels_a_query(prompt):
    with prompt("--timeout", "60s") as shell:
        for _ in range(2):
            shell.type(ENDLESS)
            shell.wait("running the query")
            shell.type("\x03")
            assert "larder: the query was cancelled\r\n" in shell.wait("sql> ")
            assert "n\r\n3\r\n" in run(shell, "select count(*) n from ticket;")
        assert leave(shell) == 0


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_ctrl_c_clears_the_input(prompt, term):
    with prompt(term=term) as shell:
        shell.type("select 'lost',\n")
        shell.wait("...> ")
        shell.type("oops")
        shell.wait("oops")
        shell.type("\x03")
        shell.wait("sql> ")
        shown = run(shell, "select 42 answer;")
        assert "answer\r\n    42\r\n" in shown and "larder: " not in shown
        assert leave(shell) == 0


@pytest.mark.parametrize("word", [".quit", "exit", "quit;"])
def test_word_ends_the_prompt(prompt, word):
    with prompt() as shell:
        shell.type(word + "\n")
        assert shell.end() == 0


def test_commands_describe_the_tables(prompt):
    with prompt() as shell:
        shown = run(shell, ".tables")
        assert "ticket" in shown and "synced" in shown and "user" in shown
        shown = run(shell, ".schema TICKET")
        assert "votes" in shown and "INTEGER" in shown and "_fetched_at" in shown
        assert "did you mean 'ticket'?" in run(shell, ".schema tickt")
        assert ".schema [NAME]" in run(shell, ".help")
        assert "unknown command '.nme'" in run(shell, ".nme")
        assert leave(shell) == 0


def test_query_is_needed_without_a_terminal(command, places, desk):
    done = command("sql", *places, *desk.options)
    assert (done.code, done.stdout) == (64, b"") and "'larder sql' needs a query" in done.stderr
    done = command("sql", "--into", "x.sqlite", *places, *desk.options)
    assert done.code == 64 and "needs a query" in done.stderr


def without_libedit():
    """The words that run a command in a mount namespace in which libedit is an empty file."""
    hide = "; ".join(f"mount --bind /dev/null {path}" for path in {os.path.realpath(path) for path in LIBRARIES})
    return ["unshare", "--mount", "sh", "-c", f'{hide or "true"}; exec "$@"', "sh"]


def can_hide_libedit():
    if sys.platform != "linux" or not shutil.which("unshare"):
        return False
    done = subprocess.run([*without_libedit(), "true"], capture_output=True, timeout=PATIENCE)
    return done.returncode == 0 and not done.stderr


@pytest.mark.skipif(not can_hide_libedit(), reason="needs the right to mount on Linux")
def test_prompt_works_without_libedit(prompt, home):
    with prompt(before=without_libedit()) as shell:
        assert "install the package libedit2 (Debian, Ubuntu)" in shell.greeting
        assert "n\r\n3\r\n" in run(shell, "select count(*) n from ticket;")
        assert leave(shell) == 0
    assert history(home).read_text() == "select count(*) n from ticket;\n"


def test_dumb_terminal_has_no_line_editing(prompt):
    with prompt(term="dumb") as shell:
        assert "libedit" not in shell.greeting
        assert "n\r\n3\r\n" in run(shell, "select count(*) n from ticket;")
        assert leave(shell) == 0
