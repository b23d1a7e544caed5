"""Shell completion of ids and fields from cached items."""

import os
import shlex
import sqlite3

import pytest

from harness import binary, environment
from terminal import Terminal

ITEMS = [
    {"id": "ant-1", "name": "Ann", "seen": 1},
    {"id": "ant-2", "title": "Bob"},
    {"id": "bee", "extra": 1},
    {"id": "-x", "name": "an option"},
    {"id": "a;ls", "name": "a command"},
    {"id": "a=b", "name": "an assignment"},
]


@pytest.fixture
def complete(command, places):
    """`complete(*words)` returns the completions of the last word with their notes. Omits completions that end with
    `=`."""

    def complete(*words):
        done = command("complete", "--", words[0], *map(str, places), *words[1:])
        assert (done.code, done.stderr) == (0, "")
        pairs = [line.split("\t", 1) for line in done.stdout.decode().splitlines()]
        return [pair for pair in pairs if not pair[0].endswith("=")]

    return complete


@pytest.fixture
def cached(people, served_items):
    """Caches the items, and returns the options for their catalog and the list of received requests."""
    options, asked = served_items(ITEMS)
    assert people("list", "thing", *options).code == 0
    return options, asked


def test_ids_of_cached_items_are_completed_with_their_names(complete, cached):
    options, asked = cached
    assert complete("get", *options, "thing", "") == [["ant-1", "Ann"], ["ant-2", "Bob"], ["bee", ""]]
    assert complete("open", *options, "thing", "ant") == [["ant-1", "Ann"], ["ant-2", "Bob"]]
    assert complete("get", *options, "thing", "ant-1", "b") == [["bee", ""]]
    assert complete("open", *options, "thing", "a=b", "ant") == [["ant-1", "Ann"], ["ant-2", "Bob"]]
    assert complete("watch", *options, "thing", "ant-1", "b") == []
    assert complete("search", *options, "thing", "ant") == []
    assert len(asked) == 1


def test_bash_lists_ids_with_their_names(cached, places, home):
    (home / "bin").mkdir()
    (home / "bin" / "larder").symlink_to(binary())
    env = environment(home, {"TERM": "dumb", "LC_ALL": "C", "PATH": f"{home / 'bin'}:{os.environ['PATH']}"})
    line = shlex.join(["larder", *map(str, [*places, *cached[0]]), "get", "thing", ""]).removesuffix("''")
    with Terminal(["bash", "--norc", "--noprofile", "-i"], env) as bash:
        bash.type("PS1='> '; source <(larder completions bash); echo set''up\n")
        bash.wait("setup\r\n")
        bash.type(line + "\t\t")
        for text in ("ant-1  Ann", "ant-2  Bob", "bee"):
            bash.wait(text)
        bash.type("a\t")
        bash.wait("nt-")
        bash.type("2\t")
        bash.wait("2 ")
        bash.type("b\t")
        bash.wait("bee ")


def test_fields_of_cached_items_are_completed_if_the_catalog_declares_none(complete, cached):
    options, _ = cached
    names = {word for word, _ in complete("list", *options, "thing", "--fields", "")}
    assert names == {"id", "name", "seen", "title", "extra"}
    assert complete("list", *options, "thing", "--sort", "-na") == [["-name", ""]]


def test_completion_creates_no_cache_file(complete, served_items, home):
    options, asked = served_items(ITEMS)
    before = sorted(path for path in home.rglob("*"))
    assert complete("get", *options, "thing", "") == []
    assert sorted(path for path in home.rglob("*")) == before and not asked


def test_damaged_cache_file_has_no_completions(complete, cached, home):
    options, _ = cached
    (file,) = home.rglob("cache.sqlite")
    sqlite3.connect(file).close()
    file.write_bytes(b"not a database" * 100)
    assert complete("get", *options, "thing", "") == []
