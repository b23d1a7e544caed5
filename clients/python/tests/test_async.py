"""The asyncio client against the real program."""

import asyncio
import gc
import os
import select
import signal

import pytest

import larder
from harness import PATIENCE, binary


def run(main):
    return asyncio.run(asyncio.wait_for(main, 4 * PATIENCE))


def test_async_client_refuses_a_coroutine_function_as_callback(open_async, client, upstream):
    async def callback(step):
        raise AssertionError("the coroutine was awaited")

    class CallableObject:
        async def __call__(self, step):
            raise AssertionError("the coroutine was awaited")

    async def main():
        async with open_async() as one:
            for progress in (callback, CallableObject()):
                with pytest.raises(TypeError, match="progress must be a plain function"):
                    await one.location.prefetch(progress=progress)
                with pytest.raises(TypeError, match="progress must be a plain function"):
                    await one.location.sync(progress=progress)
                with pytest.raises(TypeError, match="on_event must be a plain function"):
                    await one.request("location/prefetch", on_event=progress)

    run(main())
    with pytest.raises(TypeError, match="progress must be a plain function"):
        client.location.prefetch(progress=callback)
    assert upstream.count() == 0


def test_async_client_has_the_methods_of_the_blocking_client(open_async, upstream):
    async def main():
        async with open_async() as client:
            assert (await client.character.get(1)).item["name"] == "Rick Sanchez"
            assert (await client["character"].get(1)).source == "memory"
            assert (await client.character.list(name="rick")).page.current == 1
            assert [page.page.current async for page in client.character.pages()] == [1, 2, 3]
            pages = client.character.pages(2)
            assert len(await pages.all()) == 40
            assert len(await pages.all()) == len(await pages.records()) == 40
            assert [page.page.current async for page in pages] == [2, 3]
            assert (await client.character.get_many([3, 99999])).missing == [99999]
            assert (await client.character.search("rick san")).count == 1
            seen = []
            assert (await client.location.prefetch(progress=seen.append)).complete and seen
            assert (await client.location.sync(changes=True)).complete
            assert [copy["resource"] for copy in await client.cache.syncs()] == ["location"]
            assert (await client.character.explain(1)).method == "character/get"
            assert await client.recents.add("rick") == ["rick"]
            assert await client.cache.remove("character", id=1) == 1
            assert (await client.status())["pid"] == client.pid
            assert {"character", "location", "episode", "status"} <= set(dir(client))
            with pytest.raises(larder.NotFound):
                await client.character.get(99999)
        assert await client.close() == 0
        with pytest.raises(larder.LarderClosed, match="^this client is closed"):
            await client.character.get(1)

    run(main())


def test_cancelling_a_task_cancels_its_request(open_async, upstream):
    async def main():
        hold = upstream.hold("/api/character/1")
        async with open_async() as client:
            task = asyncio.create_task(client.character.get(1))
            await asyncio.to_thread(hold.wait)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            hold.release()
            with pytest.raises(larder.NoReply, match="character/get"):
                upstream.hold("/api/character/2")
                await client.character.get(2, timeout=0.05)
            upstream.reset()
            assert (await client.character.get(1)).item["id"] == 1

    run(main())


@pytest.mark.parametrize(
    "start, pages", [(None, ["first", "a", "b", "c"]), ("a", ["a", "b", "c"]), ("b", ["b", "c", "a"])]
)
def test_pagination_ends_at_a_repeated_cursor(script, start, pages):
    # The script exits after ten pages, so that endless pagination fails the test.
    program = script(
        "after = {'first': 'a', 'a': 'b', 'b': 'c', 'c': 'a'}\n"
        "for _, line in zip(range(10), sys.stdin):\n"
        "    current = json.loads(line).get('params', {}).get('page', 'first')\n"
        "    page = {'current': current, 'pages': None, 'count': None, 'next': after[current], 'previous': None}\n"
        "    reply(line, items=[], page=page, source='remote', fetchedAt='2026-01-31T09:05:00Z', stale=False)\n"
    )

    async def main():
        async with larder.AsyncLarder(binary=program) as client:
            found = []
            async for page in client.things.pages(start):
                found.append(page.page.current)
                if len(found) > len(pages):
                    break
            assert found == pages

    run(main())


