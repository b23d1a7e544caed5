"""The pytest fixtures, for the tests here and for those of the clients."""

import os
import pathlib

import pytest

from harness import GRAPHQL_CATALOG, Larder, binary, run
from upstream import Upstream


@pytest.fixture(scope="session", autouse=True)
def larder_binary():
    found = binary()
    if not os.access(found, os.X_OK):
        pytest.exit(f"no larder at {found}: run `make build`, or set LARDER_BIN", returncode=2)
    return found


@pytest.fixture(scope="session")
def shared_upstream():
    with Upstream() as upstream:
        yield upstream


@pytest.fixture
def upstream(shared_upstream):
    shared_upstream.reset()
    yield shared_upstream
    shared_upstream.reset()


@pytest.fixture
def home(tmp_path: pathlib.Path):
    return tmp_path


@pytest.fixture
def start(home, upstream):
    """start(*args, env=..., upstream=...): a process in the test's folder, where it finds what an earlier one left."""
    running = []

    def start(*args, **options):
        process = Larder(home, *map(str, args), **{"upstream": upstream, **options})
        running.append(process)
        return process

    yield start
    for process in running:
        process.close()


@pytest.fixture
def larder(start):
    return start()


@pytest.fixture(params=["rest", "graphql"])
def served(request, start):
    """A process over each transport in turn. `served.again()` starts another one in the same folder."""
    options = ["--catalog", GRAPHQL_CATALOG] if request.param == "graphql" else []

    def again(*more, **settings):
        process = start(*options, *more, **settings)
        process.again, process.transport = again, request.param
        return process

    return again()


@pytest.fixture
def command(home):
    """command(*args, input=b"", env=...) runs larder to its end with exactly these arguments."""
    return lambda *args, **options: run(home, *map(str, args), **options)


@pytest.fixture
def places(home):
    """The options that keep a process within the test's folder."""
    return ["--cache-dir", str(home / "cache"), "--data-dir", str(home / "data")]


__all__ = ["command", "home", "larder", "larder_binary", "places", "served", "shared_upstream", "start", "upstream"]
