"""The VS Code extension: its own tests with a fake VS Code API, its types, and its package."""

import json
import re
import shutil
import subprocess
import zipfile
from xml.etree import ElementTree

import pytest

from driving import CLIENTS
from harness import PATIENCE, ROOT, binary, environment

EXTENSION = CLIENTS / "vscode"
TESTS = sorted((EXTENSION / "test").glob("*.test.js"))
TSC = ["tsc", "--strict", "--noEmit", "--allowJs", "--checkJs", "--target", "es2022", "--lib", "es2022,dom"]
MODULES = ["--module", "node16", "--moduleResolution", "node16"]


@pytest.fixture
def run(home):
    """`run(*command, env=...)` runs a command, which must succeed, and returns its stdout."""

    def run(*command, env=None):
        assert shutil.which(command[0]), f"no {command[0]}: run `scripts/bootstrap --tests`"
        settings = environment(home, {"LARDER_BIN": binary(), "TMPDIR": str(home), **(env or {})})
        ends = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
        done = subprocess.run(command, cwd=home, env=settings, timeout=4 * PATIENCE, **ends)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture
def package(home, run):
    return zipfile.ZipFile(run(str(ROOT / "scripts" / "vsix"), str(home / "dist")).strip())


def pass_all(run, file, **variables):
    printed = run("node", "--test", "--test-reporter=tap", str(file), env=variables)
    assert int(re.search(r"^# pass (\d+)$", printed, re.M).group(1)) > 0
    assert re.search(r"^# skipped 0$", printed, re.M), printed


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name.split(".")[0])
def test_vscode_extension_passes_its_tests(file, run):
    pass_all(run, file)


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name.split(".")[0])
def test_packaged_vscode_extension_passes_its_tests(file, run, home, package):
    """Runs the tests with the packaged extension, in a folder without other files of the repository."""
    package.extractall(home / "unpacked")
    pass_all(run, file, LARDER_EXTENSION=str(home / "unpacked" / "extension" / "src" / "extension.js"))


def test_vscode_extension_passes_the_type_check(run):
    run(*TSC, *MODULES, *map(str, [*EXTENSION.glob("src/*.js"), *EXTENSION.glob("types/*.d.ts")]))


def test_type_check_of_the_vscode_extension_finds_errors(run, home):
    """The type check of the extension finds wrong uses of the types of VS Code and of the client."""
    shutil.copytree(EXTENSION, home / "clients" / "vscode")
    shutil.copytree(CLIENTS / "node", home / "clients" / "node")
    copy = home / "clients" / "vscode"
    with open(copy / "src" / "insert.js", "a", encoding="utf-8") as file:
        file.write("vscode.window.createQuickPick().title = 1;\nrequire('./client.js').Larder.start({ binary: 1 });\n")
    found = subprocess.run(
        [*TSC, *MODULES, *map(str, [*copy.glob("src/*.js"), *copy.glob("types/*.d.ts")])],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
    )
    assert len(re.findall(r"^.*insert\.js.*error TS2322", found.stdout, re.M)) == 2, found.stdout


def test_vscode_package_is_complete_and_reproducible(home, run, package):
    first = (home / "dist").glob("*.vsix")
    again = run(str(ROOT / "scripts" / "vsix"), str(home / "again")).strip()
    with open(again, "rb") as file:
        assert [path.read_bytes() for path in first] == [file.read()]
    about = json.loads(package.read("extension/package.json"))
    assert f"extension/{about['main'].removeprefix('./')}" in package.namelist()
    wanted = {path.name for path in (EXTENSION / "src").glob("*.js")}
    assert {name.split("/")[-1] for name in package.namelist() if name.startswith("extension/src/")} == wanted
    manifest = ElementTree.fromstring(package.read("extension.vsixmanifest"))
    space = {"": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
    identity = manifest.find("Metadata/Identity", space)
    assert [identity.get(key) for key in ("Id", "Version", "Publisher")] == [
        about[key] for key in ("name", "version", "publisher")
    ]
    for asset in manifest.iterfind("Assets/Asset", space):
        assert asset.get("Path") in package.namelist()
    endings = {kind.get("Extension") for kind in ElementTree.fromstring(package.read("[Content_Types].xml"))}
    assert {f".{name.rsplit('.', 1)[1]}" for name in package.namelist()} - {".xml"} <= endings


def test_vscode_extension_has_the_version_of_the_program(run):
    about = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert about["version"] in run(binary(), "--version").split()
