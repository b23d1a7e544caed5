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


@pytest.fixture
def begin(home):
    """`begin(server)` starts a server of lists, and sets its `url`, `home`, and `options` for its catalog."""
    running = []

    def begin(server):
        running.append(serving(server.answer))
        server.url, server.home = running[-1].__enter__(), home
        server.options = ["--catalog", server.catalog(home)]
        return server

    yield begin
    for server in running:
        server.__exit__(None, None, None)
