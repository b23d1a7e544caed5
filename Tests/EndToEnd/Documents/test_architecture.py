"""docs/decisions and ARCHITECTURE.md follow their templates and name only types and folders that exist."""

import functools
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
INDEX = ROOT / "docs" / "decisions" / "README.md"
DECISIONS = [page for page in sorted(INDEX.parent.glob("*.md")) if page != INDEX]
# Names in code style that are declared outside this repository.
FOREIGN = {"Authorization", "Hashable", "Int", "Mutex", "Sendable", "URLSession"}
TYPE = re.compile(r"`([A-Z]\w*[a-z]\w*)(\.(?!json|md)\w+)?`")


def text(page):
    return page.read_text(encoding="utf-8")


def title(page):
    return text(page).partition("\n")[0].removeprefix("# ")


@functools.cache
def declared():
    """Returns the names of types, enum cases and files in `Sources` and `Tests`, and of folders."""
    folders = (ROOT / "Sources", ROOT / "Tests")
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".swift", ".h")]
    declaration = re.compile(r"\b(?:class|struct|enum|actor|protocol|typealias|case)\s+(\w+)")
    names = {name for file in files for name in declaration.findall(text(file))}
    rooms = [folder for place in folders for folder in place.rglob("*") if folder.is_dir()]
    return names | {file.name for file in (*files, *rooms, *ROOT.iterdir())}


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_each_decision_record_follows_the_template(page):
    number = re.fullmatch(r"(\d\d)-[a-z0-9-]+\.md", page.name)[1]
    assert title(page).startswith(f"{number}. ")
    assert re.findall(r"^#+ (.*)$", text(page), re.M)[1:] == ["Context", "Decision", "Consequences"]
    assert len(text(page).splitlines()) <= 45, "a decision has at most 45 lines"


def test_index_lists_every_decision_record_once():
    listed = re.findall(r"^\* \[(.*)\]\((.*)\)$", text(INDEX), re.M)
    assert sorted(listed) == sorted((title(page), page.name) for page in DECISIONS)
    assert [int(page.name[:2]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("page", [ARCHITECTURE, *DECISIONS], ids=lambda page: page.stem)
def test_types_named_in_the_architecture_document_exist(page):
    for name, member in TYPE.findall(text(page)):
        name = name + member if member == ".swift" else name
        assert name.endswith("Tests") or name in FOREIGN or name in declared(), name


def section(title):
    """Returns the text of ARCHITECTURE.md between a heading and the next heading of the same level."""
    return re.split(r"^## ", re.split(rf"^## {title}$", text(ARCHITECTURE), flags=re.M)[1], flags=re.M)[0]


def test_overview_of_the_architecture_document_has_at_most_50_lines():
    assert len(section("Bird's eye").splitlines()) <= 50


def test_every_documented_invariant_names_a_test():
    invariants = re.split(r"^\d+\. ", section("Invariants"), flags=re.M)[1:]
    assert len(invariants) >= 11
    for invariant in invariants:
        assert re.search(r"`(\w+Tests\.\w+|test_\w+)`", invariant), invariant


def targets():
    """Returns the targets of Package.swift that have a folder in `Sources`."""
    manifest = text(ROOT / "Package.swift")
    names = re.findall(r'\.(?:target|executableTarget|systemLibrary)\(\s*name: "(\w+)"', manifest)
    return [name for name in names if (ROOT / "Sources" / name).is_dir()]


def test_code_map_lists_every_target_and_folder():
    lines = section("Code map").splitlines()
    assert len(lines) <= 60
    sources, _, beside = section("Code map").partition("Beside `Sources`")
    places = {}
    for place in re.split(r"^\* ", sources, flags=re.M)[1:]:
        names = re.findall(r"`([\w/]+)`", place)
        places[names[0]] = names[1:]
    assert len(targets()) >= 12
    assert {name for name in targets() if not re.match("C[A-Z]", name)} <= places.keys()
    assert all(f"`{name}`" in sources for name in targets())
    for place, names in places.items():
        folder = ROOT / "Sources" / place
        assert folder.is_dir(), place
        for name in names:
            exists = any(path.name == name.rpartition("/")[2] for path in folder.rglob("*"))
            assert exists or name in declared() or name.islower(), f"{place}: {name}"
        for room in folder.iterdir():
            known = {*names, *(name.partition("/")[0] for name in names)}
            if not room.is_dir() or room.suffix == ".docc":
                continue
            assert room.name in known or f"{place}/{room.name}" in places, f"{place}/{room.name}"
    for name in re.findall(r"`([\w/]+)`", beside):
        assert any((folder / name).is_dir() for folder in (ROOT, ROOT / "Tests")), name
