"""The asyncio client with scripts in place of larder: tasks, writing, timeouts, event loops and closing."""

import asyncio
import math
import os
import select
import signal
import subprocess
import threading

import pytest

import larder
from harness import PATIENCE
from larder.aio.channel import Channel, Task, Watch
from larder.process import Settings
from larder.session import ProcessEnded, Waiter

ECHO = "for line in sys.stdin: reply(line, **json.loads(line))"


def run(main):
    return asyncio.run(asyncio.wait_for(main, PATIENCE))


def with_channel(use, *command):
    """Starts `command` (default: `cat`), awaits `use(channel)` with a channel to it, and kills it."""

    async def main():
        program, *args = command or ("cat",)
        channel = Channel(Settings(args, program, None, subprocess.DEVNULL), True, asyncio.get_running_loop())
        try:
            await use(channel)
        finally:
            channel.process.kill()
            channel.process.wait(10)
            channel.process.close_input()
            channel.stop()

    run(main())


class TestAsyncRequests:
    def test_async_request_gets_a_reply_or_an_error_only_once(self):
        async def main():
            loop = asyncio.get_running_loop()
            answered, refused, cancelled = (Task(loop.create_future(), None) for _ in range(3))
            answered.finish(1, None)
            answered.finish(None, larder.NoReply("late"))
            answered.time_out("x", 1)
            assert await answered.future == 1
            refused.time_out("x/get", 0.5)
            with pytest.raises(larder.NoReply, match="^no reply to x/get within 0.5 seconds; raise the timeout$"):
                await refused.future
            cancelled.future.cancel()
            cancelled.finish(1, None)
            cancelled.notify({})

        run(main())

    def test_progress_callback_gets_events_only_until_the_reply(self):
        async def main():
            seen, loop = [], asyncio.get_running_loop()
            task = Task(loop.create_future(), seen.append)
            Task(loop.create_future(), None).notify({})
            task.notify({"a": 1})
            task.finish(2, None)
            task.notify({"b": 2})
            assert seen == [{"a": 1}]
            failing = Task(loop.create_future(), lambda event: event["missing"])
            failing.notify({})
            with pytest.raises(KeyError):
                await failing.future

        run(main())

    def test_waiting_async_observer_is_woken_by_events_and_by_its_end(self):
        async def main():
            watch = Watch()
            waiting = asyncio.ensure_future(watch.wait())
            await asyncio.sleep(0)
            assert not waiting.done() and not watch.done
            for number in range(1001):
                watch.notify({"n": number})
            await waiting
            assert [event["n"] for event in watch.events] == [*range(1, 1001)]
            await watch.wait()
            watch.events.clear()
            waiting = asyncio.ensure_future(watch.wait())
            for _ in range(3):
                await asyncio.sleep(0)
            assert not waiting.done()
            watch.finish(None, None)
            await waiting
            assert watch.done

        run(main())


class TestWriting:
    def test_handshake_is_written_first(self):
        async def use(channel):
            assert select.select([channel.process.output], [], [], 10)[0]
            assert os.read(channel.process.output, 1 << 16) == channel.handshake()

        with_channel(use)

    def test_closed_async_channel_refuses_writes(self):
        async def use(channel):
            for name, value in (("closing", True), ("ended", "gone")):
                setattr(channel, name, value)
                with pytest.raises(ProcessEnded, match="the larder process has exited"):
                    channel.write(b"a\n")
                setattr(channel, name, None)

        with_channel(use)

    def test_data_refused_by_a_full_pipe_is_written_later(self, script):
        program = script(ECHO)

        async def main():
            async with larder.AsyncLarder(binary=program) as client:
                text = "x" * 900_000
                calls = [asyncio.ensure_future(client.call("a", text=text)), asyncio.ensure_future(client.call("b"))]
                await asyncio.sleep(0)
                assert len(client._channel._unwritten) > 700_000
                channel, written = client._channel, []
                channel.close_input = lambda: written.append(True)
                first, second = await asyncio.gather(*calls)
                del channel.close_input
                assert first["params"]["text"] == text and (second["method"], written) == ("b", [])
                assert channel._unwritten == b"" and not client._loop.remove_writer(channel.process.input)

        run(main())

    def test_async_close_writes_buffered_data_first(self, script):
        program = script(ECHO)

        async def main():
            client = larder.AsyncLarder(binary=program)
            call = asyncio.ensure_future(client.call("a", text="x" * 900_000))
            await asyncio.sleep(0)
            assert client._channel._unwritten
            assert await client.close() == 0 and len((await call)["params"]["text"]) == 900_000

        run(main())

    def test_killed_process_drops_buffered_data(self):
        async def use(channel):
            channel.write(b"x" * 900_000)
            assert channel._unwritten
            channel.process.kill()
            channel.process.wait(10)
            await asyncio.wait_for(asyncio.shield(channel.stopped), 10)
            assert channel._unwritten == b"" and channel.ended and channel.process._child.stdout.closed
            channel.stop()

        with_channel(use, "/bin/sh", "-c", "kill -STOP $$")

    def test_full_pipe_keeps_data_buffered(self):
        async def use(channel):
            channel.write(b"x" * 900_000)
            left = len(channel._unwritten)
            channel._writable()
            assert len(channel._unwritten) == left
            channel.close_input()
            assert channel.closing and not channel.process._child.stdin.closed
            channel._readable()
            assert not channel.stopped.done() and channel._loop.remove_reader(channel.process.output)

        with_channel(use, "/bin/sh", "-c", "kill -STOP $$")

    def test_forked_child_fails_pending_async_requests_and_observers(self):
        class Other(Waiter):
            pass

        async def use(channel):
            watch = Watch()
            watch.notify({})
            channel.listeners.update({"a": watch, "b": Other()})
            channel.pending[1] = Other()
            channel.detach_after_fork()
            assert watch.done and not watch.events and (channel.pending, channel.listeners) == ({}, {})
            assert channel.closing and channel.ended == "the larder process belongs to the parent process"

        with_channel(use)


