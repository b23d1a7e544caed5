import json

import pytest

from harness import ROOT
from machines import API, Machines, Things
from redis_server import RedisServer
from ways import Proxy


@pytest.fixture
def redis():
    """An empty Redis server."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def proxy(redis):
    """A proxy to the server whose connections the test can cut."""
    with Proxy(redis) as proxy:
        yield proxy


@pytest.fixture
def root(tmp_path):
    """The folder that holds the machines' folders."""
    return tmp_path


@pytest.fixture
def machines(root, upstream, redis):
    machines = Machines(root, upstream, redis)
    yield machines
    machines.close()


@pytest.fixture
def apart(root, upstream):
    """Machines without a default server, for tests that start their own servers."""
    machines = Machines(root, upstream, None)
    yield machines
    machines.close()


@pytest.fixture
def api():
    with API().serving() as api:
        yield api


@pytest.fixture
def things(machines, api, root):
    return Things(machines, api, root)


@pytest.fixture
def whole(upstream):
    """The upstream with as many characters as the public API has."""
    rows = json.loads((ROOT / "Fixtures" / "upstream" / "data.json").read_text(encoding="utf-8"))["character"]
    pattern = {name: value for name, value in rows[-1].items() if name != "id"}
    for id in range(61, 827):
        upstream.edit("character", id, **{**pattern, "name": f"Character {id}", "episode": []})
    return upstream
