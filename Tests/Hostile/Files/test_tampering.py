"""Cache files with flipped bits or edited contents. Each read returns the right item or is a miss."""

import json
import random
import sqlite3

import pytest

from harness import ROOT, RPCError

PEOPLE = range(1, 61)


@pytest.fixture(scope="module")
def people():
    data = json.loads((ROOT / "Fixtures" / "upstream" / "data.json").read_text(encoding="utf-8"))
    return {row["id"]: row["name"] for row in data["character"]}


@pytest.fixture
def filled(start, home):
    """A closed cache file with three pages of characters, which have been searched."""
    larder = start()
    for page in (1, 2, 3):
        larder.call("character/list", page=page)
    larder.call("character/search", text="rick")
    larder.close()
    return home / "cache" / "cache.sqlite"


def tamper(path, sql):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(sql)
    connection.close()


def expect_right(larder, people, ids=PEOPLE):
    """Returns the number of cached items. Each cached item must be right in every kind of read."""
    cached = 0
    for id in ids:
        try:
            item = larder.call("character/get", id=id, cachePolicy="localOnly")["item"]
        except RPCError as error:
            assert error.kind == "notCached", error
            continue
        assert (item["id"], item["name"]) == (id, people[id])
        cached += 1
    for page in (1, 2, 3):
        try:
            items = larder.call("character/list", page=page, cachePolicy="localOnly")["items"]
        except RPCError as error:
            assert error.kind == "notCached", error
            continue
        assert [item["name"] for item in items] == [people[item["id"]] for item in items]
    found = [larder.call("character/search", limit=1000), larder.call("character/search", text="rick")]
    if cached == len(ids):
        found.append(larder.call("character/getMany", ids=list(ids), cachePolicy="localOnly"))
    for result in found:
        for item in result["items"]:
            assert item["name"] == people[item["id"]]
    return cached


def persistence(larder):
    return larder.call("cache/stats")["persistence"]


@pytest.mark.parametrize(
    "change",
    [
        "json = CAST(replace(json, 'Rick', 'Rock') AS BLOB)",
        "json = CAST('{\"id\":1,' || char(10) || '\"name\":\"Rick Sanchez\"}' AS BLOB)",
        "json = CAST('}},{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{' AS BLOB)",
        "json = x''",
        "json = (SELECT json FROM items WHERE id = '2')",
        "fetched_at = 9223372036854775807",
        "etag = 'x' || char(13) || char(10) || 'Evil: yes'",
        "json = zeroblob(10000000)",
    ],
)
def test_cached_item_edited_in_the_database_is_removed_and_counts_as_a_miss(start, filled, people, change):
    tamper(filled, f"UPDATE items SET {change} WHERE id = '1'")
    larder = start("--offline")
    assert larder.fails("character/get", id=1).kind == "notCached"
    assert expect_right(larder, people) == 59
    found = persistence(larder)
    assert (found["damaged"], found["state"]) == (1, "ok")
    larder.close()
    again = start()
    assert again.call("character/get", id=1)["item"]["name"] == people[1]
    assert persistence(again)["damaged"] == 0, "the edited row was removed"


@pytest.mark.parametrize(
    "change", ["ids = '[\"2\",\"1\"]'", "info = x'7D0A7B'", "count = 1"]
)
def test_cached_page_edited_in_the_database_is_removed_and_counts_as_a_miss(start, filled, people, change):
    tamper(filled, f"UPDATE pages SET {change} WHERE key = 1")
    larder = start("--offline")
    assert larder.fails("character/list", page=1).kind == "notCached"
    assert expect_right(larder, people) == 60
    assert persistence(larder)["damaged"] == 1


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(n, marks=pytest.mark.long) for n in range(12, 300))])
def test_flipped_bits_in_the_cache_file_never_give_wrong_items(start, home, filled, people, seed):
    dice = random.Random(seed)
    bytes = bytearray(filled.read_bytes())
    for _ in range(dice.choice([1, 10, 100])):
        bytes[dice.randrange(100, len(bytes))] ^= 1 << dice.randrange(8)
    filled.write_bytes(bytes)
    larder = start("--offline")
    expect_right(larder, people)
    larder.alive()
    larder.close()
    again = start()
    for id in (1, 30, 60):
        assert again.call("character/get", id=id, cachePolicy="remoteFirst")["item"]["name"] == people[id]
    # Found items are right. The search index has no checksums, so it may miss some.
    again.call("character/search", text="rick")
    expect_right(again, people)