class TestRequests:
    def test_timeout_of_a_call_overrides_the_timeout_of_the_async_client(self, script):
        program = script("for line in sys.stdin:\n    if json.loads(line)['method'] == 'b': reply(line, fine=True)\n")

        async def main():
            async with larder.AsyncLarder(binary=program, timeout=0.01) as client:
                with pytest.raises(larder.NoReply, match="^no reply to a within 0.01 seconds; raise the timeout$"):
                    await client.call("a")
                with pytest.raises(larder.NoReply, match="^no reply to a within 0.02 seconds; raise the timeout$"):
                    await client.request("a", timeout=0.02)
                for limit in (math.inf, None):
                    client.timeout = None
                    assert await client.request("b", timeout=limit) == {"fine": True}
                assert client._channel.pending == {} and client._in_flight == 0

        run(main())

    def test_progress_events_reach_their_async_request(self, script):
        program = script(
            "for line in sys.stdin:\n"
            "    params = json.loads(line)['params']\n"
            "    for number in range(2):\n"
            "        event = {'token': params['workDoneToken'], 'value': {'n': number}}\n"
            "        print(json.dumps({'method': '$/progress', 'params': event}))\n"
            "    reply(line, params=params)\n"
        )

        async def main():
            async with larder.AsyncLarder(binary=program) as client:
                for params in ({"a": 1}, None):
                    seen = []
                    found = await client.request("x", params, on_event=seen.append)
                    token = found["params"].pop("workDoneToken")
                    assert seen == [{"n": 0}, {"n": 1}] and found["params"] == (params or {}) and token
                    assert client._channel.listeners == {}

        run(main())

    def test_queued_request_is_sent_after_its_method_is_known_to_be_local(self, late_handshake):
        async def main():
            async with larder.AsyncLarder(binary=late_handshake, max_in_flight=1) as client:
                slow = asyncio.create_task(client.thing.get(1))
                local = asyncio.create_task(client.call("thing/local"))
                gone = asyncio.create_task(client.call("thing/local"))
                other = asyncio.create_task(client.thing.get(2))
                await asyncio.sleep(0)
                assert len(client._queue) == 3
                gone.cancel()
                await client.request("greet", {"cachePolicy": "localOnly"})
                await local
                assert not slow.done() and not other.done() and client._in_flight == 1
                await client.request("release", {"cachePolicy": "localOnly"})
                await asyncio.gather(slow, other)
                assert client._in_flight == 0 and not client._queue

        run(main())

    def test_cancelled_local_request_does_not_change_the_in_flight_count(self, late_handshake):
        async def main():
            async with larder.AsyncLarder(binary=late_handshake, max_in_flight=1) as client:
                slow = asyncio.create_task(client.thing.get(1))
                local = asyncio.create_task(client.call("thing/local"))
                await asyncio.sleep(0)
                [turn] = client._queue
                turn.future.add_done_callback(lambda _: local.cancel())
                await client.request("greet", {"cachePolicy": "localOnly"})
                with pytest.raises(asyncio.CancelledError):
                    await local
                assert client._in_flight == 1
                await client.request("release", {"cachePolicy": "localOnly"})
                await slow

        run(main())

    def test_unencodable_params_leave_no_pending_request(self, script):
        program = script(ECHO)

        async def main():
            async with larder.AsyncLarder(binary=program) as client:
                with pytest.raises(TypeError):
                    await client.call("a", text=object())
                assert client._channel.pending == {} and client._in_flight == 0
                assert (await client.call("b"))["id"] == 2

        run(main())

    def test_request_cancelled_when_it_leaves_the_queue_frees_its_slot(self, script):
        program = script(ECHO)

        async def main():
            async with larder.AsyncLarder(binary=program, max_in_flight=1) as client:
                first = asyncio.ensure_future(client.call("a"))
                waiting = asyncio.ensure_future(client.call("b"))
                third = asyncio.ensure_future(client.call("c"))
                await asyncio.sleep(0)
                assert client._in_flight == 1 and len(client._queue) == 2
                await first
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                assert (await third)["method"] == "c" and client._in_flight == 0

        run(main())

    def test_request_cancelled_in_the_queue_frees_no_slot(self, script):
        program = script(ECHO)

        async def main():
            async with larder.AsyncLarder(binary=program, max_in_flight=1) as client:
                first, waiting, third = (asyncio.ensure_future(client.call(method)) for method in "abc")
                await asyncio.sleep(0)
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                assert client._in_flight == 1 and not client._queue[-1].future.done()
                await first
                assert (await third)["method"] == "c" and client._in_flight == 0

        run(main())

    def test_request_refused_in_the_queue_and_then_cancelled_frees_no_slot(self, script):
        program = script(ECHO)

        async def main():
            async with larder.AsyncLarder(binary=program, max_in_flight=1) as client:
                first, waiting, third = (asyncio.ensure_future(client.call(method)) for method in "abc")
                await asyncio.sleep(0)
                client._queue[0].future.set_exception(larder.NoReply("late"))
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                assert client._in_flight == 1 and not client._queue[-1].future.done()
                await first
                assert (await third)["method"] == "c" and client._in_flight == 0

        run(main())

    def test_garbage_collected_observers_are_removed_with_the_next_request(self, script):
        program = script(
            "seen = []\nfor line in sys.stdin:\n    seen.append(json.loads(line)); reply(line, seen=seen)\n"
        )

        async def main():
            async with larder.AsyncLarder(binary=program) as client:
                changes = client.thing.observe(1)
                await changes._ensure_observing()
                name = changes._name
                del changes
                seen = (await client.call("a"))["seen"]
                assert [one["method"] for one in seen] == ["thing/observe", "thing/unobserve", "a"]
                assert seen[1]["params"] == {"observer": name} and seen[1]["id"] != seen[2]["id"]

        run(main())


