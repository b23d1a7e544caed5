"""`scripts/wheel`: one file with the client and the program."""

import base64
import csv
import hashlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
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


def test_wheel_works_in_an_empty_environment(home, wheel, places):
    path = wheel("dist")
    subprocess.run([sys.executable, "-m", "venv", str(home / "venv")], check=True, timeout=4 * PATIENCE)
    bin = home / "venv" / "bin"
    env = {**environment(home), "PATH": f"{bin}:/usr/bin:/bin"}

    def run(*command):
        return subprocess.run(command, env=env, cwd=home, capture_output=True, text=True, timeout=4 * PATIENCE)

    installed = run(bin / "python", "-m", "pip", "install", "--no-index", "--disable-pip-version-check", str(path))
    assert installed.returncode == 0, installed.stderr
    assert run("larder", "--version").stdout.startswith("larder ")
    # PATH lacks the folder of the environment, as in the kernel of a notebook.
    env["PATH"] = "/usr/bin:/bin"
    assert os.stat(bin / "larder").st_mode & 0o111 == 0o111
    asked = f"larder.Larder(['--replay', {str(CASSETTES)!r}, *{places!r}])"
    program = f"import larder\nwith {asked} as one: print(larder.__file__, one.character.get(1).item['name'])"
    assert run(bin / "python", "-W", "error", "-c", program).stdout.split(" ", 1)[1] == "Rick Sanchez\n"
    assert str(home / "venv") in run(bin / "python", "-c", program).stdout
    assert run(bin / "python", "-m", "larder.models").stdout.startswith('"""Types and clients')
    assert run(bin / "python", "-m", "pip", "uninstall", "--yes", "larder").returncode == 0
    assert not (bin / "larder").exists(), "RECORD lists every installed file"


def test_wheel_is_reproducible_and_its_record_is_correct(wheel):
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
        assert "](../" not in text and "The Python client of Larder" in text
        # The page of a package index shows this text to readers without a checkout.
        assert text.index("pip install larder-*.whl") < text.index("pip install ./clients/python  # in a checkout")
        fields = [line.split(": ", 1) for line in text.split("\n\n")[0].splitlines()]
        assert ["Author", "The Larder authors"] in fields
        assert ["Classifier", "License :: OSI Approved :: MIT License"] in fields
        assert ["Requires-External", "libcurl (>=7.68)"] in fields


@pytest.mark.skipif(sys.platform != "linux", reason="other systems include SQLite")
@pytest.mark.parametrize("adds", [b"", b"\0libsqlite3.so.0\0"], ids=["as it is", "with SQLite of the system"])
def test_wheel_platform_tag_follows_the_systems_that_can_run_the_program(home, adds):
    """Bytes appended to the program are never loaded, but `scripts/wheel` reads them for the tag."""
    program = pathlib.Path(home / "program")
    program.write_bytes(pathlib.Path(binary()).read_bytes() + adds)
    program.chmod(0o755)
    command = [sys.executable, str(ROOT / "scripts" / "wheel"), str(program), str(home / "dist")]
    done = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=PATIENCE)
    linked = subprocess.run(["ldd", binary()], capture_output=True, text=True, check=True).stdout
    needs = bool(adds) or "libsqlite3" in linked
    assert ("-none-linux_" in done.stdout) == ("libsqlite3" in done.stderr) == needs, done
    assert ("-none-manylinux_" in done.stdout) != needs, done


def test_wheel_script_refuses_programs_other_than_larder(home):
    (home / "script").write_text("#!/bin/sh\necho larder 0.1.0\n")
    (home / "script").chmod(0o755)
    for program in (home / "script", pathlib.Path("/bin/true")):
        command = [sys.executable, str(ROOT / "scripts" / "wheel"), str(program), str(home / "dist")]
        done = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1 and done.stderr.startswith("wheel: ") and "make portable" in done.stderr, done
    assert not (home / "dist").exists()


def test_wheel_script_gives_a_hint_if_the_binary_is_missing(home):
    for given, hint in (([home / "none"], "make build"), (["--help"], "usage"), (["a", "b", "c"], "usage")):
        command = [sys.executable, str(ROOT / "scripts" / "wheel"), *map(str, given)]
        done = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1 and hint in done.stderr


def test_newest_glibc_symbol_determines_the_tag(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    loader = importlib.machinery.SourceFileLoader("wheel", str(ROOT / "scripts" / "wheel"))
    script = importlib.util.module_from_spec(importlib.util.spec_from_loader("wheel", loader))
    loader.exec_module(script)
    assert script.glibc(b"x\0GLIBC_2.4\0GLIBC_2.34\0GLIBC_2.33\0") == "2_34"
    assert script.glibc(b"\0GLIBC_2.34\0GLIBC_ABI_DT_RELR\0") == "2_36"


def test_command_python_m_larder_runs_the_program(home):
    """`python -m larder` passes its arguments and the exit code."""
    env = environment(home, {"PYTHONPATH": str(ROOT / "clients/python/src"), "LARDER_BIN": str(binary())})
    for words, code in ((["--version"], 0), (["--nonsense"], 64)):
        runs = [
            subprocess.run([*program, *words], env=env, capture_output=True, timeout=PATIENCE)
            for program in ([sys.executable, "-m", "larder"], [binary()])
        ]
        assert runs[0].returncode == runs[1].returncode == code
        assert (runs[0].stdout, runs[0].stderr) == (runs[1].stdout, runs[1].stderr)
    env["LARDER_BIN"] = str(home / "none")
    done = subprocess.run([sys.executable, "-m", "larder"], env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and done.stderr.startswith("larder: ") and "not an executable program" in done.stderr


def test_build_of_the_package_leaves_the_checkout_clean(tmp_path):
    pytest.importorskip("setuptools")
    checkout = tmp_path / "python"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    shutil.copytree(ROOT / "clients" / "python", checkout, ignore=ignored)
    before = {path.relative_to(checkout) for path in checkout.rglob("*")}
    script = "import backend; backend.get_requires_for_build_wheel({}); backend.build_sdist('../made')"
    (tmp_path / "made").mkdir()
    done = subprocess.run(
        [sys.executable, "-B", "-c", script], cwd=checkout, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done
    assert {path.relative_to(checkout) for path in checkout.rglob("*")} == before
    [made] = (tmp_path / "made").iterdir()
    with tarfile.open(made) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"backend.py", "src/larder/__main__.py", "src/larder/py.typed", "src/larder/aio/client.py"} <= names


def test_pyproject_lists_every_package(home):
    """A package that is installed from the sources includes every folder of the package."""
    listed = re.search(r"packages = \[(.*)\]", (ROOT / "clients/python/pyproject.toml").read_text()).group(1)
    source = ROOT / "clients" / "python" / "src"
    found = {".".join(path.parent.relative_to(source).parts) for path in source.rglob("*.py")}
    assert set(re.findall(r'"([\w.]+)"', listed)) == found
