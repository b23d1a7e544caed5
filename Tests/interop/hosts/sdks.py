"""The official Python SDK, fastmcp, mcp-use and google-genai. Each host is a context of `(schemas, call)`."""

import contextlib
import json


def text(result):
    """Returns whether the result of a call is a success, and the text of the result."""
    is_error = getattr(result, "isError", None) or getattr(result, "is_error", False)
    return not is_error, "".join(getattr(block, "text", "") for block in result.content)


def schemas(tools):
    return {tool.name: tool.model_dump(by_alias=True, mode="json")["inputSchema"] for tool in tools}


def parameters(command):
    from mcp import StdioServerParameters

    return StdioServerParameters(command=command[0], args=command[1:])


@contextlib.asynccontextmanager
async def session(command):
    """A context with an initialized session of the official SDK."""
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client

    async with stdio_client(parameters(command)) as streams, ClientSession(*streams) as found:
        await found.initialize()
        yield found


@contextlib.asynccontextmanager
async def sdk(command):
    async with session(command) as found:

        async def call(tool, arguments):
            return text(await found.call_tool(tool, arguments))

        yield schemas((await found.list_tools()).tools), call


@contextlib.asynccontextmanager
async def sdk2(command):
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

    async with Client(StdioServerParameters(command=command[0], args=command[1:]), mode="auto") as client:

        async def call(tool, arguments):
            return text(await client.session.call_tool(tool, arguments))

        yield schemas((await client.session.list_tools()).tools), call


@contextlib.asynccontextmanager
async def fastmcp(command):
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    async with Client(StdioTransport(command=command[0], args=command[1:], keep_alive=False)) as client:

        async def call(tool, arguments):
            result = await client.call_tool(tool, arguments)
            return True, "".join(getattr(block, "text", "") for block in result.content)

        yield schemas(await client.list_tools()), call


@contextlib.asynccontextmanager
async def mcp_use(command):
    from mcp_use import MCPClient

    client = MCPClient({"mcpServers": {"larder": {"command": command[0], "args": command[1:]}}})
    try:
        found = await client.create_session("larder")

        async def call(tool, arguments):
            return text(await found.call_tool(tool, arguments))

        yield schemas(await found.list_tools()), call
    finally:
        await client.close_all_sessions()


@contextlib.asynccontextmanager
async def google_genai(command):
    from google.genai import _extra_utils, types

    async with session(command) as found:
        config, adapters = await _extra_utils.parse_config_for_mcp_sessions(types.GenerateContentConfig(tools=[found]))
        declarations = [one for tool in config.tools for one in tool.function_declarations]

        async def call(tool, arguments):
            """Answers a function call of a model, as the client does."""
            part = types.Part(function_call=types.FunctionCall(name=tool, args=arguments))
            candidate = types.Candidate(content=types.Content(parts=[part]))
            response = types.GenerateContentResponse(candidates=[candidate])
            (answer,) = await _extra_utils.get_function_response_parts_async(response, adapters)
            content = answer.function_response.response
            if isinstance(content.get("error"), str):
                return False, content["error"]
            return text(content.get("result") or content["error"])

        yield {one.name: json.loads(one.parameters.model_dump_json(exclude_none=True)) for one in declarations}, call


HOSTS = {
    "mcp-1.2": sdk,
    "mcp-1.9": sdk,
    "mcp-1.30": sdk,
    "mcp-2": sdk2,
    "fastmcp-2": fastmcp,
    "fastmcp-4": fastmcp,
    "mcp-use": mcp_use,
    "google-genai": google_genai,
}
