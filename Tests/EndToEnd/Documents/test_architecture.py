"""docs/decisions and ARCHITECTURE.md name parts of the program that exist, and keep to their forms."""

import functools
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
INDEX = ROOT / "docs" / "decisions" / "README.md"
DECISIONS = [page for page in sorted(INDEX.parent.glob("*.md")) if page != INDEX]
# Names in code style that other software declares.
FOREIGN = {"Authorization", "Hashable", "Int", "Mutex", "Sendable", "URLSession"}
TYPE = re.compile(r"`([A-Z]\w*[a-z]\w*)(\.(?!json|md)\w+)?`")


def text(page):
    return page.read_text(encoding="utf-8")


def title(page):
    return text(page).partition("\n")[0].removeprefix("# ")


@functools.cache
def declared():
    """The names of types, cases and files in `Sources` and `Tests`, and of folders."""
    folders = (ROOT / "Sources", ROOT / "Tests")
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".swift", ".h")]
    declaration = re.compile(r"\b(?:class|struct|enum|actor|protocol|typealias|case)\s+(\w+)")
    names = {name for file in files for name in declaration.findall(text(file))}
    return names | {file.name for file in (*files, *ROOT.iterdir(), *(ROOT / "Sources").iterdir())}


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_has_its_form(page):
    number = re.fullmatch(r"(\d\d)-[a-z0-9-]+\.md", page.name)[1]
    assert title(page).startswith(f"{number}. ")
    assert re.findall(r"^#+ (.*)$", text(page), re.M)[1:] == ["Context", "Decision", "Consequences"]
    assert len(text(page).splitlines()) <= 45, "half a page is enough"


def test_the_index_lists_every_decision_once():
    listed = re.findall(r"^\* \[(.*)\]\((.*)\)$", text(INDEX), re.M)
    assert sorted(listed) == sorted((title(page), page.name) for page in DECISIONS)
    numbers = [page.name[:2] for page in DECISIONS]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("page", [ARCHITECTURE, *DECISIONS], ids=lambda page: page.stem)
def test_the_types_that_are_named_exist(page):
    for name, member in TYPE.findall(text(page)):
        name = name + member if member == ".swift" else name
        assert name.endswith("Tests") or name in FOREIGN or name in declared(), name


def section(title):
    """The text of ARCHITECTURE.md between a heading and the next one of its level."""
    return re.split(r"^## ", re.split(rf"^## {title}$", text(ARCHITECTURE), flags=re.M)[1], flags=re.M)[0]


def test_the_birds_eye_view_fits_a_screen():
    assert len(section("Bird's eye").splitlines()) <= 50


def test_every_invariant_names_a_test():
    invariants = re.split(r"^\d+\. ", section("Invariants"), flags=re.M)[1:]
    assert len(invariants) >= 11
    for invariant in invariants:
        assert re.search(r"`(\w+Tests\.\w+|test_\w+)`", invariant), invariant
