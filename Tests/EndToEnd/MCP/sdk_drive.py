"""Runs each step below with the official Python SDK and reports its outcome.

Usage: sdk_drive.py MODE CONTROL COMMAND...

MODE is auto, legacy or 2026-07-28 (SDK 2.x), or v1 (SDK 1.x). CONTROL is the URL of upstream.py. The last line of the
output is {"step": "traceback, or null"}.
"""

import asyncio
import json
import sys
import time
import traceback
from contextlib import AsyncExitStack

import anyio

from sdk_session import API, Drive, dump, types

MODE, CONTROL, *COMMAND = sys.argv[1:]
TOOLS = ["get_item", "list_items", "search_cached", "query_cached", "prefetch_list", "describe_resource"]
ONE, TEMPLATE = "larder://character/1", "larder://character/{id}"
api = API(CONTROL)
outcomes = {}
steps = []


def step(function):
    steps.append(function)
    return function


@step
async def list_tools(drive):
    listed = dump(await drive.client.list_tools())["tools"]
    assert [tool["name"] for tool in listed] == TOOLS
    assert all(tool["inputSchema"]["type"] == "object" for tool in listed)
    assert listed[0]["annotations"]["readOnlyHint"] is True


@step
async def ping(drive):
    if not drive.stateless:
        await drive.session.send_ping()


@step
async def each_tool(drive):
    assert (await drive.call("get_item", resource="character", id=1))["item"]["name"] == "Rick Sanchez"
    assert len((await drive.call("get_item", resource="character", ids=[1, 2]))["items"]) == 2
    page = await drive.call("list_items", resource="character", limit=15)
    rest = await drive.call("list_items", resource="character", limit=15, page=page["page"]["next"])
    assert [item["id"] for item in rest["items"]] == [16, 17, 18, 19, 20]
    assert (await drive.call("prefetch_list", resource="character", maxPages=2))["pages"] == 2
    assert (await drive.call("search_cached", resource="character", text="morty"))["count"] > 0
    assert "interface Character" in (await drive.call("describe_resource", resource="character"))["types"]


@step
async def wrong_arguments(drive):
    for tool, arguments in (
        ("get_item", {"resource": "charcter", "id": 1}),
        ("get_item", {"resource": "character", "idd": 1}),
        ("list_items", {"resource": "character", "limit": 0}),
        ("describe_resource", {}),
    ):
        result = dump(await drive.client.call_tool(tool, arguments))
        assert result["isError"] is True and result["content"][0]["text"], result


@step
async def missing_item(drive):
    result = dump(await drive.client.call_tool("get_item", {"resource": "character", "id": 9999}))
    assert result["isError"] is True and "not found" in result["content"][0]["text"], result
    missing = drive.client.read_resource(drive.uri("larder://character/9999"))
    await drive.refused(-32602 if drive.stateless else -32002, missing)


@step
async def unknown_tool(drive):
    await drive.refused(-32602, drive.client.call_tool("no_such_tool", {}))


@step
async def resources(drive):
    listed = dump(await drive.client.list_resources())["resources"]
    assert [one["uri"] for one in listed][0] == "larder://character"
    templates = dump(await drive.client.list_resource_templates())["resourceTemplates"]
    assert TEMPLATE in [one["uriTemplate"] for one in templates]
    assert (await drive.read(ONE))["name"] == "Rick Sanchez"
    assert (await drive.read("larder://character"))["resource"] == "character"


@step
async def completion(drive):
    ref = types.ResourceTemplateReference(type="ref/resource", uri=TEMPLATE)
    found = dump(await drive.client.complete(ref, {"name": "id", "value": "1"}))["completion"]["values"]
    assert found[0] == "1" and len(found) <= 100, found


@step
async def subscription(drive):
    async def change(name):
        await api.control("/_edit", resource="character", id=1, set={"name": name})
        await drive.call("get_item", resource="character", id=1, cachePolicy="remoteFirst")

    await drive.read(ONE)
    if drive.stateless:
        async with drive.client.listen(tools_list_changed=True, resource_subscriptions=[ONE]) as events:
            await change("Pickle Rick")
            with anyio.fail_after(10):
                event = await events.__anext__()
            assert getattr(event, "uri", None) == ONE, event
            # The event makes the client drop its cached read.
            assert (await drive.read(ONE))["name"] == "Pickle Rick"
        return
    await drive.session.subscribe_resource(drive.uri(ONE))
    drive.changed.clear()
    await change("Pickle Rick")
    with anyio.fail_after(10):
        await drive.changed.wait()
    assert drive.told[-1]["method"] == "notifications/resources/updated", drive.told
    assert drive.told[-1]["params"]["uri"] == ONE
    await drive.session.unsubscribe_resource(drive.uri(ONE))
    count = len(drive.told)
    await change("Tiny Rick")
    await drive.read("larder://character")
    assert len(drive.told) == count, drive.told


@step
async def progress(drive):
    seen = []

    async def on_progress(done, total, message):
        seen.append(done)

    arguments = {"resource": "location"}
    result = dump(await drive.client.call_tool("prefetch_list", arguments, progress_callback=on_progress))
    assert not result.get("isError"), result
    assert seen and seen == sorted(set(seen)), seen


@step
async def cancellation(drive):
    path = "/api/episode/1"
    await api.control("/_fault", match=path, hold="cancelled", times=1)
    task = asyncio.ensure_future(drive.client.call_tool("get_item", {"resource": "episode", "id": 1}))
    await api.was_asked(path)
    await drive.cancel(task)
    await api.was_asked(path, aborted=True)
    await api.control("/_release", hold="cancelled")
    assert (await drive.call("get_item", resource="episode", id=1))["source"] == "remote"


@step
async def fifty_at_once(drive):
    calls = [drive.call("get_item", resource="character", id=number % 25 + 1) for number in range(50)]
    found = await asyncio.gather(*calls)
    assert [one["item"]["id"] for one in found] == [number % 25 + 1 for number in range(50)]


async def bounded(awaitable):
    with anyio.fail_after(30):
        await awaitable


async def tried(name, awaitable):
    """Runs a step and records its outcome. Returns whether the step succeeded."""
    try:
        await awaitable
        outcomes[name] = None
    except Exception:
        outcomes[name] = traceback.format_exc(limit=-3)
    return outcomes[name] is None


async def main():
    drive = Drive(MODE)
    async with AsyncExitStack() as stack:
        if await tried("connect", drive.connect(stack, COMMAND)):
            for one in steps:
                await tried(one.__name__, bounded(one(drive)))
        began = time.monotonic()
    spent = time.monotonic() - began
    outcomes["end_of_input"] = None if spent < 1.9 else f"it took {spent:.1f} s: the server does not end by itself"
    outcomes["nothing_stray"] = "; ".join(drive.faults) or None


asyncio.run(main())
print(json.dumps(outcomes))
