"""Runs a scenario in an editor: one function of the editor's script, in a separate process, with the built binary."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest

from harness import CASSETTES, PATIENCE, ROOT, binary, environment

HERE = pathlib.Path(__file__).resolve().parent
CLIENTS = ROOT / "clients"


def scenarios(script, pattern):
    """Returns the names of all scenarios in a script."""
    found = re.findall(pattern, (HERE / script).read_text(encoding="utf-8"), re.M)
    assert len(found) == len(set(found)) > 3, found
    return found


class Run:
    """A running editor. It exits with code 0 if every expectation of its scenario holds."""

    def __init__(self, home, editor, scenario, arguments, terminal=None):
        """Starts the editor. An editor on a terminal writes its error messages to the file `failure`."""
        assert shutil.which(editor[0]), f"no {editor[0]} here: scripts/bootstrap --interop installs it, or says how"
        self.output = home / ("output" if terminal is None else "failure")
        plan = home / "plan.json"
        plan.write_text(
            json.dumps(
                {
                    "scenario": scenario,
                    "command": binary(),
                    "arguments": arguments,
                    "clients": str(CLIENTS),
                    "home": str(home),
                }
            )
        )
        settings = {"LARDER_PLAN": str(plan), "TERM": "xterm", "LANG": "C.UTF-8"}
        with open(self.output, "wb") as file:
            ends = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": file}
            if terminal is not None:
                ends = dict.fromkeys(ends, terminal)
            self.process = subprocess.Popen(editor, cwd=home, env=environment(home, settings), **ends)

    def said(self):
        return self.output.read_text(encoding="utf-8", errors="replace")[-3000:]

    def end(self):
        try:
            code = self.process.wait(3 * PATIENCE)  # leaves the scenario time to report what is missing
        except subprocess.TimeoutExpired:
            pytest.fail(f"the editor does not end; it says: {self.said()}")
        assert code == 0, f"exit code {code}; the editor says: {self.said()}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def replayed(places):
    return ["--replay", str(CASSETTES), *places]


def reached(upstream, places):
    return ["--base-url", f"rickandmorty={upstream.url}", *places]


# Items whose id is the field `number`, while their field `id` means something else. Many kinds share one name.
RENAMED = {
    "larder": 1,
    "apis": {"rickandmorty": {"baseURL": "https://rickandmortyapi.com"}},
    "resources": {
        "place": {
            "api": "rickandmorty",
            "id": {"type": "integer", "from": "id"},
            "fields": {
                "number": {"from": "id", "type": "integer"},
                "name": "string",
                "id": {"from": "type", "type": "string"},
            },
            "rest": {
                "get": {"path": "/api/location/{id}"},
                "list": {
                    "path": "/api/location",
                    "items": "results",
                    "pagination": {"style": "page", "param": "page", "pages": "info.pages"},
                },
            },
        },
        "kind": {
            "api": "rickandmorty",
            "id": "integer",
            "fields": {"name": {"from": "type", "type": "string"}, "place": {"from": "name", "type": "string"}},
            "rest": {
                "get": {"path": "/api/location/{id}"},
                "list": {
                    "path": "/api/location",
                    "items": "results",
                    "pagination": {"style": "page", "param": "page", "pages": "info.pages"},
                },
            },
        },
    },
}


# Items without declared fields, and a list without a filter for text.
UNDECLARED = {
    "larder": 1,
    "apis": {"rickandmorty": {"baseURL": "https://rickandmortyapi.com"}},
    "resources": {
        "place": {
            "api": "rickandmorty",
            "id": "integer",
            "rest": {
                "get": {"path": "/api/location/{id}"},
                "list": {
                    "path": "/api/location",
                    "items": "results",
                    "pagination": {"style": "page", "param": "page", "pages": "info.pages"},
                },
            },
        },
    },
}

CATALOGS = {"renamed": RENAMED, "undeclared": UNDECLARED}


def replayed_with(catalog, home, places):
    """Returns the arguments for one of the catalogs above."""
    file = home / f"{catalog}.json"
    file.write_text(json.dumps(CATALOGS[catalog]))
    return ["--catalog", str(file), *replayed(places)]
