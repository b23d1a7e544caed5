"""A change that another process makes to the cache file applies to the next read of this process, even from memory."""

import pytest

from harness import eventually

READS = {
    "get": {"id": 1},
    "fields": {"id": 1, "fields": ["name"]},
    "list": {},
    "page": {"page": 2, "fields": ["id"]},
    "getMany": {"ids": [1, 2, 3]},
}


@pytest.fixture(params=READS)
def read(request):
    """`read(process, ...)` performs one kind of read. Returns the items and their source."""
    params = READS[request.param]
    method = {"fields": "get", "page": "list"}.get(request.param, request.param)

    def read(process, **more):
        result = process.call(f"character/{method}", **params, **more)
        items = result["items"] if "items" in result else [result["item"]]
        return items, result.get("source", result.get("sources"))

    read.method, read.params = f"character/{method}", params
    return read


def in_memory(source):
    return source == "memory" or (isinstance(source, dict) and source["persistence"] == source["remote"] == 0)


def read_and_written(served, read):
    """Reads entries and waits until they are in the cache file, because another process can change only entries in the
    file."""
    read(served)
    served.call("cache/stats")


def test_removal_by_another_process_applies_to_the_next_read(served, read):
    read_and_written(served, read)
    assert in_memory(read(served, cachePolicy="localOnly")[1])
    assert served.again().call("cache/remove")["removed"] > 0
    assert served.fails(read.method, **read.params, cachePolicy="localOnly").kind == "notCached"
    assert not in_memory(read(served)[1])


def test_invalidation_by_another_process_applies_to_the_next_read(served, upstream, read):
    read_and_written(served, read)
    assert in_memory(read(served)[1])
    served.again().call("cache/invalidate")
    before = upstream.count()
    read(served)
    eventually(lambda: upstream.count() > before, "a request for the stale entry")
