"""Every README example runs and prints the text after `# ->` in its comments."""

import pathlib
import re
import subprocess
import sys

import pytest

from harness import PATIENCE, binary, environment

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = re.findall(r"^```python\n(.*?)^```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_readme_example_prints_the_output_in_its_comments(number, home, upstream, places):
    # The examples start `larder` without arguments; this script adds the test's upstream and folder.
    program = home / "larder"
    program.write_text(
        f"#!/bin/sh\nexec '{binary()}' --base-url rickandmorty={upstream.url} {' '.join(places)} \"$@\"\n"
    )
    program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", EXAMPLES[number]],
        env=environment(home, {"PYTHONPATH": str(PACKAGE / "src"), "LARDER_BIN": str(program)}),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    expected = re.findall(r"# -> (.*)$", EXAMPLES[number], re.M)
    assert expected and done.stdout.splitlines() == expected


def test_readme_of_the_python_client_has_examples():
    assert len(EXAMPLES) >= 4
