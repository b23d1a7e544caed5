"""Which dialect a message is in: the message tells, and after the handshake the session does."""

import json

import pytest

from harness import request
from mcp_client import HANDSHAKES, LATEST, META, P, STATELESS, Client, hello
from mcp_standin import RESOURCES


def ask(larder, method, params=None):
    return larder.wait(larder.send(method, params))


class TestStateless:
    def test_a_request_says_its_version_and_nothing_is_remembered_of_it(self, larder):
        assert "result" in ask(larder, "tools/list", {"_meta": META})
        assert ask(larder, "tools/list")["error"]["code"] == -32601
        assert "uptime" in ask(larder, "server/status")["result"]
        assert ask(larder, "ping")["error"]["code"] == -32601

    def test_discovery(self, stateless):
        found = stateless.result("server/discover")
        assert found["supportedVersions"] == [STATELESS]
        assert found["capabilities"] == {
            "tools": {"listChanged": True},
            "resources": {"subscribe": True, "listChanged": True},
            "completions": {},
        }
        assert (found["ttlMs"], found["cacheScope"]) == (3_600_000, "public")
        assert 0 < len(found["instructions"]) <= 2000
        assert "serverInfo" not in found, "it stands in _meta"

    @pytest.mark.parametrize("method", ["server/discover", "tools/list", "no/such"])
    @pytest.mark.parametrize("version", [LATEST, "2099-01-01", "", "x" * 5000])
    def test_an_unknown_version(self, larder, method, version):
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
    def test_what_a_request_must_say(self, larder, meta, named):
        error = ask(larder, "tools/list", {"_meta": meta})["error"]
        assert error["code"] == -32602 and P + named in error["message"]

    @pytest.mark.parametrize(
        "method", ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "prompts/list", "x" * 99]
    )
    def test_methods_that_it_does_not_have(self, stateless, method):
        assert stateless.error(method, uri="larder://character/1").code == -32601

    @pytest.mark.parametrize("method", ["character/get", "server/status", "initialized", "$/cancelRequest"])
    def test_the_native_methods_are_none_of_it(self, stateless, method):
        assert stateless.error(method, id=1).code == -32601

    def test_a_request_after_the_handshake_keeps_its_own_era(self, larder):
        Client(larder, LATEST)
        later = Client(larder, STATELESS)
        assert later.error("ping").code == -32601
        assert "supportedVersions" in later.result("server/discover")


class TestHandshake:
    @pytest.mark.parametrize("version", HANDSHAKES)
    def test_a_known_version_is_echoed(self, larder, version):
        client = Client(larder, version)
        opened = client.opened
        assert opened["protocolVersion"] == version
        assert set(opened) == {"protocolVersion", "capabilities", "serverInfo", "instructions"}
        assert opened["serverInfo"]["name"] == "larder" and opened["serverInfo"]["version"]
        assert len(opened["instructions"]) <= 2000
        assert opened["capabilities"]["resources"] == {"subscribe": True, "listChanged": True}
        assert client.result("ping") == {}
        client.nothing_came()

    @pytest.mark.parametrize("version", [STATELESS, "2023-01-01", "", "1.0.0"])
    def test_for_an_unknown_one_the_latest_is_answered(self, larder, version):
        assert ask(larder, "initialize", hello(version))["result"]["protocolVersion"] == LATEST

    def test_it_counts_before_what_the_message_says_of_a_version(self, larder):
        """The stateless era has no `initialize`, also where a client stamps its envelope on it."""
        reply = ask(larder, "initialize", {**hello(LATEST), "_meta": META})
        assert reply["result"]["protocolVersion"] == LATEST
        assert "result" in ask(larder, "tools/list")

    def test_everything_is_of_the_protocol_afterwards(self, larder):
        client = Client(larder, LATEST)
        for method in ("server/status", "character/get", "server/discover", "subscriptions/listen", "prompts/list"):
            assert client.error(method, id=1).code == -32601, method
        assert client.tool("get_item", resource="character", id=1)["item"]["id"] == 1

    def test_it_may_be_made_again(self, larder):
        Client(larder, "2024-11-05")
        assert Client(larder, "2025-06-18").opened["protocolVersion"] == "2025-06-18"

    def test_requests_need_not_wait_for_initialized(self, larder):
        first = larder.send("initialize", hello(LATEST))
        second = larder.send("tools/list")
        third = larder.send("ping")
        assert all("result" in larder.wait(id) for id in (first, second, third))

    def test_that_of_lsp_is_another(self, larder):
        result = ask(larder, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})["result"]
        assert "protocolVersion" not in result
        assert ask(larder, "tools/list")["error"]["code"] == -32601
        assert larder.call("character/get", id=1)["source"] == "remote"

    @pytest.mark.parametrize("version", [1, None, {}, ["2025-11-25"]])
    def test_a_version_that_is_no_text_is_none(self, larder, version):
        ask(larder, "initialize", {**hello(LATEST), "protocolVersion": version})
        assert ask(larder, "tools/list")["error"]["code"] == -32601
        larder.alive()


