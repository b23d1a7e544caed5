"""The package for Emacs, in Emacs: emacs/scenarios.el says what is done, and what must then be so."""

import subprocess

import pytest

from driving import CLIENTS, HERE, scenarios

SCRIPT = "emacs/scenarios.el"
EMACS = ["emacs", "--batch", "-Q", "-L", str(CLIENTS / "emacs"), "-l", str(HERE / SCRIPT)]


@pytest.mark.parametrize("name", scenarios(SCRIPT, r"^\(scenario (\w+)"))
def test_emacs(name, scenario):
    scenario(EMACS, name)


def test_it_compiles_without_a_warning(home):
    for file in (CLIENTS / "emacs").glob("*.el"):
        (home / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    files = sorted(path.name for path in home.glob("*.el"))
    options = ["--batch", "-Q", "-L", ".", "--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile"]
    done = subprocess.run(["emacs", *options, *files], cwd=home, capture_output=True, text=True)
    assert done.returncode == 0 and len(files) > 3, done.stderr
