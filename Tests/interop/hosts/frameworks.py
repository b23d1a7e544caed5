"""Frameworks that convert MCP tools to tool objects of their own. Each host is a context of `(schemas, call)`."""

import contextlib
import json

from sdks import parameters, session, text


@contextlib.asynccontextmanager
async def langchain(command, convert=None):
    from langchain_mcp_adapters.tools import load_mcp_tools

    async with session(command) as found:
        tools = {tool.name: tool for tool in await load_mcp_tools(found)}

        async def call(tool, arguments):
            answer = await tools[tool].ainvoke(arguments)
            words = answer if isinstance(answer, str) else "".join(block.get("text", "") for block in answer)
            return words.startswith("{"), words

        yield {name: convert(tool) if convert else tool.args_schema for name, tool in tools.items()}, call


@contextlib.asynccontextmanager
async def langchain_gemini(command):
    from langchain_google_genai._function_utils import convert_to_genai_function_declarations

    def convert(tool):
        (found,) = convert_to_genai_function_declarations([tool])
        declaration = found.function_declarations[0] if hasattr(found, "function_declarations") else found
        return json.loads(declaration.parameters.model_dump_json(exclude_none=True))

    async with langchain(command, convert) as found:
        yield found


@contextlib.asynccontextmanager
async def google_adk(command):
    from google.adk.agents import LlmAgent
    from google.adk.agents.invocation_context import InvocationContext
    from google.adk.sessions import InMemorySessionService
    from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
    from google.adk.tools.tool_context import ToolContext

    toolset = McpToolset(connection_params=StdioConnectionParams(server_params=parameters(command), timeout=60))
    try:
        tools = {tool.name: tool for tool in await toolset.get_tools()}

        sessions = InMemorySessionService()
        invocation = InvocationContext(
            session_service=sessions, invocation_id="1", agent=LlmAgent(name="agent"),
            session=await sessions.create_session(app_name="larder", user_id="1"),
        )

        async def call(tool, arguments):
            found = await tools[tool].run_async(args=arguments, tool_context=ToolContext(invocation))
            is_ok = "error" not in found and not found.get("isError")
            return is_ok, found.get("error") or "".join(block.get("text", "") for block in found["content"])

        def schema(tool):
            declaration = tool._get_declaration().model_dump(mode="json", exclude_none=True)
            return declaration.get("parameters") or declaration["parameters_json_schema"]

        yield {name: schema(tool) for name, tool in tools.items()}, call
    finally:
        await toolset.close()


@contextlib.asynccontextmanager
async def llama_index(command):
    from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

    client = BasicMCPClient(command[0], args=command[1:])
    tools = {tool.metadata.name: tool for tool in await McpToolSpec(client=client).to_tool_list_async()}

    async def call(tool, arguments):
        found = await tools[tool].acall(**arguments)
        return text(found.raw_output)

    yield {name: tool.metadata.get_parameters_dict() for name, tool in tools.items()}, call


@contextlib.asynccontextmanager
async def dspy(command):
    import dspy as framework

    async with session(command) as found:
        tools = {
            tool.name: framework.Tool.from_mcp_tool(found, tool) for tool in (await found.list_tools()).tools
        }

        async def call(tool, arguments):
            words = await tools[tool].acall(**arguments)
            return True, words if isinstance(words, str) else "".join(words)

        yield {name: {"properties": tool.args} for name, tool in tools.items()}, call


@contextlib.asynccontextmanager
async def semantic_kernel(command):
    from semantic_kernel import Kernel
    from semantic_kernel.connectors.mcp import MCPStdioPlugin

    async with MCPStdioPlugin(name="larder", command=command[0], args=command[1:]) as plugin:
        functions = Kernel().add_plugin(plugin).functions

        async def call(tool, arguments):
            found = await plugin.call_tool(tool, **arguments)
            words = "".join(getattr(part, "text", "") for part in found)
            return words.startswith("{"), words

        yield {
            name: {"properties": {one.name: one.schema_data for one in function.parameters}}
            for name, function in functions.items()
        }, call


HOSTS = {
    "langchain": langchain,
    "langchain-gemini": langchain_gemini,
    "google-adk": google_adk,
    "llama-index": llama_index,
    "dspy": dspy,
    "semantic-kernel": semantic_kernel,
}
