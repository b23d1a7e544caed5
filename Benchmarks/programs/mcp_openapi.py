"""An MCP server that fastmcp generates from an OpenAPI document: `mcp_openapi.py DOCUMENT`."""
import json
import sys

from fastmcp import FastMCP

with open(sys.argv[1], encoding="utf-8") as file:
    FastMCP.from_openapi(openapi_spec=json.load(file)).run(show_banner=False)
