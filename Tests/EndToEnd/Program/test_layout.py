"""The layout of the repository: no folder has more than 16 files."""

import collections
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Folders of data files and numbered pages, which may have more files.
DATA = ("Fixtures/", "Tests/Fuzz/corpus/", "docs/decisions/")


def tracked():
    """Returns the tracked files; none if this is not a checkout."""
    command = ["git", "-C", str(ROOT), "ls-files"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def test_code_folders_have_at_most_16_files():
    files = tracked()
    if not files:
        pytest.skip("not a checkout")
    folders = collections.Counter(name.rpartition("/")[0] for name in files if not name.startswith(DATA))
    # Other pages link to each page of the documents, so the folder may be longer.
    del folders["docs"]
    assert {folder: count for folder, count in folders.items() if count > 16} == {}
