"""DuckDB, pyarrow and datasette give the rows of `larder sql` for a file of `larder cache export`."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

import pytest

from harness import CASSETTES, PATIENCE, ROOT, environment

sys.path.append(str(ROOT / "Tests" / "EndToEnd" / "SQL"))
sys.path.append(str(ROOT / "Tests" / "interop" / "servers"))
import tables  # noqa: E402
from serving import fetched, serving  # noqa: E402

BIN = ROOT / ".build" / "exports" / "bin"
# In both dialects. DuckDB has more keywords than SQLite.
STATEMENTS = [
    "select * from ticket order by id",
    'select * from "user" order by id',
    'select name, "rows", coverage from larder_tables order by name',
    "select table_name, name, type, field from larder_columns order by table_name, name",
    'select u.name, count(*) n, max(votes) votes, avg(price) price from ticket t join "user" u on u._id = t.owner'
    " group by u.name order by u.name",
    "select id, \"at\" from ticket where \"at\" < '2026-01-31T09:00:00.000000Z'",
    "select owner, max(_id) newest from ticket group by owner having count(*) > 1",
]


@pytest.fixture
def upstream():
    """Processes of these tests use the server of tickets and users, or recorded answers."""


@pytest.fixture
def program(home):
    """`program(NAME, ...)` runs a program of the environment, with DuckDB's extension for SQLite in its home folder."""
    assert BIN.exists(), f"no {BIN}: run scripts/bootstrap --interop"
    python, variables = BIN / "python", environment(home, {"PATH": f"{BIN}:/usr/bin:/bin"})
    facts = "import duckdb, duckdb_extension_sqlite_scanner as found; print(found.__path__[0], duckdb.__version__)"
    platform = "print(duckdb.sql('pragma platform').fetchone()[0])"
    line = subprocess.run([python, "-c", f"{facts}; {platform}"], capture_output=True, text=True, check=True)
    package, version, platform = line.stdout.split()
    folder = home / ".duckdb" / "extensions" / f"v{version}" / platform
    folder.mkdir(parents=True)
    shutil.copy(pathlib.Path(package, "extensions", f"v{version}", "sqlite_scanner.duckdb_extension"), folder)

    def program(*command):
        done = subprocess.run(command, cwd=home, env=variables, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return program


@pytest.fixture
def large():
    """Further tickets."""
    return []


@pytest.fixture
def exported(command, places, home, large):
    """The path of an exported file, with the rows of `larder sql` for each statement."""
    desk = tables.Desk()
    desk.items["ticket"] += large
    with tables.serving(desk.answer) as desk.url:
        options = [*places, "--catalog", desk.catalog(home)]
        assert command("sync", "ticket", *options).code == command("list", "user", *options).code == 0
        path = home / "all.sqlite"
        done = command("cache", "export", path, *options)
        assert done.code == 0, done
        rows = [[list(row.values()) for row in command("sql", sql, *options).messages] for sql in STATEMENTS]
    assert all(rows)
    return path, rows


def test_duckdb_and_pyarrow_give_the_rows_of_larder(exported, program):
    path, rows = exported
    found = json.loads(program(BIN / "python", pathlib.Path(__file__).with_name("read_export.py"), path, *STATEMENTS))
    assert found["duckdb"] == rows
    assert found["pyarrow"] == rows


@pytest.mark.parametrize("large", [[{"id": 31, "votes": 10**20, "labels": [], "more": None}]])
def test_duckdb_reads_columns_with_several_types_as_texts(exported, program):
    path, rows = exported
    line = "copy (select votes from sqlite_scan('all.sqlite', 'ticket') order by id) to 'votes.json' (array true)"
    with pytest.raises(AssertionError, match="sqlite_all_varchar=true"):
        program("duckdb", "-c", line)
    program("duckdb", "-c", f"set sqlite_all_varchar = true; {line}")
    votes = json.loads((path.parent / "votes.json").read_text(encoding="utf-8"))
    assert [row["votes"] for row in votes] == ["3", None, "9007199254740993", str(10**20)]
    assert [row[2] for row in rows[0]] == [3, None, 9007199254740993, str(10**20)]


def test_datasette_gives_the_rows_of_larder(exported, home):
    path, rows = exported
    with serving("exported", home, str(path)) as url:
        for sql, expected in zip(STATEMENTS, rows):
            assert fetched(f"{url}/all.json?_shape=arrays&sql={urllib.parse.quote(sql)}")["rows"] == expected, sql
        assert fetched(f"{url}/all/ticket.json?_shape=array&_sort=id&title=one")[0]["_id"] == 1


def documented_line():
    """Returns the command of docs/sql.md that makes a Parquet file."""
    text = (ROOT / "docs" / "sql.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"`(duckdb -c .*?)`", text, re.S)
    return " ".join(line.split())


def test_documented_line_makes_a_parquet_file_with_the_rows_of_larder(command, places, program, home):
    options = ["--replay", CASSETTES, *places]
    assert command("sync", "episode", *options).code == 0
    assert command("cache", "export", home / "all.sqlite", *options).code == 0
    program("sh", "-c", documented_line())
    reads = "import json, pyarrow.parquet as files; print(json.dumps(files.read_table('episode.parquet').to_pylist()))"
    rows = json.loads(program(BIN / "python", "-c", reads))
    expected = command("sql", "select * from episode order by id", *options).messages
    assert sorted(rows, key=lambda row: row["id"]) == expected and len(rows) == 51
