import pytest

from driving import CATALOGS, Run, reached, replayed, replayed_with
from harness import eventually


@pytest.fixture
def scenario(home, upstream, places):
    """`scenario(editor, name)` runs a scenario.

    If the name starts with the name of a catalog of driving.py, the scenario uses this catalog.

    If the name starts with `unanswered`, the API does not answer requests for character 2 (`unanswered_completion`: for
    lists of characters). It answers `location/get` of 1 as soon as such a request has arrived. The editor must then
    cancel the request.
    """

    def run(editor, name, **options):
        if not name.startswith("unanswered"):
            catalog = name.split("_")[0]
            arguments = replayed_with(catalog, home, places) if catalog in CATALOGS else replayed(places)
            with Run(home, editor, name, arguments, **options) as started:
                return started.end()
        path = "/api/character?" if name.startswith("unanswered_completion") else "/api/character/2"
        held, gate = upstream.hold(path), upstream.hold("/api/location/1")
        with Run(home, editor, name, reached(upstream, places), **options) as started:
            try:
                held.wait()
            except AssertionError as reason:
                pytest.fail(f"{reason}; the editor says: {started.said()}")
            gate.release()
            started.end()
        eventually(lambda: all(entry.get("aborted") for entry in upstream.requests(path)), "cancelled requests")

    return run
