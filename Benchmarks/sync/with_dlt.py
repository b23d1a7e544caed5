"""A whole sync with dlt into a DuckDB file. Needs the package "dlt[duckdb]".

    with_dlt.py URL FOLDER
"""
import os
import sys

import dlt
from dlt.sources.helpers import requests


# An item is one row: without `max_table_nesting`, its arrays would get tables of their own.
@dlt.resource(name="character", primary_key="id", write_disposition="merge", max_table_nesting=0)
def characters(url):
    page = 1
    while items := requests.get(f"{url}page={page}").json()["results"]:
        yield items
        page += 1


def main(url, folder):
    destination = dlt.destinations.duckdb(os.path.join(folder, "dlt.duckdb"))
    pipeline = dlt.pipeline("sync", pipelines_dir=folder, destination=destination, dataset_name="feed")
    pipeline.run(characters(url))
    with pipeline.sql_client() as client:
        print(client.execute_sql("SELECT count(*) FROM character")[0][0])


if __name__ == "__main__":
    main(*sys.argv[1:])
