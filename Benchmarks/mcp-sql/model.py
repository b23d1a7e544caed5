"""A scripted model: it calls the tools of one MCP server, and counts its calls and characters."""
import json
import os
import subprocess

from bench import LIMIT, Fault

# The members of a tool that hosts show to the model.
SHOWN = ("name", "description", "inputSchema")


class Model:
    """A model with its server, which runs until the end of the `with` statement."""

    def __init__(self, command, variables=()):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, **pipes, env={**os.environ, **dict(variables)})
        self.last = self.calls = self.characters = 0
        client = {"name": "bench", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"method": "notifications/initialized"})
        self.tools = self.request("tools/list", {})["tools"]

    def send(self, message):
        self.process.stdin.write((json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
        self.process.stdin.flush()

    def request(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while line := self.process.stdout.readline():
            reply = json.loads(line)
            if reply.get("id") == self.last:
                if "result" not in reply:
                    raise Fault(f"{method}: error reply: {line.decode()[:500]}")
                return reply["result"]
        raise Fault(f"{method}: no reply")

    def call(self, tool, **arguments):
        """Calls the tool whose name ends with `tool`. Returns the JSON that a model reads; None for an error."""
        name = next(one["name"] for one in self.tools if one["name"].endswith(tool))
        call = {"name": name, "arguments": arguments}
        result = self.request("tools/call", call)
        text = "".join(block.get("text", "") for block in result["content"])
        self.calls += 1
        self.characters += length(call) + len(text)
        return None if result.get("isError") else json.loads(text)

    def list_length(self):
        return sum(length({key: tool[key] for key in SHOWN if key in tool}) for tool in self.tools)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def length(value):
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False))
