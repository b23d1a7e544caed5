"""`Benchmarks/mcp-generators`: its table for the built binary, and the table in docs/mcp.md."""

import os
import re
import subprocess
import sys

import pytest

from harness import ROOT, binary

SCRIPT = ROOT / "Benchmarks" / "mcp-generators"
GENERATORS = ["generator-fastmcp", "generator-awslabs"]


def rows(text):
    """Returns the cells of a table without its head, by the first cell of the row."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {name: [int(re.sub(r"\D.*", "", cell.replace(",", ""))) for cell in cells] for name, *cells in lines[2:]}


@pytest.fixture(scope="module")
def measured():
    if not all((ROOT / ".build" / "hosts" / name / "packages.txt").exists() for name in GENERATORS):
        pytest.skip("make bootstrap-hosts creates the environments")
    variables = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "LARDER_BIN": str(binary())}
    line = [sys.executable, SCRIPT]
    done = subprocess.run(line, env=variables, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return rows(done.stdout)


def documented():
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    return rows(page.split("<!-- Benchmarks/mcp-generators -->")[1].split("<!-- end -->")[0])


def test_larder_needs_fewer_calls_tokens_and_requests_than_generated_servers(measured):
    (_, list_tokens, calls, tokens, requests, answered), *others = measured.values()
    assert (requests, answered) == (0, 4)
    for _, generated_list, *generated in others:
        assert calls < generated[0] and list_tokens + tokens < (generated_list + generated[1]) / 5
        assert generated[2:] == [generated[0], 0]


def test_documented_table_of_generated_servers_is_current(measured):
    assert documented() == measured
