import pytest

from listed import Things, serving


@pytest.fixture
def upstream():
    """Processes of these tests use the server of `things` instead."""


@pytest.fixture
def things(home, request):
    """A server with seventeen things, and the options for its catalog as `things.options`. The indirect parameter is
    the style of its pages."""
    server = Things(getattr(request, "param", "page"))
    for number in range(17):
        server.put(f"t{number:03}", name=f"thing {number}")
    server.home = home
    with serving(server.answer) as server.url:
        server.options = ["--catalog", server.catalog(home)]
        yield server
