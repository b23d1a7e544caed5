"""The protocol dialect of each message. The message itself determines it, or, after a handshake, the session does."""

import json

import pytest

from harness import request
from mcp_client import HANDSHAKES, LATEST, META, P, STATELESS, Client, hello
from mcp_standin import RESOURCES


def ask(larder, method, params=None):
    return larder.wait(larder.send(method, params))


class TestStateless:
    def test_stateless_requests_leave_no_state(self, larder):
        assert "result" in ask(larder, "tools/list", {"_meta": META})
        assert ask(larder, "tools/list")["error"]["code"] == -32601
        assert "uptime" in ask(larder, "server/status")["result"]
        assert ask(larder, "ping")["result"] == {}, "it may come before the handshake"

    def test_server_discover_lists_versions_and_capabilities(self, stateless):
        found = stateless.result("server/discover")
        assert found["supportedVersions"] == [STATELESS]
        assert found["capabilities"] == {
            "tools": {"listChanged": True},
            "resources": {"subscribe": True, "listChanged": True},
            "completions": {},
        }
        assert (found["ttlMs"], found["cacheScope"]) == (3_600_000, "public")
        assert 0 < len(found["instructions"]) <= 2000
        assert "serverInfo" not in found, "the member belongs in _meta"

    @pytest.mark.parametrize("method", ["server/discover", "tools/list", "resources/read"])
    def test_any_mcp_meta_key_requires_a_protocol_version(self, larder, method):
        meta = {"io.modelcontextprotocol/clientCapabilities": {}}
        error = ask(larder, method, {"_meta": meta})["error"]
        assert error["code"] == -32602 and "io.modelcontextprotocol/protocolVersion" in error["message"]

    @pytest.mark.parametrize("method", ["server/discover", "tools/list", "no/such"])
    @pytest.mark.parametrize("version", [LATEST, "2099-01-01", "", "x" * 5000])
    def test_error_for_an_unknown_protocol_version_lists_supported_versions(self, larder, method, version):
        error = ask(larder, method, {"_meta": {**META, P + "protocolVersion": version}})["error"]
        assert error["code"] == -32022
        assert error["data"] == {"supported": [STATELESS], "requested": version}

    @pytest.mark.parametrize(
        "meta, named",
        [
            ({P + "protocolVersion": STATELESS}, "clientCapabilities"),
            ({P + "protocolVersion": STATELESS, P + "clientCapabilities": None}, "clientCapabilities"),
            ({P + "protocolVersion": STATELESS, P + "clientCapabilities": []}, "clientCapabilities"),
            ({P + "protocolVersion": "2099-01-01"}, "clientCapabilities"),
            ({P + "protocolVersion": 20260728, P + "clientCapabilities": {}}, "protocolVersion"),
            ({P + "protocolVersion": None, P + "clientCapabilities": {}}, "protocolVersion"),
        ],
    )
    def test_error_contains_the_name_of_the_missing_or_invalid_meta_member(self, larder, meta, named):
        error = ask(larder, "tools/list", {"_meta": meta})["error"]
        assert error["code"] == -32602 and P + named in error["message"]

    @pytest.mark.parametrize(
        "method", ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "prompts/list", "x" * 99]
    )
    def test_stateless_requests_cannot_call_methods_of_older_protocol_versions(self, stateless, method):
        assert stateless.error(method, uri="larder://character/1").code == -32601

    @pytest.mark.parametrize("method", ["character/get", "server/status", "initialized", "$/cancelRequest"])
    def test_stateless_requests_cannot_call_native_methods(self, stateless, method):
        assert stateless.error(method, id=1).code == -32601

    def test_stateless_request_after_a_handshake_is_still_handled_as_stateless(self, larder):
        Client(larder, LATEST)
        later = Client(larder, STATELESS)
        assert later.error("ping").code == -32601
        assert "supportedVersions" in later.result("server/discover")


