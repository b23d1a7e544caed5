"""The completions in zsh and fish, on a terminal. `make test` tests the completions in bash."""

import os
import subprocess

import pytest

from harness import GRAPHQL_CATALOG, PATIENCE, binary, environment
from terminal import Terminal

SHELLS = {
    "zsh": (
        ["zsh", "-f", "-i"],
        "PS1='> '; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -D -u;"
        " source <(larder completions zsh); echo set''up\n",
    ),
    "fish": (
        ["fish", "--no-config", "-i"],
        "function fish_prompt; echo '> '; end; larder completions fish | source; echo set''up\n",
    ),
}
TYPED = [
    ("larder compl", "larder completions "),
    ("larder list char", "larder list character "),
    ("larder list character status=A", "larder list character status=Alive "),
    ("larder call character/list filter.st", "larder call character/list filter.status="),
    ("larder list issue --catalog=github state=o", "larder list issue --catalog=github state=open "),
    ("larder list character --fields name,stat", "larder list character --fields name,status "),
    ("larder check /etc/hostn", "larder check /etc/hostname "),
    ("larder --cache-dir /us", "larder --cache-dir /usr/"),
    ("larder --cache-dir=/us", "larder --cache-dir=/usr/"),
    ("true; larder list char", "larder list character "),
    ("LARDER_CATALOG='github' A=b larder list iss", "A=b larder list issue "),
    ("LARDER_CATALOG=~/own.json larder list per", "larder list person "),
]


@pytest.fixture
def variables(home):
    """The environment of a shell that finds larder."""
    programs = home / "bin"
    programs.mkdir()
    (programs / "larder").symlink_to(binary())
    (home / "own.json").write_text(GRAPHQL_CATALOG.read_text().replace('"character": {', '"person": {', 1))
    path = f"{programs}:{os.environ['PATH']}"
    return environment(home, {"TERM": "xterm", "LC_ALL": "C.UTF-8", "PATH": path})


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("typed, completed", TYPED, ids=[typed for typed, _ in TYPED])
def test_tab_key_completes_the_command_line_in_each_shell(variables, shell, typed, completed):
    command, setup = SHELLS[shell]
    with Terminal(command, variables) as terminal:
        terminal.type(setup)
        terminal.wait("setup\r\n")
        terminal.wait("> ")
        terminal.type(typed + "\t")
        terminal.wait_shown(completed)


def test_zsh_completion_executes_nothing(variables, home):
    command, setup = SHELLS["zsh"]
    with Terminal(command, variables, columns=1000) as terminal:  # Wide enough for any path of a folder.
        terminal.type(setup)
        terminal.wait("setup\r\n")
        terminal.wait("> ")
        terminal.type(f"LARDER_CATALOG=github$(touch {home}/ran)`touch {home}/ran` larder compl\t")
        terminal.wait_shown("larder completions ")
    assert not (home / "ran").exists()


def test_zsh_loads_the_installed_completion_file(variables, home):
    """The file lies in a folder of `fpath`, as after `make install`."""
    folder = home / "functions"
    folder.mkdir()
    (folder / "_larder").write_bytes(subprocess.check_output([binary(), "completions", "zsh"], timeout=PATIENCE))
    with Terminal(["zsh", "-f", "-i"], variables) as terminal:
        terminal.type(f"PS1='> '; fpath=({folder} $fpath); autoload -Uz compinit; compinit -D -u; echo set''up\n")
        terminal.wait("setup\r\n")
        for _ in range(2):  # The first completion loads the function.
            terminal.type("larder list char\t")
            terminal.wait_shown("larder list character ")
            terminal.type("\x15")
