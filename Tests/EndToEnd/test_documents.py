"""Every example of the README and of docs/ runs, and shows what it says.

* ```json with lines `-> request` and `<- reply`: each request goes to a process of its own, all in one folder.
* ```console with lines `$ command` and what it prints. A printed line that ends in `...` is compared up to there.
* ```jsonc that begins with `{` or a comment: a whole catalog, which must be accepted.
* ```python: prints what stands behind `# ->`.

What differs from run to run (`fetchedAt`, `pid`, `uptime`, `bytes`) is not compared. `larder` is the built binary over
the package's cassettes, in a folder of its own for each example.
"""

import json
import pathlib
import re
import subprocess
import sys

import pytest

from harness import PATIENCE, binary, environment

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
VOLATILE = {"fetchedAt": "T", "pid": 1, "uptime": 0, "bytes": 0, "path": "P", "since": "T"}


def blocks(language):
    found = []
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.M | re.S):
            line = text[: match.start()].count("\n") + 2
            found.append(pytest.param(match.group(1), id=f"{document.name}:{line}"))
    return found


def settled(value):
    """The value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: VOLATILE.get(key, settled(inner)) for key, inner in value.items()}
    return [settled(inner) for inner in value] if isinstance(value, list) else value


@pytest.fixture
def program(home, places):
    """A `larder` that answers from the cassettes and keeps its files in the example's folder."""
    path = home / "bin" / "larder"
    path.parent.mkdir()
    cassettes = ROOT / "Fixtures/cassettes/rickandmorty"
    path.write_text(f"#!/bin/sh\nexec '{binary()}' \"$@\" --replay '{cassettes}' {' '.join(places)}\n")
    path.chmod(0o755)
    return path


def run(command, home, program, **more):
    variables = {"LARDER_BIN": str(program), "PYTHONPATH": str(ROOT / "clients/python/src")}
    where = environment(home, variables)
    where["PATH"] = f"{program.parent}:{where['PATH']}"
    return subprocess.run(
        command, env=where, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, **more
    )


@pytest.mark.parametrize("example", [b for b in blocks("json") if b.values[0].startswith("-> ")])
def test_exchange(example, home, program):
    lines = example.splitlines()
    sent = [line[3:] for line in lines if line.startswith("-> ")]
    expected = [json.loads(line[3:]) for line in lines if line.startswith("<- ")]
    assert len(lines) == len(sent) + len(expected)
    received = []
    # One request at a time, as a reader of the example takes it.
    for line in sent:
        received += run([program], home, program, input=line + "\n").stdout.splitlines()
    assert [settled(json.loads(line)) for line in received] == [settled(one) for one in expected]


@pytest.mark.parametrize("example", blocks("console"))
def test_commands(example, home, program):
    parts = re.split(r"^\$ ", example, flags=re.M)[1:]
    assert parts
    for part in parts:
        command, _, expected = part.partition("\n")
        printed = run(["bash", "-c", f"exec 2>&1; {command}"], home, program).stdout.splitlines()
        wanted = expected.splitlines()
        assert len(printed) == len(wanted), printed
        for got, want in zip(printed, wanted):
            if want.endswith("..."):
                assert got.startswith(want[:-3]), got
            elif want.startswith(("{", "[")):
                assert settled(json.loads(got)) == settled(json.loads(want))
            else:
                assert got == want


@pytest.mark.parametrize("example", blocks("jsonc"))
def test_catalog(example, home, program):
    file = home / "catalog.jsonc"
    file.write_text(example, encoding="utf-8")
    done = run([program, "call", "server/status", "--catalog", file], home, program)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("example", blocks("python"))
def test_python(example, home, program):
    done = run([sys.executable, "-c", example], home, program)
    assert done.returncode == 0, done.stderr
    expected = re.findall(r"# -> (.*)$", example, re.M)
    assert expected and done.stdout.splitlines() == expected


def test_every_document_has_examples():
    assert len(DOCUMENTS) >= 5
    for document in DOCUMENTS:
        assert re.search(r"^```(json|console|jsonc|python)\n", document.read_text(encoding="utf-8"), re.M), document
