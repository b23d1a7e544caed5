"""A client for both versions of the Model Context Protocol: with a handshake, and stateless. It checks each result."""

import json
from typing import Any, Dict, List

import jsonschema

from harness import Larder, Message, RPCError

P = "io.modelcontextprotocol/"
STATELESS = "2026-07-28"
HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
LATEST = HANDSHAKES[-1]
ERAS = [STATELESS, LATEST]
META = {P + "protocolVersion": STATELESS, P + "clientCapabilities": {}}
# The methods whose results a client of the stateless protocol may cache.
KEPT = {"server/discover", "tools/list", "resources/list", "resources/templates/list", "resources/read"}
NOT_FOUND = {STATELESS: -32602, LATEST: -32002}
UPDATED = "notifications/resources/updated"
LISTS_CHANGED = ["notifications/tools/list_changed", "notifications/resources/list_changed"]


class Client:
    """A client of one protocol version. It performs the handshake if the version has one."""

    def __init__(self, larder: Larder, era: str, **capabilities: Any):
        self.larder, self.era, self.stateless = larder, era, era == STATELESS
        self.asked: Dict[str, str] = {}  # the methods of the requests in flight, by id
        self.schemas: Dict[str, Any] = {}  # the schemas of the tools' answers, by name
        if not self.stateless:
            self.opened = self.result("initialize", **hello(era))
            larder.notify("notifications/initialized")

    def send(self, method: str, /, meta: Any = None, id: Any = "next", **params: Any) -> Any:
        meta = {**(META if self.stateless else {}), **(meta or {})}
        id = self.larder.send(method, {**params, **({"_meta": meta} if meta else {})} or None, id)
        self.asked[json.dumps(id)] = method
        return id

    def wait(self, id: Any) -> Message:
        reply = self.larder.wait(id)
        if "result" in reply:
            check(reply["result"], self.asked[json.dumps(id)], self.stateless)
        return reply

    def result(self, method: str, /, **params: Any) -> Message:
        reply = self.wait(self.send(method, **params))
        if "error" in reply:
            raise RPCError(reply["error"])
        return reply["result"]

    def error(self, method: str, /, **params: Any) -> RPCError:
        return Larder.refusal(self.wait(self.send(method, **params)))

    # Tools

    def send_tool(self, tool: str, /, meta: Any = None, **arguments: Any) -> Any:
        return self.send("tools/call", meta=meta, name=tool, arguments=arguments)

    def tool(self, tool: str, /, **arguments: Any) -> Message:
        """Returns the structured content of a successful call. It must match the tool's schema."""
        content = outcome(self.result("tools/call", name=tool, arguments=arguments))
        jsonschema.validate(content, self.output_schemas()[tool])
        return content

    def output_schemas(self) -> Dict[str, Any]:
        if not self.schemas:
            self.schemas = {tool["name"]: tool["outputSchema"] for tool in self.result("tools/list")["tools"]}
        return self.schemas

    def refusal(self, tool: str, /, **arguments: Any) -> str:
        """Returns the error message of a failed call."""
        result = self.result("tools/call", name=tool, arguments=arguments)
        assert result["isError"] is True and "structuredContent" not in result, result
        return text(result)

    def walk(self, **arguments: Any) -> List[Message]:
        """Returns the answers of `list_items`, from the first page to the last."""
        answers = [self.tool("list_items", **arguments)]
        while (next := answers[-1]["page"]["next"]) is not None:
            answers.append(self.tool("list_items", **arguments, page=next))
            assert len(answers) < 1000, "the pagination does not end"
        return answers

    # Resources

    def read(self, uri: str) -> Any:
        (content,) = self.result("resources/read", uri=uri)["contents"]
        assert (content["uri"], content["mimeType"]) == (uri, "application/json")
        return json.loads(content["text"])

    def complete(self, template: str, name: str, value: str, **context: str) -> List[str]:
        more = {"context": {"arguments": context}} if context else {}
        ref, argument = {"type": "ref/resource", "uri": template}, {"name": name, "value": value}
        return self.result("completion/complete", ref=ref, argument=argument, **more)["completion"]["values"]

    def subscribe(self, uri: str) -> Any:
        """Subscribes to changes of a resource. Returns the id of the subscription, which its notifications contain."""
        if not self.stateless:
            assert self.result("resources/subscribe", uri=uri) == {}
            return uri
        return self.listen(resourceSubscriptions=[uri])

    def listen(self, **notifications: Any) -> Any:
        id = self.send("subscriptions/listen", notifications=notifications)
        said = self.larder.notification("notifications/subscriptions/acknowledged")
        assert said["_meta"] == {P + "subscriptionId": id}
        assert said["notifications"] == notifications
        return id

    def next_update(self) -> Message:
        return self.larder.notification(UPDATED)

    def expect_nothing_unasked(self) -> None:
        """Fails if Larder has written an unexpected message."""
        self.result("tools/list")
        assert not self.larder.left, self.larder.left


def hello(version: str) -> Message:
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


def check(result: Message, method: str, stateless: bool) -> None:
    """Fails unless a result has the members that its protocol version requires."""
    assert None not in result.values(), f"an absent member must be left out: {result}"
    if not stateless:
        assert not {"resultType", "ttlMs", "cacheScope"} & set(result), result
        return
    assert result["resultType"] == "complete"
    server = result["_meta"][P + "serverInfo"]
    assert server["name"] == "larder" and server["version"]
    if method in KEPT:
        assert type(result["ttlMs"]) is int and 0 <= result["ttlMs"] <= 86_400_000
        assert result["cacheScope"] in ("public", "private")
    else:
        assert not {"ttlMs", "cacheScope"} & set(result), result


def text(result: Message) -> str:
    (block,) = result["content"]
    assert set(block) == {"type", "text"} and block["type"] == "text"
    return block["text"]


def outcome(result: Message) -> Message:
    """Returns the object of a successful tool call. The result must contain the object twice: as text and as structured
    content."""
    assert result["isError"] is False, text(result)
    said = text(result)
    assert json.loads(said) == result["structuredContent"]
    assert said == json.dumps(result["structuredContent"], ensure_ascii=False, separators=(",", ":"))
    return result["structuredContent"]


def is_notification(line: bytes) -> bool:
    message = json.loads(line)
    return isinstance(message, dict) and "method" in message
