"""The cache file and its write-ahead log stay within --disk, no matter how much is written.

LARDER_SOAK=1 writes 1 GiB through a file of 64 MiB.
"""

import json
import os
import sqlite3

import pytest

from scripted import serving

ITEM = 10_000  # bytes, approximately
CATALOG = """
{
  "larder": 1,
  "apis": {"store": {"baseURL": "%s"}},
  "resources": {
    "thing": {
      "api": "store", "id": "integer", "fields": {"id": "integer", "name": "string", "text": "string"},
      "rest": {
        "get": {"path": "/things/{id}"},
        "list": {"path": "/things/pages", "pagination": {"style": "page", "param": "page"}}
      }
    }
  }
}
"""


class Things:
    """A scripted API with any number of things.

    Page N starts with the id (N - 1) * size. Each thing has a different text.
    """

    size = 10

    @classmethod
    def answer(cls, request):
        number = int(request.target.rsplit("=" if "=" in request.target else "/", 1)[1])
        if "pages" not in request.target:
            return 200, {}, thing(number)
        return 200, {}, [thing(ident) for ident in range((number - 1) * cls.size, number * cls.size)]


def thing(ident):
    word = f"w{ident:09} "
    return {"id": ident, "name": f"thing {ident}", "text": word * (ITEM // len(word))}


def taken(folder):
    """Returns the total size of the cache file and its write-ahead log in bytes."""
    return sum(path.stat().st_size for path in folder.glob("cache.sqlite*") if not path.name.endswith("-shm"))


@pytest.fixture
def things(home):
    with serving(Things.answer, keeps_alive=True) as url:
        path = home / "catalog.jsonc"
        path.write_text(CATALOG % url)
        yield path


def send_through(start, home, things, limit, total, per_page, searched):
    Things.size = per_page
    larder = start("--catalog", things, "--disk", limit, "--memory", "1MiB", upstream=None)
    larder.call("thing/get", id=10**8)  # Memory evicts this thing now and then; then the file answers.
    larder.call("thing/list", page=1)
    pages = total // (ITEM * per_page)
    highest = 0
    for page in range(2, pages + 2):
        assert larder.call("thing/list", page=page)["source"] == "remote"
        if page % 4 == 0:
            assert larder.call("thing/get", id=10**8)["source"] != "remote", "an entry in use must not be evicted"
            if searched:
                assert larder.call("thing/search", text=f"w{(page * per_page - 1):09}")["count"] == 1
            larder.call("cache/stats")  # Waits for the pending writes, so that reads and writes overlap.
            highest = max(highest, taken(home / "cache"))
    stats = larder.call("cache/stats")["persistence"]
    before_end = taken(home / "cache")
    larder.close()
    print(f"limit {limit}, {total} sent, highest {highest}, then {before_end}, closed {taken(home / 'cache')}, {stats}")
    assert before_end <= limit * 1.1
    assert taken(home / "cache") <= limit * 1.1
    # During a write, the file and its log may both hold a transaction or an index step.
    assert highest <= limit * 1.25
    assert limit * 0.8 < stats["bytes"] <= limit and stats["evictions"] > pages * per_page * 0.5
    again = start("--catalog", things, "--offline", upstream=None)
    assert again.call("thing/get", id=10**8)["source"] == "persistence"
    assert again.call("thing/list", page=pages + 1)["source"] == "persistence"
    assert again.fails("thing/list", page=1).kind == "notCached"
    again.close()
    with sqlite3.connect(home / "cache" / "cache.sqlite") as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    file.close()


@pytest.mark.parametrize("searched", [False, True], ids=["", "searched"])
def test_cache_file_stays_within_a_small_size_limit(start, home, things, searched):
    send_through(start, home, things, 4 << 20, 64 << 20, 10, searched)


@pytest.mark.skipif(not os.environ.get("LARDER_SOAK"), reason="LARDER_SOAK=1 runs it")
@pytest.mark.parametrize("searched", [False, True], ids=["", "searched"])
def test_cache_file_stays_within_a_large_size_limit(start, home, things, searched):
    send_through(start, home, things, 64 << 20, 1 << 30, 100, searched)
