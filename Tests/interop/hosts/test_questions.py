"""An agent of pydantic-ai gives the same answers with and without `query_cached`, with the calls of docs/mcp.md.

`make bootstrap-hosts ARGS=pydantic-ai` creates the environment.
"""

import json
import os
import re
import subprocess

import pytest

from harness import ROOT, binary, environment

PYTHON = ROOT / ".build" / "hosts" / "pydantic-ai" / "bin" / "python"


@pytest.mark.skipif(not (PYTHON.parents[1] / "packages.txt").exists(), reason="needs the environment of pydantic-ai")
def test_agent_gives_the_same_answers_with_and_without_sql(home):
    command = [PYTHON, ROOT / "Tests" / "interop" / "hosts" / "ask.py", binary(), home]
    variables = environment(home) | {"PATH": os.environ["PATH"]}
    done = subprocess.run(command, env=variables, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    for text, (answer, calls, sql_answer, sql_calls) in found.items():
        assert sql_answer == answer and answer, text
        assert re.search(rf"^\| {re.escape(text)} \| {calls} \| {sql_calls} \|", page, re.M), text
    assert len(found) == 4