class TestHandshake:
    @pytest.mark.parametrize("version", HANDSHAKES)
    def test_initialize_echoes_a_known_protocol_version(self, larder, version):
        client = Client(larder, version)
        opened = client.opened
        assert opened["protocolVersion"] == version
        assert set(opened) == {"protocolVersion", "capabilities", "serverInfo", "instructions"}
        assert opened["serverInfo"]["name"] == "larder" and opened["serverInfo"]["version"]
        assert len(opened["instructions"]) <= 2000
        assert opened["capabilities"]["resources"] == {"subscribe": True, "listChanged": True}
        assert client.result("ping") == {}
        client.expect_nothing_unasked()

    @pytest.mark.parametrize("version", [STATELESS, "2023-01-01", "", "1.0.0"])
    def test_initialize_answers_an_unknown_protocol_version_with_the_latest(self, larder, version):
        assert ask(larder, "initialize", hello(version))["result"]["protocolVersion"] == LATEST

    def test_stateless_version_in_meta_of_initialize_takes_precedence(self, larder):
        """The stateless versions have no `initialize`."""
        reply = ask(larder, "initialize", {**hello(LATEST), "_meta": META})
        assert reply["error"]["code"] == -32601
        assert ask(larder, "tools/list")["error"]["code"] == -32601

    def test_response_message_from_the_client_is_ignored(self, larder):
        client = Client(larder, LATEST)
        for response in ({"result": {}}, {"error": {"code": 1, "message": "x"}}):
            larder.write(json.dumps({"jsonrpc": "2.0", "id": 77, **response}) + "\n")
        assert client.result("ping") == {}
        assert not larder.left

    @pytest.mark.parametrize("id", [None, 1.5])
    def test_id_that_is_neither_string_nor_integer_is_refused(self, larder, id):
        Client(larder, LATEST)
        assert larder.wait(larder.send("tools/list", id=id))["error"]["code"] == -32600

    @pytest.mark.parametrize("id", [2**63, -(2**64), "2.5", ""])
    def test_id_of_any_length_is_accepted(self, larder, id):
        Client(larder, LATEST)
        assert larder.wait(larder.send("tools/list", id=id))["result"]["tools"]

    def test_native_and_stateless_methods_are_unknown_after_the_mcp_handshake(self, larder):
        client = Client(larder, LATEST)
        for method in ("server/status", "character/get", "server/discover", "subscriptions/listen", "prompts/list"):
            assert client.error(method, id=1).code == -32601, method
        assert client.tool("get_item", resource="character", id=1)["item"]["id"] == 1

    def test_handshake_may_be_repeated(self, larder):
        Client(larder, "2024-11-05")
        assert Client(larder, "2025-06-18").opened["protocolVersion"] == "2025-06-18"

    def test_requests_before_the_initialized_notification_are_answered(self, larder):
        first = larder.send("initialize", hello(LATEST))
        second = larder.send("tools/list")
        third = larder.send("ping")
        assert all("result" in larder.wait(id) for id in (first, second, third))

    def test_lsp_initialize_request_keeps_the_session_native(self, larder):
        result = ask(larder, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})["result"]
        assert "protocolVersion" not in result
        assert ask(larder, "tools/list")["error"]["code"] == -32601
        assert larder.call("character/get", id=1)["source"] == "remote"

    @pytest.mark.parametrize("version", [1, None, {}, ["2025-11-25"]])
    def test_protocol_version_that_is_not_a_string_keeps_the_session_native(self, larder, version):
        ask(larder, "initialize", {**hello(LATEST), "protocolVersion": version})
        assert ask(larder, "tools/list")["error"]["code"] == -32601
        larder.alive()


