import json

import pytest

from scripted import serving
from screens import OnTerminal


@pytest.fixture
def led(places, upstream):
    """`led(args)` adds the options for the test's own folders and server to the arguments."""

    def led(args):
        reached = [] if "--catalog" in args else ["--base-url", f"rickandmorty={upstream.url}"]
        return [*args, *places, *reached]

    return led


@pytest.fixture
def people(command, led):
    """`people(*args)` runs larder with its output in pipes."""
    return lambda *args, **options: command(*led(args), **options)


@pytest.fixture
def begin_on_terminal(home, led):
    """`begin_on_terminal(*args)` starts larder on a terminal and returns while it runs."""
    return lambda *args, **options: OnTerminal(home, *led(args), **options)


@pytest.fixture
def on_terminal(begin_on_terminal):
    """`on_terminal(*args)` runs larder on a terminal until it exits."""

    def on_terminal(*args, **options):
        shown = begin_on_terminal(*args, **options)
        shown.code = shown.end()
        return shown

    return on_terminal


@pytest.fixture
def served_items(home):
    """`served_items(items, **resource)` serves a catalog with one resource, `thing`, that has these items. `api` adds
    members to the API of the catalog.

    Returns the command-line options for the catalog and the list of received requests.
    """
    running = []

    def served_items(items, answer=None, api=None, **resource):
        asked = []

        def reply(request):
            asked.append(request)
            if answer:
                return answer(request)
            if request.path == "/things":
                return 200, {}, items
            name = request.path.rpartition("/")[2]
            found = [item for item in items if str(item["id"]) == name]
            return (200, {}, found[0]) if found else (404, {}, {"message": "no such thing"})

        server = serving(reply)
        running.append(server)
        thing = {
            "api": "things",
            "id": "string",
            "rest": {"get": {"path": "/things/{id}"}, "list": {"path": "/things", **resource.pop("list", {})}},
            **resource,
        }
        path = home / "things.json"
        api = {"baseURL": server.__enter__(), "retries": 0, **(api or {})}
        path.write_text(json.dumps({"larder": 1, "apis": {"things": api}, "resources": {"thing": thing}}))
        return ["--catalog", str(path)], asked

    yield served_items
    for server in running:
        server.__exit__(None, None, None)
