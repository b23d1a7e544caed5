#!/usr/bin/env python3
"""A plain Python loop over stdin and stdout for comparison, with json.loads, a dict and json.dumps.

    loop.py                     reads items from a dict; generates and stores missing ones
    loop.py --db FILE           reads missing items from an SQLite file (the table of `floor_select --make`)
    loop.py --upstream URL      fetches missing items over one HTTP connection, one request after the other, and stores
                                them in the dict and, with --db, in the file

The replies have the form of Larder's, including `source`, so that the same checks apply. The loop has no freshness, no
error replies and no limits.
"""
import argparse
import json
import sys

FETCHED_AT = "2024-01-01T00:00:00.000Z"


def made_up(ident):
    """Returns an item of the shape and size that `write_item` in common.h generates."""
    site = "https://rickandmortyapi.com/api"
    return {
        "id": ident, "name": f"Rick Sanchez {ident}", "status": "Alive", "species": "Human", "type": "",
        "gender": "Male",
        "origin": {"name": "Earth (C-137)", "url": f"{site}/location/1"},
        "location": {"name": "Citadel of Ricks", "url": f"{site}/location/3"},
        "image": f"{site}/character/avatar/{ident}.jpeg",
        "episode": [f"{site}/episode/1", f"{site}/episode/2"],
        "url": f"{site}/character/{ident}", "created": "2017-11-04T18:48:46.250Z",
    }


class Store:
    """A cache in a dict, with an optional file and an optional upstream as lower levels."""

    def __init__(self, path, upstream):
        self.items, self.database, self.connection = {}, None, None
        if path:
            import sqlite3

            self.database = sqlite3.connect(path, isolation_level=None)
            self.database.execute("PRAGMA journal_mode = WAL")
            self.database.execute("PRAGMA synchronous = NORMAL")
            self.database.execute(
                "CREATE TABLE IF NOT EXISTS "
                "item(key TEXT PRIMARY KEY NOT NULL, body BLOB NOT NULL, fetched_at TEXT NOT NULL)")
        if upstream:
            import http.client

            self.connection = http.client.HTTPConnection(upstream.split("//")[1], timeout=10)

    def fetch(self, ident):
        if not self.connection:
            return made_up(ident)
        self.connection.request("GET", f"/api/character/{ident}")
        response = self.connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise SystemExit(f"loop.py: item {ident}: status {response.status}")
        if self.database:
            self.database.execute("INSERT OR REPLACE INTO item VALUES (?, ?, ?)", (str(ident), body, FETCHED_AT))
        return json.loads(body)

    def get(self, ident):
        item = self.items.get(ident)
        if item is not None:
            return item, "memory"
        source = "remote"
        if self.database:
            row = self.database.execute("SELECT body FROM item WHERE key = ?", (str(ident),)).fetchone()
            if row:
                item, source = json.loads(row[0]), "persistence"
        if item is None:
            item = self.fetch(ident)
        self.items[ident] = item
        return item, source


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--db")
    parser.add_argument("--upstream")
    options = parser.parse_args()
    store = Store(options.db, options.upstream)
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] == "character/get":
            item, source = store.get(request["params"]["id"])
            reply["result"] = {"item": item, "source": source, "fetchedAt": FETCHED_AT, "stale": False}
        elif request["method"] == "character/list":
            page = request["params"]["page"]
            items = [store.get(20 * (page - 1) + index)[0] for index in range(1, 21)]
            info = {"current": page, "pages": 42, "count": 826, "next": page + 1, "previous": page - 1 or None}
            reply["result"] = {
                "items": items, "page": info, "source": "memory", "fetchedAt": FETCHED_AT, "stale": False}
        else:
            reply["result"] = None
        sys.stdout.write(json.dumps(reply, separators=(",", ":")) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
