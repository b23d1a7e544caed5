"""The list of mutants (Tests/Mutants) fits the code: else `make mutate` would stop before it began."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Mutants"))

from mutants import ROOT, Mutant, faults, read  # noqa: E402

MUTANTS = read()
BLOCK = "name  file\n- old\n-   line\n+ new\n? tests"


def test_every_mutant_fits_the_code():
    assert list(faults(MUTANTS)) == []


def test_every_part_of_the_code_has_mutants():
    targets = {folder.name for folder in (ROOT / "Sources").iterdir() if not (folder / "module.modulemap").exists()}
    assert {mutant.target for mutant in MUTANTS} == targets | {"clients"}
    assert len(MUTANTS) >= 80


def test_few_are_accepted():
    assert sum(bool(mutant.reason) for mutant in MUTANTS) <= 0.05 * len(MUTANTS)


def test_a_mutant_is_applied_where_its_text_stands_once():
    mutant = Mutant(BLOCK)
    assert mutant.apply("an old\n  line") == "an new"
    for text in ("nothing", "old\n  line old\n  line"):
        with pytest.raises(ValueError, match="name is stale"):
            mutant.apply(text)


@pytest.mark.parametrize("block", ["name  file\nold", "name  file\n-old\n+new"])
def test_what_is_no_mutant_is_refused(block):
    with pytest.raises(ValueError, match="not a mutant"):
        Mutant(block)


def test_faults_of_the_list_are_told(tmp_path):
    (tmp_path / "file").write_text("nothing")
    blocks = [BLOCK, BLOCK, "other  none\n- a\n+ b\n? t", "empty  file"]
    told = list(faults([Mutant(block) for block in blocks], tmp_path))
    assert [fault.split()[0] for fault in told] == ["name", "name", "name", "[Errno", "empty"]
