"""Runs the tests of the Node client, and checks its types and examples, with the real program."""

import pathlib
import re
import shutil
import subprocess

import pytest

from harness import CASSETTES, binary, environment

CLIENT = pathlib.Path(__file__).resolve().parents[1]
PATIENCE = 120  # seconds until a hanging command fails
TSC = ["tsc", "--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom"]


@pytest.fixture
def run(home):
    """run(*command, env=...): runs a command and returns its stdout. If the command fails, the test fails."""

    def run(*command, env=None):
        assert shutil.which(command[0]), f"no {command[0]}: run `scripts/bootstrap --tests`"
        settings = environment(home, {"LARDER_BIN": binary(), "TMPDIR": str(home), **(env or {})})
        done = subprocess.run(
            command, cwd=home, env=settings, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture
def installed(home):
    """A folder in which the package `larder` is installed, as by `npm install`."""
    (home / "node_modules").mkdir()
    (home / "node_modules" / "larder").symlink_to(CLIENT)
    (home / "package.json").write_text('{"type": "module"}')
    return home


@pytest.mark.parametrize("file", sorted(CLIENT.glob("test/*.test.mjs")), ids=lambda file: file.name.split(".")[0])
def test_node_client_passes_its_tests(file, run):
    printed = run("node", "--test-reporter=tap", str(file))
    assert int(re.search(r"^# pass (\d+)$", printed, re.M).group(1)) > 0
    assert re.search(r"^# skipped 0$", printed, re.M), printed


def compile_all(run, installed, *files):
    (installed / "catalog.ts").write_text(run(binary(), "catalog", "types"))
    for file in files:
        shutil.copy(file, installed)
    run(*TSC, "--module", "node16", "--moduleResolution", "node16", *(file.name for file in files))


def test_type_declarations_of_the_node_client_are_correct(run, installed):
    """Valid uses compile, and each line marked with `@ts-expect-error` is an error."""
    compile_all(run, installed, *sorted(CLIENT.glob("test/types/uses.*")))


def test_typescript_example_of_the_node_client_compiles(run, installed):
    compile_all(run, installed, *sorted(CLIENT.glob("examples/*.mts")))


@pytest.mark.parametrize("file", sorted(CLIENT.glob("examples/*.mjs")), ids=lambda file: file.name)
def test_node_example_prints_the_output_in_its_comments(file, home, run, places):
    """Each example prints the text after `// ->` in its comments."""
    program = home / "larder"
    program.write_text(f"#!/bin/sh\nexec '{binary()}' --replay '{CASSETTES}' {' '.join(places)} \"$@\"\n")
    program.chmod(0o755)
    expected = re.findall(r"// -> (.*)$", file.read_text(encoding="utf-8"), re.M)
    if file.name == "observe.mjs":
        run(str(program), "get", "location", "15")  # The data is unchanged, so no change is reported.
    assert expected and run("node", str(file), env={"LARDER_BIN": str(program)}).splitlines() == expected