def test_cancelled_and_timed_out_async_requests_are_cancelled_in_larder(script):
    program = script(
        "seen = []\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    seen.append([message['method'], message.get('params', {}).get('id')])\n"
        "    if message['method'] == 'c': reply(line, seen=seen)\n"
    )

    async def main():
        async with larder.AsyncLarder(binary=program) as client:
            task = asyncio.create_task(client.call("a"))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(larder.NoReply, match="b within"):
                await client.request("b", timeout=0.01)
            cancelled = "$/cancelRequest"
            assert (await client.call("c"))["seen"] == (
                [["a", None], ["b", None], [cancelled, 1], [cancelled, 2], ["c", None]]
            )

    run(main())


def test_observation_continues_after_a_crash(open_async, upstream):
    async def main():
        async with open_async() as client:
            async with client.character.observe(1) as changes:
                await client.character.get(1)
                assert (await changes.next(PATIENCE)).item.item["id"] == 1
                with pytest.raises(larder.NoReply):
                    await changes.next(0.05)
                os.kill(client.pid, signal.SIGKILL)
                waiting = asyncio.create_task(changes.next(PATIENCE))
                # When the new process starts to observe is unknown, so changes are made until one is reported.
                while not waiting.done():
                    await client.character.get(1)
                    await client.cache.remove("character", id=1)
                assert (await waiting).gone in (True, False)
            assert [change async for change in changes] == []

    run(main())


def test_two_tasks_can_wait_for_the_changes_of_one_item(open_async, upstream):
    async def main():
        async with open_async() as client:
            async with client.character.observe(1) as changes:
                both = [asyncio.create_task(changes.next(PATIENCE)) for _ in range(2)]
                await client.character.get(1)
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                await client.cache.remove("character", id=1)
                assert sorted(change.gone for change in await asyncio.gather(*both)) == [False, True]

    run(main())


def test_observation_reports_changes_made_before_the_first_call_of_next(open_async):
    """Changes before the first `next()` are reported."""

    async def main():
        async with open_async() as client:
            await client.character.get(1)
            changes, closed = client.character.observe(1), client.character.observe(2)
            await closed.close()
            await client.status()
            assert [*client._channel.listeners] == [changes._name]
            await client.cache.remove("character", id=1)
            assert (await changes.next(PATIENCE)).gone
            await changes.close()
            failed = client.nothing.observe(1)
            await client.status()
            with pytest.raises(larder.MethodNotFound):
                await failed.next()

    run(main())


def test_observation_created_without_an_event_loop_starts_in_the_loop(open_async):
    client = open_async()
    changes = client.character.observe(1)

    async def main():
        async with client:
            async with changes:
                await client.cache.remove("character", id=1)
                await client.character.get(1)
                assert not (await changes.next(PATIENCE)).gone

    run(main())


def test_cancelled_first_wait_does_not_lose_the_observation(open_async):
    async def main():
        async with open_async() as client:
            for _ in range(3):
                await client.status()  # No other reply is pending.
                changes = client.character.observe(1)
                task = asyncio.create_task(changes.next())
                await asyncio.sleep(0)  # The observe request is sent.
                select.select([client._channel.process.output], [], [])  # The reply has arrived unread.
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            waiting = asyncio.create_task(changes.next(PATIENCE))
            while not waiting.done():
                await client.character.get(1)
                await client.cache.remove("character", id=1)
            assert (await waiting).gone in (True, False)
            await changes.close()

    run(main())


def test_async_request_in_flight_is_repeated_after_a_crash(open_async, upstream):
    async def main():
        hold = upstream.hold("/api/character/1")
        async with open_async() as client:
            task = asyncio.create_task(client.character.get(1))
            await asyncio.to_thread(hold.wait)
            killed = client.pid
            os.kill(killed, signal.SIGKILL)
            await asyncio.to_thread(hold.wait, 2)
            hold.release()
            assert (await task).item["id"] == 1 and client.pid != killed

    run(main())


def test_cancelled_async_requests_do_not_count_against_max_in_flight(open_async, upstream):
    async def main():
        hold = upstream.hold("/api/character")
        async with open_async(max_in_flight=2) as client:
            tasks = [asyncio.create_task(client.character.get(id)) for id in range(1, 9)]
            await asyncio.to_thread(hold.wait, 2)
            for task in tasks[1:5]:
                task.cancel()
            hold.release()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            assert [type(one).__name__ for one in done].count("CancelledError") == 4
            assert client._in_flight == 0

    run(main())


