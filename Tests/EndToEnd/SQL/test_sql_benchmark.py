"""`Benchmarks/sql/run` runs, and finds that Larder and the other programs return the same rows. `Benchmarks/sql/plot`
draws the run."""

import os
import shutil
import subprocess
import sys

import pytest

from harness import PATIENCE, ROOT, binary, environment


@pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc").split()[0]), reason="needs a C compiler")
def test_quick_run_measures_every_query(tmp_path):
    folder, kept = ROOT / "Benchmarks" / "sql", tmp_path / "sql.json"
    command = [sys.executable, folder / "run", "--quick", "--json", kept]
    variables = environment(tmp_path, {"LARDER_BIN": binary()})
    done = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=2 * PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    for row in "group", "join", "count(*)", "row by _id", "memory hit during an endless query, p50":
        assert f"| {row}" in done.stdout
    done = subprocess.run([sys.executable, folder / "plot", kept], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    for words in "group", "join", "count(*)", "Larder", "floor with json_extract":
        assert f">{words}</text>" in done.stdout