ENDLESS = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"
SCHEMAS = [
    "DROP TABLE items",
    "DROP TABLE changes",
    "DROP TABLE search",
    "DROP TRIGGER items_search",
    "ALTER TABLE pages DROP COLUMN etag",
    "CREATE TRIGGER theirs AFTER INSERT ON items BEGIN DELETE FROM items; END",
    f"ALTER TABLE items RENAME TO hidden; CREATE VIEW items AS {ENDLESS} SELECT hidden.* FROM hidden, c WHERE n < 0",
    f"""
    CREATE TRIGGER theirs AFTER INSERT ON changes BEGIN
        DELETE FROM changes WHERE seq IN (SELECT n FROM ({ENDLESS} SELECT n FROM c) WHERE n < 0);
    END
    """,
]


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
@pytest.mark.parametrize("sql", SCHEMAS)
def test_cache_file_with_a_changed_schema_is_refused(start, home, filled, people, sql, is_open):
    larder = start()
    if is_open:
        larder.call("character/get", id=1, cachePolicy="remoteFirst")
        assert persistence(larder)["state"] == "ok"
    tamper(filled, sql)
    for id in (1, 60):
        assert larder.call("character/get", id=id)["item"]["name"] == people[id]
    assert larder.call("character/get", id=2, cachePolicy="remoteFirst")["item"]["name"] == people[2]
    assert persistence(larder)["state"] == "rebuilt"
    assert len([path for path in filled.parent.iterdir() if "corrupt" in path.name and path.suffix != ".sqlite"]) >= 1
    larder.close()
    again = start()
    assert again.call("character/get", id=2)["source"] == "persistence", "entries are written to the new file"
    assert persistence(again)["state"] == "ok"


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE recents",
        "ALTER TABLE recents DROP COLUMN text",
        "CREATE TRIGGER theirs AFTER INSERT ON recents BEGIN DELETE FROM recents; END",
        f"DROP TABLE recents; CREATE VIEW recents AS {ENDLESS} SELECT n AS number, n AS scope, n AS text FROM c",
    ],
)
def test_recents_file_with_a_changed_schema_is_refused(start, home, sql, is_open):
    larder = start()
    larder.call("recents/add", text="rick")
    if not is_open:
        larder.close()
    path = home / "data" / "recents.sqlite"
    tamper(path, sql)
    if not is_open:
        larder = start()
    assert larder.call("recents/add", text="morty") == {"recents": ["morty"]}
    assert larder.call("recents/list") == {"recents": ["morty"]}
    assert any("set aside" in part["reason"] for part in larder.call("server/status")["degraded"])
    aside = [found for found in path.parent.iterdir() if "corrupt" in found.name]
    assert aside, "the file is set aside, not deleted"


@pytest.mark.parametrize("version", [1, 5])
def test_cache_file_with_an_old_schema_version_is_renamed_and_rebuilt(start, filled, people, version):
    tamper(filled, f"PRAGMA user_version = {version}")
    larder = start()
    assert larder.call("character/get", id=1)["source"] == "remote"
    assert persistence(larder)["state"] == "rebuilt"
    larder.close()
    assert any("corrupt" in path.name for path in filled.parent.iterdir())
    again = start("--offline")
    assert again.call("character/get", id=1)["source"] == "persistence"
    assert persistence(again)["state"] == "ok"


def test_cache_file_with_a_trigger_of_a_reserved_name_is_refused(start, filled, people):
    """A cache file is refused if it contains a trigger with the name of a table that ANALYZE creates."""
    trigger = "CREATE TRIGGER sqlite_stat1 AFTER INSERT ON items BEGIN DELETE FROM items; END"
    insertion = f"INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_stat1', 'items', 0, '{trigger}')"
    tamper(filled, f"PRAGMA writable_schema = ON; {insertion};")
    larder = start()
    for id in PEOPLE:
        larder.call("character/get", id=id, cachePolicy="remoteFirst")
    assert larder.call("cache/stats")["persistence"]["state"] == "rebuilt"
    assert expect_right(larder, people) == len(PEOPLE)


def test_cache_file_with_an_expensive_generated_column_is_refused(start, filled, people):
    """The computation is one step of SQLite's virtual machine, so a limit on the number of steps does not end it."""
    column = "modified TEXT AS (CAST(instr(zeroblob(400000000), zeroblob(200000000) || x''01'') AS TEXT)) VIRTUAL"
    tamper(
        filled,
        f"""
        ALTER TABLE items DROP COLUMN modified;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'checksum INTEGER NOT NULL', 'checksum INTEGER NOT NULL, {column}')
        WHERE name = 'items';
        """,
    )
    larder = start()
    assert larder.call("character/get", id=1)["source"] == "remote"
    assert larder.call("cache/stats")["persistence"]["state"] == "rebuilt"
    assert expect_right(larder, people, [1]) == 1