class TestClosing:
    def test_close_of_an_async_client_that_was_not_started_returns_0(self):
        async def main():
            client = larder.AsyncLarder(binary="/no/such/larder")
            assert repr(client) == "<larder, not started>"
            assert await client.close() == 0
            with pytest.raises(larder.LarderClosed, match="^this client is closed; create a new one$"):
                await client.call("a")

        run(main())

    @pytest.mark.parametrize(
        "error, grace", [(None, 35.0), (ValueError, 35.0), (KeyboardInterrupt, 1.0), (asyncio.CancelledError, 1.0)]
    )
    def test_interrupted_async_close_shortens_its_grace_period(self, error, grace):
        used = []

        class Blocking(larder.Larder):
            def __init__(self):
                pass

            def close(self, grace):
                used.append(grace)

        class Async(larder.AsyncLarder):
            def __init__(self):
                pass

            async def close(self, grace):
                used.append(grace)

        Blocking().__exit__(error, None, None)
        run(Async().__aexit__(error, None, None))
        assert used == [grace, grace]

    def test_repr_of_an_async_client_shows_whether_the_process_runs(self, script):
        program = script(ECHO)

        async def main():
            async with larder.AsyncLarder(binary=program) as client:
                assert repr(client) == f"<larder process {client.pid}, running>"
            assert repr(client).endswith(", ended>")

        run(main())
        with larder.Larder(binary=program) as client:
            assert repr(client) == f"<larder process {client.pid}, running>"
        assert repr(client).endswith(", ended>")

    def test_cancelled_close_kills_the_process(self, script):
        program = script("reply(sys.stdin.readline())\nimport signal\nwhile True: signal.pause()\n")

        async def main():
            client = larder.AsyncLarder(binary=program)
            await client.call("a")
            closing = asyncio.ensure_future(client.close())
            for _ in range(3):
                await asyncio.sleep(0)
            closing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await closing
            assert client._channel.exit_timeout == 35.0
            await client._channel.stopped
            assert client._channel.process.code == -signal.SIGKILL

        run(main())

    def test_async_close_fails_a_request_in_flight(self, script):
        """A request in flight raises LarderClosed if the client is closed. It is not repeated."""
        program = script("reply(sys.stdin.readline())\nsys.stdin.read()\n")

        async def main():
            client = larder.AsyncLarder(binary=program)
            await client.call("a")
            waiting = asyncio.ensure_future(client.call("b"))
            await asyncio.sleep(0)
            assert await client.close() == 0
            with pytest.raises(larder.LarderClosed, match="^this client is closed"):
                await waiting

        run(main())

    def test_call_on_another_event_loop_is_refused(self, script):
        client = larder.AsyncLarder(binary=script(ECHO))
        run(client.call("a"))
        with pytest.raises(RuntimeError, match="belongs to another event loop"):
            run(client.call("a"))
        assert client._in_flight == 0
        assert run(client.close(grace=10)) == 0

    def test_close_on_another_event_loop_is_refused_while_the_loop_of_the_client_runs(self, script):
        client, begun, over = larder.AsyncLarder(binary=script(ECHO)), threading.Event(), threading.Event()

        async def main():
            await client.call("a")
            begun.set()
            await asyncio.get_running_loop().run_in_executor(None, over.wait)
            return await client.close()

        codes = []
        thread = threading.Thread(target=lambda: codes.append(run(main())))
        thread.start()
        begun.wait()
        with pytest.raises(RuntimeError, match="belongs to another event loop"):
            run(client.close())
        over.set()
        thread.join()
        assert codes == [0]

    def test_close_on_another_event_loop_drops_pending_requests(self, script):
        client = larder.AsyncLarder(binary=script("sys.stdin.read(); sys.exit(4)"))

        async def main():
            asyncio.ensure_future(client.call("a"))
            await asyncio.sleep(0)
            client._channel.listeners["a"] = Watch()

        run(main())
        client._channel.pending[99] = Task(None, None)
        assert run(client.close(grace=10)) == 4
        assert (client._channel.pending, client._channel.listeners) == ({}, {})
        assert client._channel.process._child.stdout.closed and "ended" in repr(client)

    def test_forked_async_client_starts_its_own_process(self, script):
        async def main():
            client = larder.AsyncLarder(binary=script(ECHO), max_in_flight=1)
            await client.call("a")
            parent, client._in_flight = client._channel, 1
            client._queue.append(asyncio.get_running_loop().create_future())
            client._after_fork()
            assert (client._channel, client._in_flight, len(client._queue)) == (None, 0, 0)
            assert parent.ended == "the larder process belongs to the parent process"
            assert (await client.call("b"))["method"] == "b" and client.pid != parent.process.pid
            assert await client.close() == 0
            parent.process.close_input()
            parent.process.wait(10)
            parent.stop()

        run(main())