class TestNotifications:
    @pytest.mark.parametrize(
        "method", ["initialized", "cancelled", "progress", "roots/list_changed", "no_such", "", "message"]
    )
    @pytest.mark.parametrize("params", [None, {}, {"requestId": None}, {"requestId": {}}, [1]], ids=str)
    def test_none_is_answered_in_any_session(self, larder, method, params):
        larder.notify(f"notifications/{method}", params)
        larder.alive()
        client = Client(larder, LATEST)
        larder.notify(f"notifications/{method}", params)
        client.nothing_came()

    def test_neither_is_a_request_without_an_id(self, mcp):
        for method in ("tools/list", "tools/call", "no/such", "resources/read", "subscriptions/listen"):
            mcp.larder.notify(method, {"_meta": META} if mcp.stateless else {})
        mcp.nothing_came()


class TestRequests:
    @pytest.mark.parametrize("id", [0, -7, 1 << 40, "x", "", "ü\n", "1"])
    def test_the_id_is_echoed(self, mcp, id):
        assert "result" in mcp.wait(mcp.send("tools/list", id=id))
        assert "error" in mcp.wait(mcp.send("no/such", id=id))

    def test_what_nobody_knows_is_ignored(self, mcp):
        vendor = {"traceparent": "00-0-0-0", "com.example/x": [1], "progressToken": 7}
        for method, params in (
            ("tools/list", {}),
            ("resources/list", {"limit": 1}),
            ("tools/call", {"name": "describe_resource", "arguments": {"resource": "episode"}, "task": {"ttl": 1}}),
            ("resources/read", {"uri": "larder://character", "requestState": "x", "inputResponses": {}}),
        ):
            mcp.result(method, meta=vendor, **params, zzz={"a": None})
        mcp.nothing_came()

    def test_members_may_stand_in_any_order(self, larder):
        client = Client(larder, LATEST)
        larder.write('{"method":"ping","params":{},"jsonrpc":"2.0","id":"late"}\n')
        assert larder.wait("late")["result"] == {}
        client.nothing_came()

    @pytest.mark.parametrize("params", [[], [1], "x", 5], ids=str)
    def test_params_that_are_no_object(self, larder, params):
        Client(larder, LATEST)
        reply = larder.wait(larder.send("tools/call", params))
        assert reply["error"]["code"] in (-32600, -32602)

    def test_a_batch_of_the_version_that_has_them(self, larder):
        Client(larder, "2025-03-26")
        lines = [request("ping", id="a"), request("no/such", id="b"), request("tools/list", id="c")]
        notice = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "z"}})
        larder.write("[" + ",".join([*lines, notice]).replace("\n", "") + "]\n")
        replies = {reply["id"]: reply for reply in larder.batch()}
        assert set(replies) == {"a", "b", "c"}
        assert replies["a"]["result"] == {} and replies["b"]["error"]["code"] == -32601
        assert len(replies["c"]["result"]["tools"]) == 5

    @pytest.mark.parametrize("line", ["nonsense", "{", '{"jsonrpc":"2.0","id":1', "[]"])
    def test_what_is_no_request_does_not_end_the_session(self, larder, line):
        client = Client(larder, LATEST)
        larder.write(line + "\n")
        error = larder.wait(None)["error"]
        assert error["code"] in (-32700, -32600)
        client.nothing_came()


def test_a_resource_with_the_name_of_a_method_keeps_its_own(start, write_catalog):
    """`tools/list` is native until somebody speaks the protocol."""
    path = write_catalog({"tools": RESOURCES["file"], "resources": RESOURCES["file"]})
    larder = start("--catalog", path, upstream=None)
    assert larder.call("tools/list")["items"][0]["id"] == "docs/a b.md"
    assert larder.call("resources/list")["page"]["count"] == 5
    assert [tool["name"] for tool in Client(larder, STATELESS).result("tools/list")["tools"]][0] == "get_item"
    assert larder.call("tools/get", id="docs/a b.md")["source"] == "memory"
    client = Client(larder, LATEST)
    assert len(client.result("tools/list")["tools"]) == 5
    assert client.tool("list_items", resource="tools")["items"][0]["size"] == 11
