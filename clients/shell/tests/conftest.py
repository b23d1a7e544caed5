import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "EndToEnd"))

from fixtures import *  # noqa: E402,F401,F403
from harness import PATIENCE, binary, environment  # noqa: E402
from running import SCRIPT  # noqa: E402


@pytest.fixture
def bash(home, upstream, places):
    """bash(script): runs a strict bash script with the functions of larder.sh and $OPTIONS for larder_start."""
    options = " ".join(map(shlex.quote, ["--base-url", f"rickandmorty={upstream.url}", *places]))

    def bash(script, **env):
        text = f"set -euo pipefail\nsource {shlex.quote(str(SCRIPT))}\nOPTIONS=({options})\n{script}"
        return subprocess.run(
            ["bash", "-c", text],
            capture_output=True,
            text=True,
            env=environment(home, {"LARDER_BIN": binary(), **env}),
            timeout=PATIENCE + 10,
        )

    return bash


@pytest.fixture(params=["flock", "mkdir"])
def lock_path(request, home):
    """A PATH that contains flock, and a PATH without flock, for which larder.sh uses a folder as its lock."""
    if request.param == "flock":
        assert shutil.which("flock")
        return os.environ["PATH"]
    folder = home / "programs"
    folder.mkdir()
    for name in ("mkdir", "rmdir", "sleep"):
        (folder / name).symlink_to(shutil.which(name))
    return str(folder)
