"""Helpers for the tests of larder.sh."""

import json
import pathlib

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "larder.sh"


def lines(done, code=0):
    assert done.returncode == code, (done.stdout, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]
