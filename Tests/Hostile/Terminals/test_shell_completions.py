"""Catalog values that a shell would execute: completed within any quotes, they reach the program unchanged."""

import json
import os
import shutil

import pytest

from harness import binary, environment, eventually
from terminal import Terminal

VALUES = [
    "a$(touch mark)", "b`touch mark`", 'c"; touch mark; "', "d'; touch mark; '", "e;touch mark", 'f\\";touch mark;\\"',
    "g&touch mark", "h|touch mark", "i!touch mark", "j\\$(touch mark)", "k ${x:=$(touch mark)}", "l>mark", "m*{a,b}?",
    "n\\;touch mark", "o\\", 'p"$(touch mark)"', "q\\`touch mark\\`", "r'$(touch mark)'", "s!!", "t#\\'",
    'u!"!$(touch mark)',
]
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "PS1='> '; source <(larder completions bash)"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "PS1='> '; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -D -u;"
        " source <(larder completions zsh)",
    ),
    "fish": (["fish", "--no-config", "-i"], "function fish_prompt; echo '> '; end; larder completions fish | source"),
}
INSTALLED = [
    pytest.param(shell, marks=pytest.mark.skipif(not shutil.which(shell), reason=f"needs {shell}")) for shell in SHELLS
]
PROGRAM = """#!/bin/sh
case $1 in complete | completions) exec {binary} "$@" ;; esac
printf '%s\\0' "$@" >"$HOME/given.new"
mv "$HOME/given.new" "$HOME/given"
"""


class Shell:
    """A shell in which TAB completes `larder`, replaced by a program that only records its arguments."""

    def __init__(self, home, shell, values):
        self.home, self.mark, self.given = home, home / "mark", home / "given"
        programs = home / "bin"
        programs.mkdir()
        (programs / "larder").write_text(PROGRAM.format(binary=binary()))
        (programs / "larder").chmod(0o755)
        api = {"baseURL": "http://127.0.0.1:9"}
        listing = {"path": "/things", "filters": {"state": {"param": "state", "type": values}}}
        thing = {"api": "a", "id": "string", "fields": {"id": "string"}, "rest": {"list": listing}}
        catalog = home / "catalog.json"
        catalog.write_text(json.dumps({"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}}))
        path = f"{programs}:{os.environ['PATH']}"
        more = {"TERM": "xterm", "LC_ALL": "C.UTF-8", "PATH": path, "LARDER_CATALOG": str(catalog)}
        command, setup = SHELLS[shell]
        self.terminal = Terminal(command, environment(home, more), columns=400)
        self.terminal.type(f"{setup}; cd; echo set''up\n")
        self.terminal.wait("setup\r\n")

    def run(self, typed, then="\n"):
        """Types the text and TAB, and runs the line. Returns the arguments of the program."""
        self.given.unlink(missing_ok=True)
        self.terminal.type(typed + "\t")
        self.terminal.type(then)
        eventually(self.given.exists, f"larder to run after {typed!r}; seen: {self.terminal.seen[-300:]!r}")
        return self.given.read_text().split("\0")[:-1]


@pytest.fixture
def shell(home):
    started = []

    def shell(name, values=VALUES):
        started.append(Shell(home, name, values))
        return started[-1]

    yield shell
    for one in started:
        one.terminal.__exit__()


@pytest.mark.parametrize("shell_name", INSTALLED)
@pytest.mark.parametrize("before", ["", '"', "'"], ids=["no quotes", "double quotes", "single quotes"])
@pytest.mark.parametrize("place", ["word", "value"])
def test_completed_value_is_not_executed_by_the_shell(shell, shell_name, before, place):
    """A completed value is not executed, whether the quote stands before the whole word or only before the value."""
    shell = shell(shell_name)
    for value in VALUES:
        typed = f"{before}state={value[0]}" if place == "word" else f"state={before}{value[0]}"
        # In bash, single quotes cannot contain every value. In that case TAB adds nothing.
        is_offered = shell_name != "bash" or before != "'" or "'" not in value
        found = shell.run(f"larder list thing {typed}", "\n" if is_offered else f"{before}\n")
        expected = f"state={value if is_offered else value[0]}"
        assert found == ["list", "thing", expected], (value, shell.terminal.seen[-300:])
        assert not shell.mark.exists(), value


@pytest.mark.parametrize("start, end", [
    ('larder get x "$(larder list thing state=', ')"\n'), ('larder get x "`larder list thing state=', '`"\n'),
    ("larder get x `larder list thing state=", "`\n"), ('larder get x "${y:-$(larder list thing state=', ')}"\n'),
    ("larder list thing $'state=", "'\n"), ('larder list thing $"state=', '"\n'),
    ('larder list thing "${y:-state=', '}"\n'), ('larder list thing x "$(echo state="', '")"\n'),
])
def test_completion_within_a_shell_expansion_executes_nothing(shell, start, end):
    shell = shell("bash")
    for value in VALUES:
        shell.run(start + value[0], end)
        assert not shell.mark.exists(), value


@pytest.mark.parametrize("start, end", [("$[a", ']"\n'), ("$((a", '))"\n'), ("${a", '}"\n'), ("$(a", ')"\n')])
def test_value_is_not_completed_within_an_expansion(shell, start, end):
    """Expansions have other quoting rules. For example, older versions of bash expand the subscripts of an arithmetic
    expression twice."""
    shell = shell("bash", [f"{start}[$(touch mark)]", "z"])
    assert shell.run(f'larder list thing "state={start}', end)[:2] == ["list", "thing"]
    assert not shell.mark.exists()


@pytest.mark.parametrize("shell_name", INSTALLED)
@pytest.mark.parametrize("before", ["", '"', "'"], ids=["no quotes", "double quotes", "single quotes"])
def test_completed_file_name_is_not_executed_by_the_shell(shell, shell_name, before):
    shell = shell(shell_name)
    names = [value.replace("/", "") for value in VALUES if "'" not in value or before != "'"]
    for name in names:
        (shell.home / f"file-{name}").write_text("")
    for name in names:
        assert shell.run(f"larder check {before}./file-{name[0]}")[:1] == ["check"]
        assert not shell.mark.exists(), name
