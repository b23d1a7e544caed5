"""Frameworks for agents. Each host is a context of `(schemas, call)`."""

import asyncio
import contextlib
import json

from sdks import parameters


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


def pydantic_ai(profile):
    """Calls tools through an agent whose model is a function. `profile` names the model provider whose schemas it gets.

    OpenAI's profile closes objects whose members have no schema. Google's profile changes descriptions and formats.
    """

    @contextlib.asynccontextmanager
    async def host(command):
        from fastmcp.client.transports import StdioTransport
        from pydantic_ai import Agent
        from pydantic_ai.mcp import MCPToolset
        from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
        from pydantic_ai.models.function import FunctionModel
        from pydantic_ai.profiles import google, openai

        chosen = {"openai": openai.openai_model_profile("gpt-5"), "google": google.google_model_profile("gemini-3-pro")}
        shown, wanted, outcomes = {}, [], []

        def answer(messages, info):
            shown.update({tool.name: tool.parameters_json_schema for tool in info.function_tools})
            for part in messages[-1].parts:
                if isinstance(part, (ToolReturnPart, RetryPromptPart)):
                    is_ok = isinstance(part, ToolReturnPart) and part.outcome == "success"
                    is_result = isinstance(part, ToolReturnPart)
                    outcomes.append((is_ok, part.model_response_str() if is_result else part.model_response()))
            parts = [ToolCallPart(*wanted.pop())] if wanted else [TextPart("done")]
            return ModelResponse(parts=parts)

        transport = StdioTransport(command=command[0], args=command[1:], keep_alive=False)
        toolset = MCPToolset(transport, max_retries=3)
        agent = Agent(FunctionModel(answer, profile=chosen[profile]), toolsets=[toolset])

        async def call(tool, arguments):
            wanted.append((tool, arguments))
            await agent.run("Call the tool.")
            return outcomes.pop()

        async with toolset:
            await agent.run("Read the list of tools.")
            yield shown, call

    return host


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
    from agno.tools.function import FunctionCall
    from agno.tools.mcp import MCPTools

    # Its `command` accepts only a few launchers, such as npx.
    async with MCPTools(server_params=parameters(command), transport="stdio") as tools:

        async def call(tool, arguments):
            done = await FunctionCall(function=tools.functions[tool], arguments=arguments).aexecute()
            words = str(done.error or getattr(done.result, "content", done.result))
            return done.status == "success" and words.startswith("{"), words

        yield {name: function.parameters for name, function in tools.functions.items()}, call


HOSTS = {
    "openai-agents": openai_agents(is_strict=False),
    "openai-agents-strict": openai_agents(is_strict=True),
    "pydantic-ai": pydantic_ai("openai"),
    "pydantic-ai-google": pydantic_ai("google"),
    "smolagents": smolagents,
    "autogen": autogen,
    "crewai": crewai,
    "agno": agno,
}
