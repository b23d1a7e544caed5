"""The official Python SDK, versions 1.x and 2.x, in each of its connection modes, and `mcp-conform`."""

import json
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

from harness import PATIENCE, ROOT, binary
from upstream import Upstream

DRIVER = pathlib.Path(__file__).with_name("sdk_drive.py")
MODES = {"auto": "mcp2", "legacy": "mcp2", "2026-07-28": "mcp2", "v1": "mcp1"}
STEPS = ["connect", *re.findall(r"@step\nasync def (\w+)", DRIVER.read_text()), "end_of_input", "nothing_stray"]
pytestmark = pytest.mark.skipif(sys.version_info < (3, 10), reason="the SDK needs Python 3.10 or newer")


def environment_of(line):
    """Returns the `bin` folder of the virtual environment with that SDK version."""
    folder = ROOT / ".build" / line / "bin"
    assert (folder / "python").exists(), f"{folder} is missing: run scripts/bootstrap --tests"
    return folder


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """The command of a Larder process with its own folders. The SDK passes few variables; HOME is one of them."""

    def command(url):
        home = tmp_path_factory.mktemp("sdk")
        places = ["--cache-dir", str(home / "cache"), "--data-dir", str(home / "data")]
        catalog = ROOT / "Fixtures" / "catalogs" / "rickandmorty.jsonc"
        return [binary(), "--catalog", str(catalog), *places, "--base-url", f"rickandmorty={url}"]

    return command


@pytest.fixture(scope="module", params=[pytest.param(mode, marks=pytest.mark.xdist_group(mode)) for mode in MODES])
def outcomes(request, command):
    """The outcome of each step in one mode."""
    with Upstream() as upstream:
        python = environment_of(MODES[request.param]) / "python"
        done = subprocess.run(
            [str(python), "-W", "ignore", str(DRIVER), request.param, upstream.url, *command(upstream.url)],
            capture_output=True, timeout=4 * PATIENCE
        )
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("step", STEPS)
def test_each_operation_of_the_official_mcp_sdk_succeeds(outcomes, step):
    assert outcomes.get(step, "was not reached") is None, outcomes.get(step)


def test_server_passes_the_mcp_conform_test_tool(command, upstream):
    program = environment_of("mcp2") / "mcp-conform"
    served = shlex.join(command(upstream.url))
    done = subprocess.run(
        [str(program), "server", "--transport", "stdio", "--command", served, "--format", "json"],
        capture_output=True, timeout=2 * PATIENCE
    )
    assert done.returncode == 0, (done.stdout.decode(), done.stderr.decode())
