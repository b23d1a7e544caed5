"""larder in a plain chroot or container without `/proc`."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from harness import CASSETTES, PATIENCE, binary, environment, request

ALONE = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]


def can_hide_proc():
    if sys.platform != "linux" or not shutil.which("unshare"):
        return False
    return subprocess.run([*ALONE, "true"], capture_output=True, timeout=PATIENCE).returncode == 0


pytestmark = pytest.mark.skipif(not can_hide_proc(), reason="needs the right to mount on Linux")


@pytest.fixture
def alone(home):
    """`alone(*arguments, input=b"")` runs larder without /proc until it exits."""

    def alone(*arguments, input=b""):
        command = [*ALONE, binary(), *map(os.fspath, arguments)]
        return subprocess.run(command, input=input, capture_output=True, timeout=PATIENCE, env=environment(home))

    return alone


def test_command_line_arguments_are_read_if_proc_is_not_mounted(alone):
    assert alone("--version").stdout.startswith(b"larder ")
    assert alone("cache", "path", b"--cache-dir=/tmp/\xff").stdout == b"/tmp/\xff/cache.sqlite\n"
    wrong = alone("--no-such-option")
    assert wrong.returncode == 64 and b"--no-such-option" in wrong.stderr


def test_session_works_and_caches_if_proc_is_not_mounted(alone, home):
    options = ["--replay", CASSETTES, "--cache-dir", home / "cache"]
    for source in ("remote", "persistence"):
        done = alone(*options, input=request("character/get", {"id": 1}).encode())
        assert done.returncode == 0 and done.stderr == b"", done
        assert json.loads(done.stdout)["result"]["source"] == source


def test_mcp_config_names_the_program_if_proc_is_not_mounted(alone):
    config = json.loads(alone("mcp", "config").stdout)
    assert binary() in json.dumps(config)


def test_token_command_runs_if_proc_is_not_mounted(alone, home):
    auth = {"bearer": {"command": ["echo", "half-a-token"]}}
    api = {"baseURL": "http://127.0.0.1:9", "retries": 0, "auth": auth}
    thing = {"api": "a", "id": "string", "rest": {"get": {"path": "/{id}"}}}
    path = home / "catalog.json"
    path.write_text(json.dumps({"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}}))
    done = alone("--catalog", path, "call", "thing/get", "id=1")
    assert done.returncode == 1 and json.loads(done.stderr)["data"]["kind"] == "network", done
