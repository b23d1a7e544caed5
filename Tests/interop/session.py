"""A session that third-party clients run with larder, and the results that each of them must see.

A client is a script of this folder. The variable LARDER_INTEROP names a JSON file with these members:

* `command`: the program and its arguments
* `text`: a text with characters that are difficult for framings and JSON codecs
* `results`: the path of the file for the client's results

The client starts the command. Then it performs these steps with its own functions only:

1. `initialize`, and the notification `initialized`
2. `character/get` of 1
3. `character/list` of page 1; the name of its third item is the text
4. `character/get` of 2 with `cachePolicy` `none`, which the API does not answer. `location/get` of 1 is answered as
  soon as that request has reached the API. Then `$/cancelRequest`, and the reply to the cancelled request.
5. `character/get` of 99999, which does not exist
6. `recents/add` of the text
7. `shutdown`, `exit`, and the exit of the process

The client writes one JSON object with the members `initialize`, `get`, `list`, `gate`, `recents` and `shutdown`
(results), `cancelled` and `notFound` (errors) and `exitCode`. It exits with code 0.
"""

import json
import pathlib
import subprocess

import pytest

from harness import PATIENCE, binary, environment

HERE = pathlib.Path(__file__).resolve().parent
TEXT = 'é ñ \u0085 \u2028 \u2029 \u00a0 日本語 🦜 e\u0301 👩\u200d🚀 "quoted" \\ / \t \r\n end'


def drive(client, home, upstream, places, **variables):
    """Runs a client until it exits, and returns its results."""
    upstream.edit("character", 3, name=TEXT)
    held, gate = upstream.hold("/api/character/2"), upstream.hold("/api/location/1")
    command = [binary(), *places, "--base-url", f"rickandmorty={upstream.url}"]
    plan, results, output = (home / name for name in ("plan.json", "results.json", "output"))
    plan.write_text(json.dumps({"command": command, "text": TEXT, "results": str(results)}))
    with open(output, "wb") as file:
        process = subprocess.Popen(
            client,
            cwd=home,
            env=environment(home, {**variables, "LARDER_INTEROP": str(plan)}),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
    try:
        held.wait()
        gate.release()
        code = process.wait(2 * PATIENCE)  # leaves the client time to report what is missing
    except (AssertionError, subprocess.TimeoutExpired) as reason:
        pytest.fail(f"{reason}; the client says: {said(output)}")
    finally:
        process.kill()
        process.wait()
    assert code == 0 and results.exists(), f"exit code {code}; the client says: {said(output)}"
    return json.loads(results.read_text(encoding="utf-8"))


def said(output):
    return output.read_text(encoding="utf-8", errors="replace")[-3000:]


def check(seen, command, places):
    server = seen["initialize"]["serverInfo"]
    assert server["name"] == "larder" and server["version"] in command("--version").stdout.decode()
    assert seen["get"]["item"]["name"] == "Rick Sanchez" and seen["get"]["source"] == "remote"
    assert [item["id"] for item in seen["list"]["items"]] == list(range(1, 21))
    assert seen["list"]["items"][2]["name"] == TEXT
    assert seen["list"]["page"]["current"] == 1 and seen["list"]["page"]["next"] == 2
    assert seen["gate"]["item"]["id"] == 1
    assert seen["cancelled"]["code"] == -32800
    assert seen["notFound"]["code"] == -31003 and seen["notFound"]["data"]["kind"] == "notFound"
    assert seen["recents"] == {"recents": [TEXT]}
    assert seen["shutdown"] is None
    assert seen["exitCode"] == 0
    # A client's decoder may hide an error of its encoder; this command uses larder's own client.
    assert json.loads(command("call", "recents/list", *places).stdout) == {"recents": [TEXT]}
