"""All kept mutants (Tests/Mutants) still match the current code. Otherwise `make mutate` would stop at its start."""

import collections
import pathlib
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Mutants"))

import choice  # noqa: E402
import fresh  # noqa: E402
from mutants import ROOT, Mutant, faults, read  # noqa: E402

MUTANTS = read()
BLOCK = "name  file\n- old\n-   line\n+ new\n? tests"


def test_every_mutant_still_matches_the_code():
    assert list(faults(MUTANTS)) == []


def test_swift_tests_that_mutants_name_exist():
    names = []
    for path in (ROOT / "Tests").glob("*/**/*.swift"):
        text = path.read_text(encoding="utf-8")
        target = path.relative_to(ROOT / "Tests").parts[0]
        suites = re.findall(r"\b(?:struct|class|enum|extension) (\w+)", text)
        tests = re.findall(r"func (\w+)\(", text)
        names += [f"{target}.{suite}/{test}(" for suite in suites for test in tests]
    filters = {part for mutant in MUTANTS if isinstance(mutant.selection, str) for part in mutant.tests.split("|")}
    assert [each for each in sorted(filters) if not any(re.search(each, name) for name in names)] == []


def test_python_tests_that_mutants_name_exist():
    missing = []
    for file, *options in {mutant.selection for mutant in MUTANTS if isinstance(mutant.selection, tuple)}:
        path, _, wanted = file.partition("::")
        expression = options[options.index("-k") + 1] if "-k" in options else wanted.replace("::", " or ")
        paths = [ROOT / path] if (ROOT / path).is_file() else [*(ROOT / path).glob("**/test_*.py")]
        # The words may also occur in the values of parameters, in any case.
        text = "".join(each.read_text("utf-8") for each in paths).lower()
        missing += [(file, word) for word in expression.split(" or ") if word.lower() not in text]
        assert paths, file
    assert missing == []


def test_every_target_has_mutants():
    targets = {folder.name for folder in (ROOT / "Sources").iterdir() if not (folder / "module.modulemap").exists()}
    assert {mutant.target for mutant in MUTANTS} == targets | {"clients"}
    assert len(MUTANTS) >= 80


def test_at_most_five_percent_of_kept_mutants_may_survive():
    assert sum(bool(mutant.reason) for mutant in MUTANTS) <= 0.05 * len(MUTANTS)


def test_mutant_is_refused_if_its_text_is_not_unique_in_the_file():
    mutant = Mutant(BLOCK)
    assert mutant.apply("an old\n  line") == "an new"
    for text in ("nothing", "old\n  line old\n  line"):
        with pytest.raises(ValueError, match="name is stale"):
            mutant.apply(text)


@pytest.mark.parametrize("block", ["name  file\nold", "name  file\n-old\n+new"])
def test_invalid_mutant_description_is_refused(block):
    with pytest.raises(ValueError, match="not a mutant"):
        Mutant(block)


def test_duplicate_and_stale_mutants_are_reported(tmp_path):
    (tmp_path / "file").write_text("nothing")
    blocks = [BLOCK, BLOCK, "other  none\n- a\n+ b\n? t", "empty  file"]
    told = list(faults([Mutant(block) for block in blocks], tmp_path))
    assert [fault.split()[0] for fault in told] == ["name", "name", "name", "[Errno", "empty"]


def generated(text):
    """Returns the generated mutants of the body of a function."""
    text = f"func x() {{\n{text}\n}}\n"
    return [each.apply(text).split("\n", 1)[1].rsplit("\n", 2)[0] for each in fresh.changes("x.swift", text)]


def test_each_kind_of_swift_code_gets_its_mutants():
    assert generated("    return a < b") == ["    return a >= b", "    return a <= b"]
    assert generated("    return a && b") == ["    return a || b"]
    assert generated("    let x = 1") == ["    let x = 0"]
    assert generated("    let x = 16") == []
    assert generated("    begin(a, b)") == ["    begin(b, a)", "    "]
    assert generated("    if isOld {}") == ["    if true {}", "    if false {}"]


@pytest.mark.parametrize(
    "text",
    [
        "    list.reserveCapacity(1)",
        "    var lastID = 1",
        "    var writer = JSONWriter(capacity: 8)",
        "    precondition(a < b)",
        "    #if os(Windows98)\n    #endif",
    ],
)
def test_mutants_without_an_effect_are_not_generated(text):
    assert generated(text) == []


def test_no_mutant_changes_the_order_of_equal_elements():
    assert len(generated("    return list.sorted {\n        $0\n            < $1\n    }")) == 1
    assert len(generated("    return list.contains {\n        $0\n            < $1\n    }")) == 2


def test_no_mutant_changes_code_for_other_platforms(monkeypatch):
    text = "    #if os(Linux)\n    a = true\n    #else\n    a = false\n    #endif"
    monkeypatch.setattr(sys, "platform", "linux")
    assert [each for each in generated(text) if "a = true" not in each and "a = false" in each]
    assert all("a = false" in each for each in generated(text))
    monkeypatch.setattr(sys, "platform", "darwin")
    assert all("a = true" in each for each in generated(text))
    unknown = text.replace("os(Linux)", "DEBUG")
    assert len(generated(unknown)) == 2 * len(generated(text))


def test_tests_with_related_names_run_first():
    names = ("doctor", "other", "third")
    tests = [f"Tests/EndToEnd/test_{name}.py::test_{number}" for name in names for number in "12"]
    breadth = collections.Counter({tests[0]: 5, tests[2]: 9, tests[4]: 2, tests[5]: 3})
    related, others = choice.choose("Sources/larder/Doctor/DoctorFinding.swift", tests, breadth)
    assert related == [tests[1], tests[0]]
    assert others == [tests[3], tests[4], tests[2], tests[5]]
    assert choice.choose("Sources/x.swift", [], breadth) == []
