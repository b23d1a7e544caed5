"""Loads Larder's tools in one framework, calls them and prints the outcome as JSON: `drive.py HOST CALLS COMMAND...`.

Runs in the environment of the host. CALLS is a JSON array of `[tool, arguments]`. The last line of the output is
`{"schemas": {tool: schema}, "outcomes": [[is_ok, text]], "loaded": {catalog: count}}`. Each schema is as the framework
converts it for a model. `LARDER_CATALOGS` names the catalogs that are only loaded.
"""

import asyncio
import json
import os
import sys

import agent_hosts
import frameworks
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


async def main(host, calls, command):
    async with HOSTS[host](command) as (schemas, call):
        outcomes = [await outcome(call, tool, arguments) for tool, arguments in calls]
    loaded = {}
    for catalog in os.environ.get("LARDER_CATALOGS", "").split():
        async with HOSTS[host]([*command, "--catalog", catalog]) as (found, _):
            loaded[catalog] = len(found)
    print(json.dumps({"schemas": schemas, "outcomes": outcomes, "loaded": loaded}, default=str))


asyncio.run(main(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]))
