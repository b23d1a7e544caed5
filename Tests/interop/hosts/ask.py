"""An agent of pydantic-ai answers the questions of Benchmarks/mcp-sql/questions.py: `ask.py LARDER FOLDER`.

The agent's model is a function that calls Larder's tools with the strategy of the question. Each question has a new
cache in FOLDER. The last line of the output is an object as JSON. For each question, it has the answer and the number
of calls without SQL, and the same with SQL.
"""

import asyncio
import http.server
import json
import pathlib
import sys
import threading

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

BENCHMARKS = pathlib.Path(__file__).resolve().parents[3] / "Benchmarks"
sys.path += [str(BENCHMARKS / name) for name in ("", "sql", "sync", "mcp-sql")]
from questions import TEXTS, strategy  # noqa: E402
from tickets import Handler, catalog  # noqa: E402


async def ask(question, is_sql, command):
    steps, calls = strategy(question, is_sql), []

    def model(messages, info):
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        try:
            tool, arguments = steps.send(json.loads(returned[0].model_response_str()) if returned else None)
        except StopIteration as end:
            return ModelResponse(parts=[TextPart(json.dumps(end.value))])
        assert tool in [one.name for one in info.function_tools]
        calls.append(tool)
        return ModelResponse(parts=[ToolCallPart(tool, arguments)])

    transport = StdioTransport(command=command[0], args=command[1:], keep_alive=False)
    agent = Agent(FunctionModel(model), toolsets=[MCPToolset(transport)])
    async with agent:
        answer = await agent.run(TEXTS[question])
    return json.loads(answer.output), len(calls)


async def main(larder, folder):
    found = {}
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.tickets = 500
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path = folder / "catalog.json"
        path.write_text(json.dumps(catalog(f"http://127.0.0.1:{server.server_port}")), encoding="utf-8")
        for question, text in TEXTS.items():
            found[text] = []
            for is_sql in False, True:
                place = str(folder / f"{question}-{is_sql}")
                command = [larder, "--catalog", str(path), "--cache-dir", place, "--data-dir", place]
                found[text] += await ask(question, is_sql, command)
        server.shutdown()
    print(json.dumps(found))


asyncio.run(main(sys.argv[1], pathlib.Path(sys.argv[2])))
