"""The Makefile notices a moved checkout, and removes what it installs. The help files of the editors have tags."""

import re
import shutil
import subprocess

import pytest

from harness import PATIENCE, ROOT, binary


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


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
@pytest.mark.parametrize("built", ["here", "elsewhere", None])
def test_output_of_plain_swift_build_is_removed_if_the_checkout_was_moved(tmp_path, built):
    """A plain `swift build` writes no file `place`, but its own files have absolute paths."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / ".build").mkdir()
    folder = {"here": tmp_path, "elsewhere": tmp_path / "old", None: None}[built]
    if folder:
        (tmp_path / ".build" / "debug.yaml").write_text(f'  outputs: ["{folder}/.build/debug/larder"]\n')
    (tmp_path / ".build" / "product").write_text("built")
    done = make(tmp_path, "place")
    assert done.returncode == 0 and (tmp_path / ".build" / "place").read_text() == f"{tmp_path}\n"
    assert (tmp_path / ".build" / "product").exists() == (built != "elsewhere") == (done.stderr == "")


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
def test_uninstall_removes_exactly_the_installed_files(tmp_path):
    def files():
        return {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if not path.is_dir()}

    others = {"bin/other", "share/man/man1/other.1", "share/larder/catalogs/mine.jsonc"}
    for name in others:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    subprocess.run([ROOT / "scripts" / "stage", tmp_path, binary()], check=True, timeout=PATIENCE)
    assert len(files() - others) > 5 and others < files()
    done = make(ROOT, "uninstall", f"PREFIX={tmp_path}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "") and files() == others
    (tmp_path / "share/larder/catalogs/mine.jsonc").unlink()
    done = make(ROOT, "uninstall", "PREFIX=/" + tmp_path.name, f"DESTDIR={tmp_path.parent}")
    assert done.returncode == 0 and not (tmp_path / "share" / "larder").exists() and (tmp_path / "bin/other").exists()


@pytest.mark.parametrize("editor", ["vim", "nvim"])
def test_help_tags_of_each_editor_are_current(editor):
    folder = ROOT / "clients" / editor / "doc"
    found = re.findall(r"(?<!\S)\*([^*\s|]+)\*(?!\S)", (folder / "larder.txt").read_text(encoding="utf-8"))
    wanted = sorted(f"{tag}\tlarder.txt\t/*{tag}*" for tag in set(found))
    assert (folder / "tags").read_text(encoding="utf-8").splitlines() == wanted and len(wanted) > 8
