"""pygls with lsprotocol: `Content-Length` framing, asyncio, typed messages where LSP has types for them."""

import asyncio
import json
import os
import pathlib

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient


def plain(value):
    """Converts the named tuples of pygls to dictionaries. pygls makes them from objects without an LSP type."""
    if hasattr(value, "_asdict"):
        return {key: plain(inner) for key, inner in value._asdict().items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


async def refused(reply):
    try:
        raise AssertionError(f"expected an error, got {await reply}")
    except JsonRpcException as error:
        return {"code": error.code, "message": error.message, "data": error.data}


async def session(plan):
    client = LanguageClient("interop", "1")
    await client.start_io(*plan["command"])
    request = client.protocol.send_request_async

    async def ask(method, params):
        return plain(await request(method, params))

    seen = {}

    params = types.InitializeParams(process_id=os.getpid(), capabilities=types.ClientCapabilities())
    server = (await client.initialize_async(params)).server_info
    seen["initialize"] = {"serverInfo": {"name": server.name, "version": server.version}}
    client.initialized(types.InitializedParams())

    seen["get"] = await ask("character/get", {"id": 1})
    seen["list"] = await ask("character/list", {"page": 1})

    held = request("character/get", {"id": 2, "cachePolicy": "none"}, msg_id="held")
    seen["gate"] = await ask("location/get", {"id": 1})
    client.cancel_request(types.CancelParams(id="held"))
    seen["cancelled"] = await refused(held)

    seen["notFound"] = await refused(request("character/get", {"id": 99999}))
    seen["recents"] = await ask("recents/add", {"text": plan["text"]})

    seen["shutdown"] = await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    seen["exitCode"] = client._server.returncode
    return seen


plan = json.loads(pathlib.Path(os.environ["LARDER_INTEROP"]).read_text())
pathlib.Path(plan["results"]).write_text(json.dumps(asyncio.run(session(plan))))
