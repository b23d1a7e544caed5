"""A session of the official Python SDK; hides the differences between SDK 1.x and 2.x."""

import asyncio
import json
import urllib.request

import anyio
from pydantic import AnyUrl

try:
    import mcp_types as types
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters
    from mcp.shared.exceptions import MCPError
except ImportError:
    Client = None
    from mcp import ClientSession, StdioServerParameters, types
    from mcp.client.stdio import stdio_client
    from mcp.shared.exceptions import McpError as MCPError


def dump(model):
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


class Drive:
    """A client in one mode. `told` lists the notifications received, `faults` the messages that could not be
    decoded."""

    def __init__(self, mode):
        self.mode, self.stateless = mode, mode in ("auto", "2026-07-28")
        self.told, self.faults = [], []
        self.changed = asyncio.Event()

    async def handle(self, message):
        message = getattr(message, "root", message)
        if isinstance(message, Exception):
            self.faults.append(repr(message))
        elif hasattr(message, "method"):
            self.told.append(dump(message))
            self.changed.set()

    async def connect(self, stack, command):
        server = StdioServerParameters(command=command[0], args=command[1:])
        if Client:
            self.client = await stack.enter_async_context(Client(server, mode=self.mode, message_handler=self.handle))
            self.session, version = self.client.session, self.client.protocol_version
            instructions = self.client.instructions
        else:
            streams = await stack.enter_async_context(stdio_client(server))
            self.client = await stack.enter_async_context(ClientSession(*streams, message_handler=self.handle))
            self.session = self.client
            opened = await self.session.initialize()
            version, instructions = opened.protocolVersion, opened.instructions
        assert version == ("2026-07-28" if self.stateless else "2025-11-25"), version
        # A client with a fixed version sends no first request, so it has no instructions.
        assert self.mode == "2026-07-28" or 0 < len(instructions) <= 2000

    def uri(self, text):
        return text if Client else AnyUrl(text)

    async def call(self, tool, **arguments):
        result = dump(await self.client.call_tool(tool, arguments))
        assert not result.get("isError"), result
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]

    async def read(self, uri, **more):
        (content,) = dump(await self.client.read_resource(self.uri(uri), **more))["contents"]
        return json.loads(content["text"])

    async def refused(self, code, awaitable):
        try:
            said = dump(await awaitable)
        except MCPError as error:
            assert error.error.code == code, error.error
        else:
            raise AssertionError(f"a result: {said}")

    async def cancel(self, task):
        """Cancels the call that was sent last."""
        if not Client:
            # SDK 1.x sends no cancellation of its own.
            params = types.CancelledNotificationParams(requestId=self.session._request_id - 1)
            notice = types.CancelledNotification(method="notifications/cancelled", params=params)
            await self.session.send_notification(types.ClientNotification(notice))
        task.cancel()
        await asyncio.wait([task])


class API:
    """The control interface of upstream.py."""

    def __init__(self, url):
        self.url = url

    async def control(self, path, **body):
        data = json.dumps(body).encode() if body else None
        answer = await asyncio.to_thread(urllib.request.urlopen, self.url + path, data, 20)
        return json.loads(answer.read())

    async def was_asked(self, path, aborted=False):
        """Waits until the upstream has received a request for the path. With `aborted`, until the requester has
        disconnected."""
        with anyio.fail_after(20):
            while True:
                found = [one for one in await self.control("/_log") if one["path"].startswith(path)]
                if any(bool(one.get("aborted")) or not aborted for one in found):
                    return
                await anyio.sleep(0.01)
