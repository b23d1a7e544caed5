"""The pytest fixtures of the end-to-end tests and of the clients' tests."""

import faulthandler
import json
import os
import pathlib
import signal
import sys

import pytest

from harness import GRAPHQL_CATALOG, Larder, binary, eventually, run
from upstream import Upstream

# These signals may be ignored (by nohup, or in a background job), and child processes would inherit that.
for _number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGINT):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)


# Seconds until a hanging test ends the run with the stacks of its threads. More examples take longer.
TEST_LIMIT = 3000 if os.environ.get("LARDER_FUZZ") else 300
_stderr = []


def pytest_configure(config):
    # A copy of stderr from before pytest captures it: captured output is lost if a hanging test ends the run.
    _stderr.append(os.dup(2))


@pytest.fixture(autouse=True)
def limited(request):
    if request.node.get_closest_marker("long"):
        yield
        return
    faulthandler.dump_traceback_later(TEST_LIMIT, exit=True, file=_stderr[0] if _stderr else 2)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session", autouse=True)
def larder_binary():
    found = binary()
    if not os.access(found, os.X_OK):
        pytest.exit(f"no larder at {found}: run `make build`, or set LARDER_BIN", returncode=2)
    return found


def _running(basetemp):
    """Returns the processes of the tested binary that have a folder of these tests in their arguments or
    environment."""
    # The slash prevents a match of worker 1's folder with that of worker 10.
    wanted, mark = os.path.realpath(binary()), os.fsencode(f"{basetemp}/")
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            ours = os.readlink(folder / "exe") == wanted
            texts = [(folder / name).read_bytes() for name in ("cmdline", "environ")] if ours else []
        except OSError:
            continue  # The process has ended, or belongs to another user.
        if any(mark in text for text in texts):
            found.append((int(folder.name), texts[0].replace(b"\0", b" ").decode()))
    return found


@pytest.fixture(scope="session", autouse=sys.platform == "linux")
def no_process_is_left_behind(tmp_path_factory):
    """Fails if a process is left. Each pytest worker has its own folder and checks the processes that its tests
    started."""
    yield
    basetemp = tmp_path_factory.getbasetemp()
    # Some processes exit a moment after their test.
    eventually(lambda: not _running(basetemp), f"processes to exit: {_running(basetemp)}")


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
    """`start(*args, env=..., upstream=...)` starts a process in the test's folder, with the files of earlier
    processes."""
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
    """A process over each transport in turn. `served.again()` starts another process in the same folder."""
    options = ["--catalog", GRAPHQL_CATALOG] if request.param == "graphql" else []

    def again(*more, **settings):
        process = start(*options, *more, **settings)
        process.again, process.transport = again, request.param
        return process

    return again()


@pytest.fixture
def catalog(home):
    """`catalog(**api_settings)` writes a catalog of characters whose requests never time out during a test."""

    def catalog(**api):
        api = {"baseURL": "https://rickandmortyapi.com", "timeout": "10m", "retries": 0, "maxConcurrent": 1000, **api}
        paging = {"style": "page", "param": "page", "pages": "info.pages", "count": "info.count"}
        listed = {"path": "/api/character", "items": "results", "pagination": paging, "filters": {"name": "name"}}
        character = {
            "api": "rickandmorty",
            "id": "integer",
            "fields": {"id": "integer", "name": "string", "episode": ["string"]},
            "rest": {
                "get": {"path": "/api/character/{id}"},
                "getMany": {"path": "/api/character/{ids}", "maxIDs": 5},
                "list": listed,
            },
        }
        path = home / "catalog.json"
        path.write_text(
            json.dumps({"larder": 1, "apis": {"rickandmorty": api}, "resources": {"character": character}})
        )
        return path

    return catalog


@pytest.fixture
def patient(start, catalog):
    """A process whose requests to the upstream never time out during a test."""
    return start("--catalog", catalog())


@pytest.fixture
def command(home):
    """`command(*args, input=b"", env=...)` runs larder with exactly the given arguments until it exits."""
    return lambda *args, **options: run(home, *map(str, args), **options)


@pytest.fixture
def places(home):
    """The options that keep the files of a process within the test's folder."""
    return ["--cache-dir", str(home / "cache"), "--data-dir", str(home / "data")]


__all__ = [
    "catalog",
    "command",
    "home",
    "larder",
    "larder_binary",
    "limited",
    "no_process_is_left_behind",
    "patient",
    "places",
    "pytest_configure",
    "served",
    "shared_upstream",
    "start",
    "upstream",
]
