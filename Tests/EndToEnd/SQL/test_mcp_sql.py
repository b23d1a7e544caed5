"""`Benchmarks/mcp-sql/run` gives the same answers both ways, with the calls and tokens of docs/mcp.md."""

import re
import subprocess
import sys

import pytest

from harness import PATIENCE, ROOT, binary, environment


def rows(text):
    """Returns the figures of a table by the first cell of the row."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {name: [int(cell.replace(",", "")) for cell in cells] for name, *cells in lines[2:]}


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    variables = environment(tmp_path_factory.mktemp("home"), {"LARDER_BIN": binary()})
    command = [sys.executable, str(ROOT / "Benchmarks" / "mcp-sql" / "run")]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=2 * PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    return rows(done.stdout)


def test_model_with_sql_needs_fewer_calls_and_tokens_for_the_same_answers(measured):
    assert len(measured) == 5
    for calls, sql_calls, tokens, sql_tokens in measured.values():
        assert sql_calls < calls and sql_tokens < tokens
    assert measured["all"][3] < measured["all"][2] / 5


def test_documented_table_of_questions_is_current(measured):
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    (table,) = re.findall("<!-- Benchmarks/mcp-sql/run -->(.*?)<!-- end -->", page, re.S)
    documented = rows(table)
    assert list(documented) == list(measured)
    for name, figures in measured.items():
        # The ages in the answers have different lengths.
        assert documented[name] == pytest.approx(figures, rel=0.03), name
        assert documented[name][:2] == figures[:2]
