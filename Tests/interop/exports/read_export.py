"""Runs statements with DuckDB over an exported file: `read_export.py FILE STATEMENT...`.

Prints an object as JSON. `duckdb` has the rows of each statement, and `pyarrow` the rows of its Arrow table.
"""

import json
import sys

import duckdb


def main(path, *statements):
    connection = duckdb.connect()
    connection.execute(f"attach '{path}' as exported (type sqlite, read_only)")
    connection.execute("use exported")
    rows = [connection.execute(sql).fetchall() for sql in statements]
    tables = [connection.execute(sql).to_arrow_table().to_pylist() for sql in statements]
    print(json.dumps({"duckdb": rows, "pyarrow": [[list(row.values()) for row in table] for table in tables]}))


main(*sys.argv[1:])