class TestObservers:
    def test_observation_returns_a_change_or_times_out(self, script):
        program = script(
            "for line in sys.stdin:\n"
            "    message = json.loads(line)\n"
            "    reply(line)\n"
            "    if message['method'] == 'tell':\n"
            "        print(json.dumps({'method': 'thing/changed', 'params': message['params']}), flush=True)\n"
        )

        async def main():
            async with larder.AsyncLarder(binary=program) as client:
                async with client.thing.observe(1) as changes:
                    assert changes._name in client._channel.listeners
                    with pytest.raises(larder.NoReply, match="^no change within 0.01 seconds$"):
                        await changes.next(0.01)
                    await client.call("tell", observer=changes._name, gone=True)
                    assert (await changes.next(PATIENCE)).gone
                assert client._channel.listeners == {}
                await changes.close()
                with pytest.raises(StopAsyncIteration):
                    await changes.next()

        run(main())

    def test_refused_observation_leaves_no_listener(self, script):
        program = script(
            "for line in sys.stdin:\n"
            "    error = {'code': -32601, 'message': 'no'}\n"
            "    print(json.dumps({'id': json.loads(line)['id'], 'error': error}), flush=True)\n"
        )

        async def main():
            async with larder.AsyncLarder(binary=program) as client:
                changes = client.thing.observe(1)
                for _ in range(2):
                    with pytest.raises(larder.MethodNotFound):
                        await changes.next()
                    assert client._channel.listeners == {} and changes._watch is None
                await changes.close()

        run(main())
