import pytest

from tables import Desk, serving


@pytest.fixture
def upstream():
    """Processes of these tests use the server of tickets and users instead."""


@pytest.fixture
def desk(home):
    """A server with tickets and users, and the options for its catalog as `desk.options`."""
    server = Desk()
    with serving(server.answer) as server.url:
        server.options = ["--catalog", server.catalog(home)]
        yield server
