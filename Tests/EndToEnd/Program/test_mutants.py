"""The kept mutants (Tests/Mutants) apply to the current code. Otherwise `make mutate` would stop at its start."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Mutants"))

from mutants import ROOT, Mutant, faults, read  # noqa: E402

MUTANTS = read()
BLOCK = "name  file\n- old\n-   line\n+ new\n? tests"


def test_every_kept_mutant_applies_to_the_code():
    assert list(faults(MUTANTS)) == []


def test_every_target_has_kept_mutants():
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
