"""The page docs/benchmarks.md shows the stored benchmark run."""

import json
import subprocess
import sys
import xml.etree.ElementTree

import pytest

from harness import PATIENCE, ROOT

KEPT = ROOT / "Benchmarks" / "run.json"
PAGE = ROOT / "docs" / "benchmarks.md"


def plot(*arguments):
    return subprocess.run(
        [sys.executable, ROOT / "Benchmarks" / "plot", *arguments], capture_output=True, text=True, timeout=PATIENCE
    )


def test_benchmark_chart_matches_the_stored_results():
    done = plot(KEPT)
    assert done.returncode == 0 and done.stdout == (ROOT / "docs" / "images" / "benchmarks.svg").read_text(), done


def test_benchmark_table_matches_the_stored_results():
    done = plot("--table", KEPT)
    assert done.returncode == 0 and f"\n\n{done.stdout}\n" in PAGE.read_text(), done.stdout


def test_benchmark_page_names_the_rounds_and_machine_of_the_stored_results():
    run = json.loads(KEPT.read_text())
    assert f"the median of {run['counts']['rounds']} rounds" in " ".join(PAGE.read_text().split())
    assert f"on {run['machine']}." in " ".join(PAGE.read_text().split())


def test_bar_lengths_of_the_benchmark_chart_follow_the_costs(tmp_path):
    """In the chart, more requests per second give a shorter bar, and more microseconds a longer bar. No bar is wider
    than the picture."""
    rows = [
        {"what": "slow", "unit": "us", "floor": 1.0, "larder": 2.0, "python": 4.0},
        {"what": "quick", "unit": "/s", "floor": 4000.0, "larder": 2000.0, "python": 1000.0},
        {"what": "off the scale <&>", "unit": "ms", "floor": 1.0, "larder": 0.01, "python": 1e6},
    ]
    (tmp_path / "run.json").write_text(json.dumps({"rows": rows}))
    picture = xml.etree.ElementTree.fromstring(plot(tmp_path / "run.json").stdout)
    bars = [shape for shape in picture.iter("{http://www.w3.org/2000/svg}rect") if shape.get("height") == "15"]
    widths = [float(shape.get("width")) for shape in bars]
    assert widths[:2] == widths[2:4] and widths[1] == pytest.approx(2 * widths[0], abs=0.2)
    right = max(float(shape.get("x")) + float(shape.get("width")) for shape in bars)
    assert min(float(shape.get("x")) for shape in bars) > 300 and right < 800


@pytest.mark.parametrize("arguments", [[], ["--other"], ["a", "b"], ["--table", "--update", "a"]])
def test_plot_script_refuses_wrong_arguments(arguments):
    done = plot(*arguments)
    assert done.returncode == 1 and "usage: " in done.stderr