class TestNotifications:
    @pytest.mark.parametrize(
        "method", ["initialized", "cancelled", "progress", "roots/list_changed", "no_such", "", "message"]
    )
    @pytest.mark.parametrize("params", [None, {}, {"requestId": None}, {"requestId": {}}, [1]], ids=str)
    def test_notifications_are_never_answered(self, larder, method, params):
        larder.notify(f"notifications/{method}", params)
        larder.alive()
        client = Client(larder, LATEST)
        larder.notify(f"notifications/{method}", params)
        client.expect_nothing_unasked()

    def test_requests_without_an_id_are_not_answered(self, mcp):
        for method in ("tools/list", "tools/call", "no/such", "resources/read", "subscriptions/listen"):
            mcp.larder.notify(method, {"_meta": META} if mcp.stateless else {})
        mcp.expect_nothing_unasked()


class TestRequests:
    @pytest.mark.parametrize("id", [0, -7, 1 << 40, "x", "", "ü\n", "1"])
    def test_request_id_is_echoed(self, mcp, id):
        assert "result" in mcp.wait(mcp.send("tools/list", id=id))
        assert "error" in mcp.wait(mcp.send("no/such", id=id))

    def test_unknown_members_are_ignored(self, mcp):
        vendor = {"traceparent": "00-0-0-0", "com.example/x": [1], "progressToken": 7}
        for method, params in (
            ("tools/list", {}),
            ("resources/list", {"limit": 1}),
            ("tools/call", {"name": "describe_resource", "arguments": {"resource": "episode"}, "task": {"ttl": 1}}),
            ("resources/read", {"uri": "larder://character", "requestState": "x", "inputResponses": {}}),
        ):
            mcp.result(method, meta=vendor, **params, zzz={"a": None})
        mcp.expect_nothing_unasked()

    def test_members_may_be_in_any_order(self, larder):
        client = Client(larder, LATEST)
        larder.write('{"method":"ping","params":{},"jsonrpc":"2.0","id":"late"}\n')
        assert larder.wait("late")["result"] == {}
        client.expect_nothing_unasked()

    @pytest.mark.parametrize("params", [[], [1], "x", 5], ids=str)
    def test_params_that_are_not_an_object_are_refused(self, larder, params):
        Client(larder, LATEST)
        reply = larder.wait(larder.send("tools/call", params))
        assert reply["error"]["code"] in (-32600, -32602)

    def test_batch_is_accepted_by_the_version_that_allows_batches(self, larder):
        Client(larder, "2025-03-26")
        lines = [request("ping", id="a"), request("no/such", id="b"), request("tools/list", id="c")]
        notice = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "z"}})
        larder.write("[" + ",".join([*lines, notice]).replace("\n", "") + "]\n")
        replies = {reply["id"]: reply for reply in larder.batch()}
        assert set(replies) == {"a", "b", "c"}
        assert replies["a"]["result"] == {} and replies["b"]["error"]["code"] == -32601
        assert len(replies["c"]["result"]["tools"]) == 6

    @pytest.mark.parametrize("line", ["nonsense", "{", '{"jsonrpc":"2.0","id":1', "[]"])
    def test_invalid_line_does_not_end_the_session(self, larder, line):
        client = Client(larder, LATEST)
        larder.write(line + "\n")
        error = larder.wait(None)["error"]
        assert error["code"] in (-32700, -32600)
        client.expect_nothing_unasked()


def test_resource_named_tools_keeps_its_native_methods(start, write_catalog):
    """`tools/list` lists the items of a resource named `tools` until the client uses the Model Context Protocol."""
    path = write_catalog({"tools": RESOURCES["file"], "resources": RESOURCES["file"]})
    larder = start("--catalog", path, upstream=None)
    assert larder.call("tools/list")["items"][0]["id"] == "docs/a b.md"
    assert larder.call("resources/list")["page"]["count"] == 5
    assert [tool["name"] for tool in Client(larder, STATELESS).result("tools/list")["tools"]][0] == "get_item"
    assert larder.call("tools/get", id="docs/a b.md")["source"] == "memory"
    client = Client(larder, LATEST)
    assert len(client.result("tools/list")["tools"]) == 6
    assert client.tool("list_items", resource="tools")["items"][0]["size"] == 11
