"""python-lsp-jsonrpc: `Content-Length` framing, threads and futures."""

import json
import os
import pathlib
import subprocess
import threading

from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.exceptions import JsonRpcException
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

WAIT = 30  # seconds until a missing reply is a failure


def refused(future):
    try:
        raise AssertionError(f"expected an error, got {future.result(WAIT)}")
    except JsonRpcException as error:
        return error.to_dict()


def session(plan):
    process = subprocess.Popen(plan["command"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ids = iter(range(1, 100))
    endpoint = Endpoint({}, JsonRpcStreamWriter(process.stdin).write, id_generator=lambda: next(ids))
    reader = threading.Thread(target=JsonRpcStreamReader(process.stdout).listen, args=(endpoint.consume,), daemon=True)
    reader.start()

    def ask(method, params=None):
        return endpoint.request(method, params).result(WAIT)

    seen = {"initialize": ask("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})}
    endpoint.notify("initialized", {})
    seen["get"] = ask("character/get", {"id": 1})
    seen["list"] = ask("character/list", {"page": 1})

    held = endpoint.request("character/get", {"id": 2, "cachePolicy": "none"})  # id 4
    seen["gate"] = ask("location/get", {"id": 1})
    # Do not use held.cancel(): the endpoint then fails on the reply that every cancelled request gets.
    endpoint.notify("$/cancelRequest", {"id": 4})
    seen["cancelled"] = refused(held)

    seen["notFound"] = refused(endpoint.request("character/get", {"id": 99999}))
    seen["recents"] = ask("recents/add", {"text": plan["text"]})
    seen["shutdown"] = ask("shutdown")
    endpoint.notify("exit")
    seen["exitCode"] = process.wait(WAIT)
    reader.join(WAIT)
    endpoint.shutdown()
    return seen


plan = json.loads(pathlib.Path(os.environ["LARDER_INTEROP"]).read_text())
pathlib.Path(plan["results"]).write_text(json.dumps(session(plan)))
