"""Frameworks for agents. Each host is a context of `(schemas, call)`."""

import asyncio
import contextlib
import json

from sdks import parameters, schemas, session, text


def openai_agents(is_strict):
    @contextlib.asynccontextmanager
    async def host(command):
        from agents.mcp import MCPServerStdio, MCPUtil
        from agents.tool_context import ToolContext

        async with MCPServerStdio(params={"command": command[0], "args": command[1:]}) as server:
            tools = {
                tool.name: MCPUtil.to_function_tool(tool, server, is_strict) for tool in await server.list_tools()
            }

            async def call(tool, arguments):
                given = json.dumps(arguments)
                context = ToolContext(
                    context=None, tool_name=tool, tool_call_id="1", tool_arguments=given
                )
                found = await tools[tool].on_invoke_tool(context, given)
                words = found.get("text", str(found)) if isinstance(found, dict) else str(found)
                return words.startswith("{"), words

            yield {name: tool.params_json_schema for name, tool in tools.items()}, call

    return host


@contextlib.asynccontextmanager
async def pydantic_ai(command):
    from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

    async with session(command) as found:
        listed = schemas((await found.list_tools()).tools)

        async def call(tool, arguments):
            return text(await found.call_tool(tool, arguments))

        # The profile of OpenAI closes objects whose members have no schema.
        yield {name: OpenAIJsonSchemaTransformer(schema, strict=None).walk() for name, schema in listed.items()}, call


@contextlib.asynccontextmanager
async def smolagents(command):
    from smolagents import MCPClient

    client = await asyncio.to_thread(MCPClient, parameters(command), structured_output=False)
    try:
        tools = {tool.name: tool for tool in client.get_tools()}

        async def call(tool, arguments):
            words = str(await asyncio.to_thread(lambda: tools[tool](**arguments)))
            return words.startswith("{"), words

        yield {name: {"properties": tool.inputs} for name, tool in tools.items()}, call
    finally:
        await asyncio.to_thread(client.disconnect)


@contextlib.asynccontextmanager
async def autogen(command):
    from autogen_core import CancellationToken
    from autogen_ext.tools.mcp import StdioServerParams, mcp_server_tools

    server = StdioServerParams(command=command[0], args=command[1:])
    tools = {tool.name: tool for tool in await mcp_server_tools(server)}

    async def call(tool, arguments):
        found = await tools[tool].run_json(arguments, CancellationToken())
        # The text has the blocks of the answer as JSON.
        return True, "".join(block["text"] for block in json.loads(tools[tool].return_value_as_string(found)))

    yield {name: tool.schema["parameters"] for name, tool in tools.items()}, call


@contextlib.asynccontextmanager
async def crewai(command):
    from crewai_tools import MCPServerAdapter

    adapter = await asyncio.to_thread(MCPServerAdapter, parameters(command))
    try:
        tools = {tool.name: tool for tool in adapter.tools}

        async def call(tool, arguments):
            words = str(await asyncio.to_thread(lambda: tools[tool].run(**arguments)))
            return words.startswith("{"), words

        yield {name: tool.args_schema.model_json_schema() for name, tool in tools.items()}, call
    finally:
        await asyncio.to_thread(adapter.stop)


@contextlib.asynccontextmanager
async def agno(command):
    from agno.tools.mcp import MCPTools

    # Its `command` accepts only a few launchers, such as npx.
    async with MCPTools(server_params=parameters(command), transport="stdio") as tools:

        async def call(tool, arguments):
            return text(await tools.session.call_tool(tool, arguments))

        yield {name: function.parameters for name, function in tools.functions.items()}, call


HOSTS = {
    "openai-agents": openai_agents(is_strict=False),
    "openai-agents-strict": openai_agents(is_strict=True),
    "pydantic-ai": pydantic_ai,
    "smolagents": smolagents,
    "autogen": autogen,
    "crewai": crewai,
    "agno": agno,
}
