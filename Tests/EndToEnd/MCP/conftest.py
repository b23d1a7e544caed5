import pytest

import mcp_standin
from mcp_client import ERAS, STATELESS, Client
from standins import Server


@pytest.fixture(params=ERAS)
def era(request):
    return request.param


@pytest.fixture
def mcp(larder, era):
    """A client of each protocol version in turn, for a process with the built-in catalog."""
    return Client(larder, era)


@pytest.fixture
def stateless(larder):
    return Client(larder, STATELESS)


@pytest.fixture
def things():
    """The scripted API of `mcp_standin`. The test fails if the API received an invalid request."""
    with Server(mcp_standin.answer) as server:
        server.url = f"http://127.0.0.1:{server.port}"
        yield server
        assert not server.wrong


@pytest.fixture
def write_catalog(home, things):
    """`write_catalog(resources, **api_settings)` atomically replaces the catalog of the scripted API."""
    path = home / "things.json"

    def write(resources=None, **api):
        new = home / "new.json"
        new.write_text(mcp_standin.catalog(things.url, resources, **api), encoding="utf-8")
        new.replace(path)
        return path

    return write


@pytest.fixture
def over_things(start, era, write_catalog):
    """A client of each protocol version in turn, for a process with the catalog of the scripted API."""
    return Client(start("--catalog", write_catalog(), upstream=None), era)
