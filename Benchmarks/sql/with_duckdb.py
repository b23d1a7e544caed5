"""Runs each line of stdin as a statement of DuckDB over files with JSON lines. Prints the rows as a JSON line.

Needs the package "duckdb".

    with_duckdb.py FOLDER
"""
import json
import os
import sys

import duckdb


def main(folder):
    for name in "ticket", "user":
        path = os.path.join(folder, name + ".json")
        duckdb.sql(f"CREATE VIEW {name} AS SELECT id AS _id, * FROM read_json('{path}', format = 'newline_delimited')")
    for line in sys.stdin:
        print(json.dumps(duckdb.sql(line).fetchall()), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
