"""jsonrpcclient, which creates requests and parses replies. Its user provides the transport: here, lines."""

import json
import os
import pathlib
import subprocess

from jsonrpcclient import Error, Ok, notification_json, parse, parse_json, request, request_json


def session(plan):
    process = subprocess.Popen(plan["command"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(line):
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()

    def reply(kind):
        found = parse_json(process.stdout.readline())
        assert isinstance(found, kind), found
        return found

    def ask(method, params=None):
        send(request_json(method, params))
        return reply(Ok).result

    def refused():
        error = reply(Error)
        return {"code": error.code, "message": error.message, "data": error.data}

    seen = {"initialize": ask("initialize", {"processId": os.getpid()})}
    send(notification_json("initialized"))

    # Two requests as a batch, whose replies may come in any order.
    batch = [request("character/get", {"id": 1}, id="get"), request("character/list", {"page": 1}, id="list")]
    send(json.dumps(batch))
    seen.update((one.id, one.result) for one in parse(json.loads(process.stdout.readline())))

    send(request_json("character/get", {"id": 2, "cachePolicy": "none"}, id="held"))
    seen["gate"] = ask("location/get", {"id": 1})
    send(notification_json("$/cancelRequest", {"id": "held"}))
    seen["cancelled"] = refused()

    send(request_json("character/get", {"id": 99999}))
    seen["notFound"] = refused()
    seen["recents"] = ask("recents/add", {"text": plan["text"]})
    seen["shutdown"] = ask("shutdown")
    send(notification_json("exit"))
    assert process.stdout.read() == b""
    seen["exitCode"] = process.wait()
    return seen


plan = json.loads(pathlib.Path(os.environ["LARDER_INTEROP"]).read_text())
pathlib.Path(plan["results"]).write_text(json.dumps(session(plan)))