def test_ten_thousand_concurrent_misses_are_all_answered(home, places, catalog):
    """The process accepts 1,024 requests at once. The client queues further requests, so none is refused as busy."""
    served, connections = [], []

    async def answer(reader, writer):
        connections.append(asyncio.current_task())
        while head := [line async for line in until_blank(reader)]:
            id = int(head[0].split(b" ", 2)[1].rpartition(b"/")[2])
            served.append(id)
            body = b'{"id":%d,"name":"one","episode":[]}' % id
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        writer.close()
        await writer.wait_closed()

    async def until_blank(reader):
        while (line := await reader.readline()).strip():
            yield line

    async def main():
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        args = ["--catalog", str(catalog(maxConcurrent=16)), "--base-url", f"rickandmorty={url}", *places]
        async with larder.AsyncLarder(args, binary=binary()) as client:
            found = await asyncio.gather(*(client.character.get(id) for id in range(1, 10_001)))
            assert [result.item["id"] for result in found] == list(range(1, 10_001))
            again = await asyncio.gather(*(client.character.get(id) for id in range(1, 10_001)))
            assert all(result.source in ("memory", "persistence") for result in again)
        await asyncio.gather(*connections)
        server.close()

    run(main())
    assert sorted(served) == list(range(1, 10_001))


def test_max_in_flight_does_not_delay_local_methods(open_async, upstream):
    async def main():
        hold = upstream.hold("/api/character")
        async with open_async(max_in_flight=1) as client:
            slow = asyncio.create_task(client.character.get(1))
            await asyncio.to_thread(hold.wait)
            assert await client.recents.list() == [] and (await client.cache.stats())["memory"]
            assert (await client.character.search("rick")).count == 0
            with pytest.raises(larder.NotCached):
                await client.character.get(2, cache_policy="localOnly")
            hold.release()
            await slow

    run(main())


def test_timeout_includes_the_wait_for_other_requests_in_flight(open_async, upstream):
    async def main():
        hold = upstream.hold("/api/character")
        async with open_async(max_in_flight=1) as client:
            slow = asyncio.create_task(client.character.get(1))
            await asyncio.to_thread(hold.wait)
            with pytest.raises(larder.NoReply, match="in flight"):
                await client.character.get(2, timeout=0.05)
            # The timeout of the client starts when the request is sent.
            client.timeout = 0.05
            waiting = asyncio.create_task(client.character.get(3))
            with pytest.raises(larder.NoReply, match="in flight"):
                await client.character.get(2, timeout=0.1)
            assert not waiting.done()
            client.timeout = 30.0
            hold.release()
            assert (await waiting).item["id"] == 3
            assert (await slow).item["id"] == 1 and client._in_flight == 0
            assert (await client.character.get(2)).item["id"] == 2

    run(main())


def test_close_on_another_event_loop_ends_the_process(open_async):
    client = open_async()
    run(client.status())
    assert run(client.close()) == 0 and "ended" in repr(client)
    with pytest.raises(larder.LarderClosed):
        run(client.status())


def test_garbage_collected_async_observer_is_removed(open_async):
    async def main():
        async with open_async() as client:
            for id in range(1, 6):
                changes = client.character.observe(id)
                await changes._ensure_observing()
            del changes
            assert len(client._channel.listeners) >= 1
            gc.collect()
            await client.status()
            assert client._channel.listeners == {}

    run(main())


def test_close_returns_even_if_a_grandchild_holds_the_pipes(script, home):
    os.mkfifo(home / "gate")
    program = script(
        f"import subprocess; subprocess.Popen(['cat', {str(home / 'gate')!r}])\n"
        "for line in sys.stdin: reply(line)\n"
        "while True: signal.pause()\n".replace("signal", "__import__('signal')")
    )

    async def main():
        client = larder.AsyncLarder(binary=program)
        await client.call("a")
        waits = asyncio.ensure_future(client.character.observe(1).next())
        assert await client.close(grace=0.1) == -signal.SIGKILL
        assert await asyncio.wait([waits]) and isinstance(waits.exception(), larder.LarderError)
        assert await client.close() == -signal.SIGKILL

    try:
        run(main())
    finally:
        os.close(os.open(home / "gate", os.O_RDWR))
