"""The Emacs package in Emacs. emacs/scenarios.el contains the scenarios and the expected results."""

import subprocess

import pytest

from driving import CLIENTS, HERE, scenarios

SCRIPT = "emacs/scenarios.el"
EMACS = ["emacs", "--batch", "-Q", "-L", str(CLIENTS / "emacs"), "-l", str(HERE / SCRIPT)]


@pytest.mark.parametrize("name", scenarios(SCRIPT, r"^\(scenario (\w+)"))
def test_emacs_client_passes_each_scenario(name, scenario):
    scenario(EMACS, name)


def test_emacs_package_compiles_without_warnings(home):
    for file in (CLIENTS / "emacs").glob("*.el"):
        (home / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    files = sorted(path.name for path in home.glob("*.el"))
    options = ["--batch", "-Q", "-L", ".", "--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile"]
    done = subprocess.run(["emacs", *options, *files], cwd=home, capture_output=True, text=True)
    assert done.returncode == 0 and len(files) > 3, done.stderr
