"""A stranger finds the room for a change from the list of folders: none is crowded."""

import collections
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Files of data and numbered pages, which are found by their names.
DATA = ("Fixtures/", "Tests/Fuzz/corpus/", "docs/decisions/")


def tracked():
    """What the project consists of; nothing where it is not a checkout."""
    command = ["git", "-C", str(ROOT), "ls-files"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def test_a_folder_has_few_files():
    files = tracked()
    if not files:
        pytest.skip("not a checkout")
    folders = collections.Counter(name.rpartition("/")[0] for name in files if not name.startswith(DATA))
    assert {folder: count for folder, count in folders.items() if count > 16} == {}
