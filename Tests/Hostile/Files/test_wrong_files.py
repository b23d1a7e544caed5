"""Catalogs and secret files of the wrong kind or content. Each is refused quickly with a reason and takes bounded
memory."""

import json
import os
import shutil
import socket
import subprocess
import threading

import pytest

from harness import CASSETTES, PATIENCE, binary, environment, request

CONFIG = 78
MIB = 1 << 20


def api(**more):
    return {"baseURL": "https://a.example", **more}


def resource(**more):
    return {"api": "a", "id": "integer", "rest": {"get": {"path": "/x/{id}"}}, **more}


def catalog_of(apis=None, resources=None, **more):
    return {"larder": 1, "apis": apis or {"a": api()}, "resources": resources or {"x": resource()}, **more}


COUNT = 100_000
# Each kind of fault, as often as a catalog file may contain it.
MANY = {
    "keys": lambda: {f"key-{n}": n for n in range(COUNT)},
    "misspelt keys": lambda: {f"resource{n:05}": n for n in range(COUNT)} | catalog_of(),
    "keys of an API": lambda: catalog_of({"a": api(**{f"timeout{n}": n for n in range(COUNT)})}),
    "header fields": lambda: catalog_of({"a": api(headers={f"no header {n}": "x" for n in range(COUNT)})}),
    "resources": lambda: catalog_of(
        {f"a{n}": api() for n in range(10_000)}, {f"x{n}": resource() for n in range(10_000)}
    ),
    "fields": lambda: catalog_of(resources={"x": resource(fields={f"f{n}": "strng" for n in range(COUNT)})}),
    "references": lambda: catalog_of({"a": api(headers={f"h{n}": "${vault:NOT_SET}" for n in range(COUNT)})}),
}


class TestLargeCatalogs:
    @pytest.mark.parametrize("kind", MANY)
    def test_first_100_catalog_faults_and_the_number_of_further_faults_are_printed(self, command, places, home, kind):
        path = home / "catalog.json"
        path.write_text(json.dumps(MANY[kind](), indent=1))
        done = command(*places, "--catalog", path)
        assert (done.code, done.stdout) == (CONFIG, b"")
        *lines, last = done.stderr.splitlines()
        assert len(lines) == 100 and all(line.startswith(f"{path}:") for line in lines)
        places_told = [tuple(map(int, line[len(str(path)) + 1 :].split(":")[:2])) for line in lines]
        assert places_told == sorted(places_told)
        assert last.startswith(f"{path}: and ") and last.endswith(" more faults")

    def test_catalog_with_a_key_of_15_mebibytes_is_refused(self, command, places, home):
        """A very long unknown key is refused without a suggestion, because it is not compared with the known keys."""
        path = home / "catalog.json"
        path.write_text(json.dumps({"x" * 15 * MIB: 1}))
        done = command(*places, "--catalog", path)
        assert done.code == CONFIG and len(done.stderr.splitlines()) == 4


@pytest.fixture
def wrong(home):
    """Paths that cannot be read as a file: kind -> path and reason."""
    (home / "folder").mkdir()
    large = home / "large"
    with open(large, "wb") as file:
        file.truncate(16 * MIB + 1)
    os.mkfifo(home / "pipe")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(home / "socket"))
    yield {
        "zeros": ("/dev/zero", "the path is a device; use the path of a file"),
        "nothing": ("/dev/null", "the path is a device; use the path of a file"),
        "folder": (home / "folder", "Is a directory"),
        "large": (large, "the input must not be larger than 16 MiB"),
        "socket": (home / "socket", "the path is a socket; use the path of a file"),
        "pipe": (home / "pipe", "the pipe was not closed within 2 s; close it in the program that writes to it"),
    }
    listener.close()


WRONG = ["zeros", "nothing", "folder", "large", "socket", "pipe"]


@pytest.mark.parametrize("kind", WRONG)
def test_unreadable_catalog_is_refused(command, places, wrong, kind):
    path, reason = wrong[kind]
    done = command(*places, "--catalog", path)
    assert (done.code, done.stdout) == (CONFIG, b"")
    assert done.stderr == f"larder: the catalog: cannot read {path}: {reason}\n"


@pytest.mark.parametrize("kind", WRONG + ["rather large"])
def test_api_with_an_unreadable_secret_file_is_disabled(command, places, home, wrong, kind):
    (home / "rather").write_text("x" * 64 * 1024 + "x")
    too_large = (home / "rather", "the input must not be larger than 64 KiB")
    path, reason = too_large if kind == "rather large" else wrong[kind]
    reason = reason.replace("16 MiB", "64 KiB")
    text = catalog_of({"a": api(headers={"one": f"${{file:{path}}}", "two": f"${{file:{path}}}"})})
    (home / "catalog.json").write_text(json.dumps(text))
    done = command(*places, "--catalog", home / "catalog.json")
    # The secret stops only its API, and the message names both places.
    assert (done.code, done.stdout) == (0, b"")
    (line,) = [line for line in done.stderr.splitlines() if "the API 'a' is not configured" in line]
    assert line.count(f"cannot read {path}: {reason}") == 2, done


@pytest.mark.parametrize("kind", [kind for kind in WRONG if kind != "pipe"])
def test_unreadable_cassette_is_an_error(command, places, home, wrong, kind):
    path, reason = wrong[kind]
    shutil.copytree(CASSETTES, home / "cassettes")
    (home / "cassettes" / "a.json").symlink_to(path)
    done = command(*places, "--replay", home / "cassettes", input=request("character/get", {"id": 1}).encode())
    (reply,) = done.messages
    assert reply["error"]["code"] == -31013 and reply["error"]["message"].endswith(reason), reply


def test_endless_pipe_as_catalog_is_refused(command, places, home):
    """A catalog is refused if it is a pipe to which another process writes without end."""
    os.mkfifo(home / "pipe")

    def write():
        try:
            with open(home / "pipe", "wb", buffering=0) as pipe:
                while True:
                    pipe.write(b" " * 4096)
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=write)
    writer.start()
    done = command(*places, "--catalog", home / "pipe")
    writer.join()
    assert done.code == CONFIG
    assert "must not be larger than 16 MiB" in done.stderr or "within 2 s" in done.stderr, done


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_catalog_and_secret_may_be_shell_process_substitutions(home, places, upstream):
    text = catalog_of({"a": {"baseURL": upstream.url, "headers": {"X-Key": "${file:KEY}"}}})
    (home / "catalog.json").write_text(json.dumps(text))
    script = """
        exec 9< <(sleep 0.2; printf secret)
        "$0" call x/get id=1 --catalog <(sleep 0.2; sed s,KEY,/dev/fd/9, < "$1") "${@:2}"
    """
    done = subprocess.run(
        ["bash", "-c", script, binary(), home / "catalog.json", *places],
        capture_output=True, env=environment(home), timeout=PATIENCE,
    )
    # The API has no such path. The test needs only the request, with the secret.
    assert b'"kind":"notFound"' in done.stderr, done
    assert [asked["headers"]["x-key"] for asked in upstream.requests()] == ["secret"]
