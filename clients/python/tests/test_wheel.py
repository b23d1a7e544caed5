"""`scripts/wheel`: all that a Python user needs, in one file."""

import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

import larder
from harness import CASSETTES, PATIENCE, ROOT, binary, environment


@pytest.fixture
def wheel(home):
    def wheel(folder):
        command = [sys.executable, str(ROOT / "scripts" / "wheel"), binary(), str(home / folder)]
        done = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        [path] = (home / folder).iterdir()
        assert done.stdout == f"{path}\n"
        return path

    return wheel


def test_an_empty_environment_needs_nothing_else(home, wheel, places):
    path = wheel("dist")
    subprocess.run([sys.executable, "-m", "venv", str(home / "venv")], check=True, timeout=4 * PATIENCE)
    bin = home / "venv" / "bin"
    env = {**environment(home), "PATH": f"{bin}:/usr/bin:/bin"}

    def run(*command):
        return subprocess.run(command, env=env, cwd=home, capture_output=True, text=True, timeout=4 * PATIENCE)

    installed = run(bin / "python", "-m", "pip", "install", "--no-index", "--disable-pip-version-check", str(path))
    assert installed.returncode == 0, installed.stderr
    assert run("larder", "--version").stdout.startswith("larder ")
    # As a notebook's kernel is started, with none of the environment's programs on the PATH.
    env["PATH"] = "/usr/bin:/bin"
    assert os.stat(bin / "larder").st_mode & 0o111 == 0o111
    asked = f"larder.Larder(['--replay', {str(CASSETTES)!r}, *{places!r}])"
    program = f"import larder\nwith {asked} as one: print(larder.__file__, one.character.get(1).item['name'])"
    assert run(bin / "python", "-W", "error", "-c", program).stdout.split(" ", 1)[1] == "Rick Sanchez\n"
    assert str(home / "venv") in run(bin / "python", "-c", program).stdout
    assert run(bin / "python", "-m", "larder.models").stdout.startswith('"""Types and clients')
    assert run(bin / "python", "-m", "pip", "uninstall", "--yes", "larder").returncode == 0
    assert not (bin / "larder").exists(), "its record is whole"


def test_it_is_the_same_each_time_and_its_record_is_right(wheel):
    first, second = wheel("one"), wheel("two")
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as opened:
        names = opened.namelist()
        [record] = [name for name in names if name.endswith("RECORD")]
        rows = {name: (digest, size) for name, digest, size in csv.reader(io.StringIO(opened.read(record).decode()))}
        assert sorted(rows) == sorted(names) == sorted(set(names))
        for name in set(names) - {record}:
            data = opened.read(name)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert rows[name] == (f"sha256={digest}", str(len(data))), name
        assert {"larder/py.typed", "larder/models/__main__.py", "larder/aio/client.py"} <= set(names)
        assert re.fullmatch(rf"larder-{re.escape(larder.__version__)}-py3-none-\w+\.whl", first.name)
        [metadata] = [name for name in names if name.endswith("METADATA")]
        text = opened.read(metadata).decode()
        assert "](../" not in text and "Asks a larder process" in text


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere SQLite is a part of the system")
@pytest.mark.parametrize("adds", [b"", b"\0libsqlite3.so.0\0"], ids=["as it is", "with SQLite of the system"])
def test_its_tag_says_whether_other_systems_can_run_it(home, adds):
    """What stands behind the program in its file is not loaded, and read here all the same."""
    program = pathlib.Path(home / "program")
    program.write_bytes(pathlib.Path(binary()).read_bytes() + adds)
    program.chmod(0o755)
    command = [sys.executable, str(ROOT / "scripts" / "wheel"), str(program), str(home / "dist")]
    done = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=PATIENCE)
    linked = subprocess.run(["ldd", binary()], capture_output=True, text=True, check=True).stdout
    needs = bool(adds) or "libsqlite3" in linked
    assert ("-none-linux_" in done.stdout) == ("libsqlite3" in done.stderr) == needs, done
    assert ("-none-manylinux_" in done.stdout) != needs, done


def test_what_is_not_larder_is_refused(home):
    (home / "script").write_text("#!/bin/sh\necho larder 0.1.0\n")
    (home / "script").chmod(0o755)
    for program in (home / "script", pathlib.Path("/bin/true")):
        command = [sys.executable, str(ROOT / "scripts" / "wheel"), str(program), str(home / "dist")]
        done = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1 and done.stderr.startswith("wheel: ") and "make portable" in done.stderr, done
    assert not (home / "dist").exists()


def test_without_a_binary_it_says_what_to_do(home):
    for given, said in (([home / "none"], "make build"), (["--help"], "usage"), (["a", "b", "c"], "usage")):
        command = [sys.executable, str(ROOT / "scripts" / "wheel"), *map(str, given)]
        done = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1 and said in done.stderr


def test_the_package_has_every_folder(home):
    """Also for those who install from the sources."""
    listed = re.search(r"packages = \[(.*)\]", (ROOT / "clients/python/pyproject.toml").read_text()).group(1)
    source = ROOT / "clients" / "python" / "src"
    found = {".".join(path.parent.relative_to(source).parts) for path in source.rglob("*.py")}
    assert set(re.findall(r'"([\w.]+)"', listed)) == found
