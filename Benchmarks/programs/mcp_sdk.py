"""A server of the official SDK with the tool that `Benchmarks/mcp` calls. It runs with versions 1 and 2 of the SDK."""
import json
import sys
from typing import Any

try:
    from mcp.server import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server

with open(sys.argv[1], encoding="utf-8") as file:
    ITEMS = {1: json.load(file)}
server = Server("dict")


@server.tool()
def get_item(resource: str, id: int) -> dict[str, Any]:
    """Returns one item by its id."""
    return {"item": ITEMS[id], "source": "memory"}


server.run()
