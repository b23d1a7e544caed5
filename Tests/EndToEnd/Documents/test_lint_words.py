"""The check of the project's words (scripts/lint-words) and the sample of its texts (scripts/words/sample)."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts" / "words"))

from patterns import NAMES, TEXT, faults  # noqa: E402
from texts import Piece  # noqa: E402

# A sentence for each pattern, and the words that the check must find in it.
FOUND = {
    "nobody": ("Sends it, but nobody answers.", "nobody"),
    "who": ("The task who asks first waits.", "who"),
    "others": ("Reads what others wrote.", "what others"),
    "what is": ("Returns what is kept of a page.", "what is kept"),
    "first What": ("What an observer knows.", "What"),
    "is looked": ("Whether it is looked at by a level.", "is looked"),
    "where it": ("Waits for the answer; nil where there is none.", "where there is"),
    "where not": ("Returns the page, where not all items fit.", "where not"),
    "tell": ("Tells the observer of a change.", "Tells"),
    "say": ("Says why the file was refused.", "Says"),
    "hear": ("The client hears of each change.", "hears"),
    "words": ("The message ends with the API's own words.", "API's own words"),
    "so many": ("Waits until so many items are stored.", "so many"),
    "as much as": ("Reads as much as can be read.", "as much as can be"),
    "The same": ("Reads an item. The same for several items.", "The same for"),
    "trailing clause": ("The kind of the fault, if that is known.", ", if that is known"),
    "behind": ("A stale entry is refreshed behind.", "behind"),
    "amiss": ("Logs that something is amiss.", "amiss"),
    "in time": ("Each entry is refreshed in time.", "in time"),
    "bring": ("A page brings its items.", "brings"),
    "goes on": ("The walk goes on with the next page.", "goes on"),
    "stands in": ("The cache stands in for the API.", "stands in"),
    "process ends": ("Waits until the process ends.", "process ends"),
    "a thing": ("Returns a thing of the cache.", "a thing"),
    "anew": ("Loads the catalog anew.", "anew"),
    "is no": ("The value is no header field.", "is no header"),
    "in vain": ("The request was sent in vain.", "in vain"),
    "who in a name": ("whoAsksFirstWaits", "who"),
    "what in a name": ("test_what_is_stored", "what"),
    "where in a name": ("test_a_page_where_none_was", "where none"),
    "tell in a name": ("aChangeIsTold", "told"),
    "it in a name": ("test_it_counts", "it"),
    "one in a name": ("aLongerOneDoesNot", "one does not"),
    "word in a name": ("aCatalogIsLoadedAnew", "anew"),
}
PLAIN = [
    "The documentation says that a user who may read the file owns it.",
    "Larder works behind a proxy. The file where it is stored is private.",
    "The same seed gives the same sample. The server did not answer in time.",
    "There is no limit. The value is no longer stored. An odd number of bytes is refused.",
    "Keeps a request as long as it is needed, and as many requests as possible.",
    "The row differs from what was written. The message says why. Prints where it is.",
    "A 64-bit machine has 2 words per key. `nobody` is the name of a user.",
]


def found(text, kind="docstring"):
    return [(pattern.name, words) for _, pattern, words in faults(Piece(kind, 1, text.split("\n")))]


def test_each_lint_pattern_has_a_test_example():
    assert list(FOUND) == [pattern.name for pattern in [*TEXT, *NAMES]]


@pytest.mark.parametrize("name", FOUND)
def test_linter_finds_each_pattern_in_its_example(name):
    text, words = FOUND[name]
    kind = "test" if name.endswith("in a name") else "docstring"
    assert (name, words) in found(text, kind)


@pytest.mark.parametrize("text", PLAIN, ids=range(len(PLAIN)))
def test_linter_accepts_plain_text(text):
    assert found(text) == []


def test_linter_accepts_plain_test_names():
    assert found("longerTokenIsNotRedacted", "test") + found("test_mixed_filters_are_merged", "test") == []


@pytest.fixture
def project(tmp_path):
    """project(FILE, TEXT): writes a file of a small project. Returns the root of the project."""

    def write(name="", text=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name:
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


def run(script, root, *options):
    command = [sys.executable, str(ROOT / "scripts" / script), "--root", str(root), *options]
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert process.stderr == ""
    return process.returncode, process.stdout.splitlines()


# A file with the pattern `anew` for each place that the check reads, and the line of the match.
PLACES = {
    "Sources/A.swift": ("let a = 1\n/// Loads a long catalog\n/// anew.\nfunc load() {}\n", 3),
    "Sources/B.swift": ('let a = "\\(b("x")) // loaded "\n    + "anew"\n', 2),
    "Sources/C.swift": ("/*\n * Loaded anew.\n */\n", 2),
    "Sources/D/d.c": ("int a; // loaded anew\n", 1),
    "Sources/D/include/d.h": ("/* loaded\n   anew */\n", 2),
    "Tests/A.swift": ("@Test(arguments: [1])\nfunc catalogIsLoadedAnew() {}\n", 2),
    "Tests/B.swift": ('@Suite("Catalogs are loaded anew")\nstruct Catalogs {}\n', 1),
    "Tests/test_a.py": ("def test_loaded_anew():\n    pass\n", 1),
    "Tests/b.py": ('def load():\n    """Loads\n    anew."""\n', 3),
    "Tests/c.py": ("a = 1  # loaded anew\n", 1),
    "clients/d.py": ("a = f'{1} loaded anew'\n", 1),
    "clients/a.mjs": ("a('// x', `loaded ${b} anew`)\n", 1),
    "clients/node/test/a.mjs": ("a('loaded anew')\ntest('catalogs are loaded anew', () => {})\n", 2),
    "clients/a.js": ("/** Loads\n * anew. */\n", 2),
    "clients/a.lua": ("local a = 1 -- loaded anew\n", 1),
    "clients/b.lua": ("a('loaded ' .. 'anew')\n", 1),
    "clients/a.vim": ('" Loads anew.\nlet a = 1\n', 1),
    "clients/b.vim": ("vim9script\n# Loads anew.\n", 2),
    "clients/a.el": (";; Loads anew.\n", 1),
    "clients/b.el": ('(defun a () "Loads\nanew.")\n', 2),
    "clients/a.sh": ("echo a # loads anew\n", 1),
    "clients/vim/doc/a.txt": ("Loads a catalog\nanew.\n", 2),
    "scripts/load": ("#!/usr/bin/env bash\n# Loads anew.\n", 2),
    "Makefile": ("a: ## loads anew\n", 1),
    "docs/a.md": ("# A\n\nLoads a catalog\nanew.\n", 4),
    "README.md": ("| a | loads anew |\n", 1),
}


@pytest.mark.parametrize("name", PLACES)
def test_linter_reads_each_kind_of_file_and_comment(project, name):
    text, line = PLACES[name]
    status, lines = run("lint-words", project(name, text))
    assert (status, [found.partition(":")[2].split(":")[0] for found in lines]) == (1, [str(line)])
    assert lines[0].startswith(f"{name}:{line}: ") and "anew" in lines[0] and ": use " in lines[0]


def test_linter_finds_a_pattern_that_spans_two_lines(project):
    root = project("Sources/A.swift", "/// Returns the stored page; nil where\n/// none is stored.\nlet a = 1\n")
    assert [line.split(": ")[0] for line in run("lint-words", root)[1]] == ["Sources/A.swift:1"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Sources/A.swift", 'let anew = "anew"\n'),
        ("Tests/A.swift", 'let a = "loaded anew"\nfunc loadAnew() {}\n'),
        ("Tests/a.py", "a = 'loaded anew'\n"),
        ("docs/a.md", "```sh\nlarder\n\nloaded anew\n```\n\nRun `larder anew`.\n"),
        ("docs/.build/a.md", "Loads anew.\n"),
        ("clients/node_modules/a.md", "Loads anew.\n"),
    ],
)
def test_linter_ignores_code(project, name, text):
    assert run("lint-words", project(name, text)) == (0, [])


def test_linter_accepts_the_number_of_matches_listed_as_exceptions(project):
    project("docs/a.md", "Loads anew.\n\nReads anew.\n")
    root = project("scripts/words/exceptions", "docs/a.md: anew: 2\n")
    assert run("lint-words", root) == (0, [])
    assert run("lint-words", root, "--no-exceptions")[0] == 1


def test_linter_fails_if_a_file_has_more_matches_than_exceptions(project):
    project("docs/a.md", "Loads anew.\n\nReads anew.\n")
    status, lines = run("lint-words", project("scripts/words/exceptions", "docs/a.md: anew: 1\n"))
    assert status == 1 and [line.split(":")[1] for line in lines[:2]] == ["1", "3"]
    assert lines[2] == "docs/a.md: anew: 2 matches, but only 1 in scripts/words/exceptions"


@pytest.mark.parametrize(("text", "fix"), [("Loads anew.", "lower the number to 1"), ("Loads.", "remove the line")])
def test_linter_fails_if_an_exception_allows_more_matches_than_exist(project, text, fix):
    project("docs/a.md", text + "\n")
    root = project("scripts/words/exceptions", "docs/a.md: anew: 2\n")
    assert run("lint-words", root) == (1, [f"scripts/words/exceptions: docs/a.md: anew: 2 is too high: {fix}"])


def test_linter_writes_an_exception_for_each_match(project):
    project("docs/a.md", "Loads anew.\n\nReads anew. Somebody waits.\n")
    root = project("docs/b.md", "Loads.\n")
    assert run("lint-words", root, "--write-exceptions") == (0, [])
    written = (root / "scripts" / "words" / "exceptions").read_text(encoding="utf-8")
    assert written == "docs/a.md: anew: 2\ndocs/a.md: nobody: 1\n"
    assert run("lint-words", root) == (0, [])


def test_linter_with_a_path_reads_only_files_and_exceptions_below_it(project):
    project("docs/a.md", "Loads anew.\n")
    project("docs/more/b.md", "Loads.\n")
    root = project("scripts/words/exceptions", "docs/c.md: anew: 2\n")
    assert run("lint-words", root, "docs/more") == (0, [])
    assert [line.split(":")[0] for line in run("lint-words", root, "docs/a.md")[1]] == ["docs/a.md"]


SAMPLED = {
    "Sources/A.swift": "/// The number of items.\nlet a = 1\n"
    'throw AError("the file \\(path.name) is too old to be read")\n',
    "Tests/A.swift": "@Test func itemsAreCounted() {}\n",
    "Tests/test_a.py": "def test_items_are_sorted():\n    pass\n",
    "docs/a.md": "# A\n\n" + "A paragraph with one sentence that is repeated.\n" * 3,
}


def test_text_sample_has_every_kind_of_text_and_lists_file_positions_last(project):
    for name, text in SAMPLED.items():
        project(name, text)
    status, lines = run("words/sample", project(), "--seed", "1")
    shown, _, places = "\n".join(lines).partition("\nPlaces\n")
    assert status == 0 and "  1. The number of items.\n" in shown and "Sources" not in shown
    assert "  2. the file <path> is too old to be read\n" in shown
    assert "itemsAreCounted\n" in shown and "test_items_are_sorted\n" in shown and "  5. A paragraph with" in shown
    assert sorted(line.partition(". ")[2] for line in places.splitlines() if ":" in line) == [
        "Sources/A.swift:1", "Sources/A.swift:3", "Tests/A.swift:1", "Tests/test_a.py:1", "docs/a.md:3",
    ]  # fmt: skip


def test_sample_depends_only_on_its_seed(project):
    for number in range(150):
        project(f"Sources/A{number}.swift", f"/// The number of items of kind {number}.\nlet a = 1\n")
    one, again, other = (run("words/sample", project(), "--seed", seed)[1] for seed in ("1", "1", "2"))
    assert one == again and one != other
    assert len([line for line in one if "The number" in line]) == 100
