import pytest

from driving import Run, reached, renamed, replayed
from harness import eventually


@pytest.fixture
def scenario(home, upstream, places):
    """scenario(editor, name): runs it. Where its name begins with `moved`, the API does not answer for character 2
    (with `moved_by_typing`, for lists of characters): `location/get` of 1 is answered once such a request has reached
    the API, which must then see it taken back."""

    def run(editor, name, **options):
        if not name.startswith("moved"):
            arguments = renamed(home, places) if name.startswith("renamed") else replayed(places)
            with Run(home, editor, name, arguments, **options) as started:
                return started.end()
        path = "/api/character?" if name.startswith("moved_by_typing") else "/api/character/2"
        held, gate = upstream.hold(path), upstream.hold("/api/location/1")
        with Run(home, editor, name, reached(upstream, places), **options) as started:
            try:
                held.wait()
            except AssertionError as reason:
                pytest.fail(f"{reason}; the editor says: {started.said()}")
            gate.release()
            started.end()
        eventually(lambda: all(entry.get("aborted") for entry in upstream.requests(path)), "requests taken back")

    return run
