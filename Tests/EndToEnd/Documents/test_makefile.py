"""The Makefile notices a checkout that was moved, and the help files of the editors have tags."""

import re
import shutil
import subprocess

import pytest

from harness import PATIENCE, ROOT


def make(folder, *words):
    return subprocess.run(["make", *words], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
def test_build_folder_of_a_moved_checkout_is_removed(tmp_path):
    (tmp_path / "old").mkdir()
    shutil.copy(ROOT / "Makefile", tmp_path / "old")
    assert make(tmp_path / "old", "place").stderr == ""
    product = tmp_path / "old" / ".build" / "product"
    product.write_text("old paths")
    assert make(tmp_path / "old", "place").stderr == "" and product.exists()
    (tmp_path / "old").rename(tmp_path / "new")
    done = make(tmp_path / "new", "place")
    assert done.returncode == 0 and "this checkout was built in another folder" in done.stderr
    assert not (tmp_path / "new" / ".build" / "product").exists()
    assert make(tmp_path / "new", "place").stderr == ""


@pytest.mark.parametrize("editor", ["vim", "nvim"])
def test_tags_of_an_editors_help_are_current(editor):
    folder = ROOT / "clients" / editor / "doc"
    found = re.findall(r"(?<!\S)\*([^*\s|]+)\*(?!\S)", (folder / "larder.txt").read_text(encoding="utf-8"))
    wanted = sorted(f"{tag}\tlarder.txt\t/*{tag}*" for tag in set(found))
    assert (folder / "tags").read_text(encoding="utf-8").splitlines() == wanted and len(wanted) > 8
