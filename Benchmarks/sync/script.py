"""A whole sync as a short script makes it, with the modules of the standard library.

    script.py URL FOLDER
"""
import http.client
import json
import os
import sqlite3
import sys


def main(url, folder):
    host, _, target = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host)
    file = sqlite3.connect(os.path.join(folder, "script.sqlite"))
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("PRAGMA synchronous = NORMAL")
    file.execute("CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, json TEXT)")
    page = 1
    while True:
        connection.request("GET", f"/{target}page={page}")
        items = json.loads(connection.getresponse().read())["results"]
        if not items:
            break
        with file:
            file.executemany(
                "INSERT INTO items VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json"
                " WHERE json <> excluded.json", ((item["id"], json.dumps(item)) for item in items))
        page += 1
    print(file.execute("SELECT count(*) FROM items").fetchone()[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
