"""A read that follows a removal in the same batch does not see the removed entries."""

import json

import pytest

from harness import request

STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "order", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def tool(name, **arguments):
    arguments = {"resource": "character", **arguments}
    return "tools/call", {"name": name, "arguments": arguments, "_meta": STATELESS}


# The third value is a string that the reply contains only while the cache is full.
READS = {
    "get": ("character/get", {"id": 1, "cachePolicy": "localOnly"}, "Rick Sanchez"),
    "getMany": ("character/getMany", {"ids": [1, 2], "cachePolicy": "localOnly"}, "Rick Sanchez"),
    "list": ("character/list", {"cachePolicy": "localOnly"}, "Rick Sanchez"),
    "prefetch": ("character/prefetch", {"maxPages": 1}, '"reused":1'),
    "search": ("character/search", {"text": "rick"}, "Rick Sanchez"),
    "explain": ("request/explain", {"method": "character/get", "params": {"id": 1}}, '"fetchedAt"'),
    "get_item": (*tool("get_item", id=1, cachePolicy="localOnly"), "Rick Sanchez"),
    "list_items": (*tool("list_items", cachePolicy="localOnly"), "Rick Sanchez"),
    "search_cached": (*tool("search_cached", text="rick"), "Rick Sanchez"),
}


@pytest.mark.parametrize("name", READS)
def test_read_does_not_find_an_item_removed_earlier_in_the_same_batch(larder, name):
    method, params, text = READS[name]
    larder.call("character/prefetch", maxPages=1)
    larder.call("character/list")
    before = json.dumps(larder.wait(larder.send(method, params)), separators=(",", ":"))
    assert text in before, before
    requests = [request("cache/remove", id="remove").strip(), request(method, params, "read").strip()]
    larder.write(f"[{','.join(requests)}]\n")
    replies = {reply["id"]: reply for reply in larder.batch()}
    assert replies["remove"]["result"]["removed"] > 0
    assert text not in json.dumps(replies["read"], separators=(",", ":"))
