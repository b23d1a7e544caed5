"""The page docs/benchmarks.md shows the stored benchmark runs."""

import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import pytest

from harness import PATIENCE, ROOT

KEPT = ROOT / "Benchmarks" / "run.json"
KEPT_SQL = ROOT / "Benchmarks" / "sql" / "run.json"
PAGE = ROOT / "docs" / "benchmarks.md"
IMAGES = ROOT / "docs" / "images"
SVG = "{http://www.w3.org/2000/svg}"
both_charts = pytest.mark.parametrize(
    "script, kept, image", [("plot", KEPT, "benchmarks.svg"), ("sql/plot", KEPT_SQL, "sql.svg")]
)


def plot(*arguments, script="plot", root=ROOT):
    return subprocess.run(
        [sys.executable, root / "Benchmarks" / script, *arguments], capture_output=True, text=True, timeout=PATIENCE
    )


def bars_of(picture):
    return [shape for shape in picture.iter(f"{SVG}rect") if shape.get("height") == "15"]


def texts_of(picture):
    return [shape.text for shape in picture.iter(f"{SVG}text")]


@both_charts
def test_benchmark_chart_matches_the_stored_results(script, kept, image):
    done = plot(kept, script=script)
    assert done.returncode == 0 and done.stdout == (IMAGES / image).read_text(), done


@both_charts
def test_benchmark_table_matches_the_stored_results(script, kept, image):
    done = plot("--table", kept, script=script)
    assert done.returncode == 0 and f"\n\n{done.stdout}\n" in PAGE.read_text(), done.stdout


@both_charts
def test_update_writes_only_its_own_chart_and_table(tmp_path, script, kept, image):
    shutil.copytree(ROOT / "Benchmarks", tmp_path / "Benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "docs" / "images").mkdir(parents=True)
    page = tmp_path / "docs" / "benchmarks.md"
    table = plot("--table", kept, script=script).stdout
    page.write_text(PAGE.read_text().replace(table, "| an old table |\n"))
    done = plot("--update", kept, script=script, root=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert page.read_text() == PAGE.read_text()
    assert [path.name for path in (tmp_path / "docs" / "images").iterdir()] == [image]
    assert (tmp_path / "docs" / "images" / image).read_text() == (IMAGES / image).read_text()


def test_update_refuses_a_page_without_a_table(tmp_path):
    shutil.copytree(ROOT / "Benchmarks", tmp_path / "Benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "docs" / "images").mkdir(parents=True)
    page = tmp_path / "docs" / "benchmarks.md"
    page.write_text("# Benchmarks\n\n| a table |\n")
    done = plot("--update", KEPT_SQL, script="sql/plot", root=tmp_path)
    assert done.returncode == 1 and "## SQL queries" in done.stderr
    assert page.read_text() == "# Benchmarks\n\n| a table |\n" and not list((tmp_path / "docs" / "images").iterdir())


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
    bars = bars_of(picture)
    widths = [float(shape.get("width")) for shape in bars]
    assert widths[:2] == widths[2:4] and widths[1] == pytest.approx(2 * widths[0], abs=0.2)
    right = max(float(shape.get("x")) + float(shape.get("width")) for shape in bars)
    assert min(float(shape.get("x")) for shape in bars) > 300 and right < 800


def sql_rows(query, larder, **times):
    return [
        {"what": f"{query}, 2,000 items", "unit": "ms", "value": larder, "compared": program, "reference": time}
        for program, time in times.items()
    ]


def sql_chart(path, rows):
    path.write_text(json.dumps(rows))
    done = plot(path, script="sql/plot")
    assert done.returncode == 0, done.stderr
    return xml.etree.ElementTree.fromstring(done.stdout)


def test_bar_lengths_of_the_sql_chart_are_proportional_to_the_times(tmp_path):
    """Each program has one bar for each query. Rows that are not queries of all items have no bar."""
    rows = sql_rows("group", 20.0, floor=10.0, json_extract=40.0) + sql_rows("count(*)", 30.0, floor=80.0)
    rows.append({"what": "row by _id", "unit": "us", "value": 500.0, "compared": "floor", "reference": 100.0})
    picture = sql_chart(tmp_path / "sql.json", rows)
    bars = bars_of(picture)
    widths = [float(bar.get("width")) for bar in bars]
    assert [width / widths[1] for width in widths] == pytest.approx([2, 1, 4, 3, 8], rel=0.01)
    assert len({bar.get("x") for bar in bars}) == 1 and float(bars[4].get("x")) + widths[4] < 830
    kinds = [bar.get("class") for bar in bars]
    assert kinds[:2] == kinds[3:] and len(set(kinds)) == 3
    assert {"group", "count(*)", "20.0 ms", "80.0 ms"} < set(texts_of(picture))
    assert "2,000 items" in picture.find(f"{SVG}title").text


@pytest.mark.parametrize("factor", [0.0001, 0.01, 1, 7, 100_000])
def test_scale_of_the_sql_chart_fits_any_times(tmp_path, factor):
    """The scale starts with the bars, has 3 to 7 lines, and does not exceed the longest bar."""
    picture = sql_chart(tmp_path / "sql.json", sql_rows("join", factor, floor=0.5 * factor))
    starts = [float(line.get("x1")) for line in picture.iter(f"{SVG}line")]
    longest = bars_of(picture)[0]
    assert 3 <= len(starts) <= 7 and starts[0] == float(longest.get("x"))
    assert starts == sorted(starts) and starts[-1] <= starts[0] + float(longest.get("width")) + 0.1


def test_sql_chart_omits_programs_without_measurements(tmp_path):
    texts = texts_of(sql_chart(tmp_path / "sql.json", sql_rows("join", 2.0, floor=1.0, json_extract=3.0)))
    assert "Larder" in texts and not [text for text in texts if "jq" in text or "DuckDB" in text]


@pytest.mark.parametrize("script", ["plot", "sql/plot"])
@pytest.mark.parametrize("arguments", [[], ["--other"], ["a", "b"], ["--table", "--update", "a"]])
def test_plot_script_refuses_wrong_arguments(script, arguments):
    done = plot(*arguments, script=script)
    assert done.returncode == 1 and f"usage: Benchmarks/{script} " in done.stderr
