"""The build backend of the package (PEP 517): setuptools in a temporary copy of this folder.

Without the copy, `pip install` of a checkout would leave `build` and `*.egg-info` in this folder. Only an editable
install is built in place.
"""

import contextlib
import os
import pathlib
import shutil
import tempfile

from setuptools import build_meta

ROOT = pathlib.Path(__file__).resolve().parent
NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "tests")


@contextlib.contextmanager
def _copy():
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "larder"
        shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
        os.chdir(copy)
        try:
            yield
        finally:
            os.chdir(before)


def _in_copy(hook):
    def run(*args, **options):
        # pip passes folders relative to the current one.
        args = [os.path.abspath(each) if isinstance(each, str) else each for each in args]
        with _copy():
            return hook(*args, **options)

    return run


build_wheel = _in_copy(build_meta.build_wheel)
build_sdist = _in_copy(build_meta.build_sdist)
prepare_metadata_for_build_wheel = _in_copy(build_meta.prepare_metadata_for_build_wheel)
get_requires_for_build_wheel = _in_copy(build_meta.get_requires_for_build_wheel)
get_requires_for_build_sdist = _in_copy(build_meta.get_requires_for_build_sdist)
build_editable = build_meta.build_editable
get_requires_for_build_editable = build_meta.get_requires_for_build_editable
