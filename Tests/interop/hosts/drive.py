"""Loads Larder's tools in one framework, calls them and prints the outcome as JSON: `drive.py HOST SESSIONS`.

Runs in the environment of the host. SESSIONS is a JSON array of `[command, good, bad]`: the command of the server and
two arrays of `[tool, arguments]`. The last line of the output is an object. `sessions` has an object for each session:
`schemas` has the schema of each tool as the framework converts it for a model. `arguments` has the arguments of the
good calls, with those that the schemas require. `outcomes` has `[is_ok, text]` for each call. `loaded` has the number
of tools by catalog, for the catalogs in the variable `LARDER_CATALOGS`.
"""

import asyncio
import json
import os
import sys

import agent_hosts
import frameworks
import obedience
import sdks

HOSTS = {**sdks.HOSTS, **agent_hosts.HOSTS, **frameworks.HOSTS}


async def outcome(call, tool, arguments):
    """Returns whether a call succeeded, and what the model gets. Frameworks return errors as texts or raise them."""
    try:
        return await call(tool, arguments)
    except Exception as error:
        while getattr(error, "exceptions", None):  # A group, of a host that starts a process for each call.
            error = error.exceptions[0]
        return False, f"{type(error).__name__}: {error}"


async def session(host, command, good, bad):
    async with HOSTS[host](command) as (schemas, call):
        good = [(tool, obedience.obedient(schemas[tool], arguments)) for tool, arguments in good]
        outcomes = [await outcome(call, tool, arguments) for tool, arguments in [*good, *bad]]
    return {"schemas": schemas, "arguments": [arguments for _, arguments in good], "outcomes": outcomes}


async def main(host, sessions):
    done = [await session(host, *one) for one in sessions]
    command = sessions[0][0]
    loaded = {}
    for catalog in os.environ.get("LARDER_CATALOGS", "").split():
        async with HOSTS[host]([*command, "--catalog", catalog]) as (found, _):
            loaded[catalog] = len(found)
    print(json.dumps({"sessions": done, "loaded": loaded}, default=str))


asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
