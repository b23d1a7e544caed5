import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests the first messages and the methods of each protocol version.
@Suite(.limited) struct MCPLifecycleTests {
    private let stage: MCPStage

    init() throws { stage = try MCPStage() }

    private static func keys(_ value: JSONValue?) -> [String] {
        if case .object(let object)? = value { object.members.map(\.key) } else { [] }
    }

    @Test(arguments: [("2024-11-05", "2024-11-05"), ("2026-07-28", "2025-11-25"), ("next year's", "2025-11-25")])
    func handshakeAgreesOnAVersion(wanted: String, version: String) throws {
        let result = try JSONValue(parsing: stage.initialize(wanted))["result"]
        #expect(Self.keys(result) == ["protocolVersion", "capabilities", "serverInfo", "instructions"])
        #expect(result?["protocolVersion"] == .string(version))
        #expect(result?["serverInfo"]?["name"] == "larder" && result?["serverInfo"]?["version"] != nil)
        #expect(stage.session.session.mcp.version?.rawValue == version)
    }

    @Test func secondMCPHandshakeReplacesTheVersion() throws {
        stage.initialize("2024-11-05")
        #expect(try JSONValue(parsing: stage.initialize("2025-06-18"))["result"]?["protocolVersion"] == "2025-06-18")
        #expect(stage.session.session.mcp.version == .june2025)
    }

    @Test func serverDiscoverReturnsTheMembersOfTheHandshake() async throws {
        let result = try await stage.reply("server/discover")["result"]
        #expect(
            Self.keys(result) == [
                "supportedVersions", "capabilities", "instructions", "ttlMs", "cacheScope", "resultType", "_meta",
            ])
        #expect(result?["supportedVersions"] == ["2026-07-28"])
        #expect(stage.session.session.mcp.version == nil)
        let older = try JSONValue(parsing: stage.initialize())["result"]
        #expect(result?["capabilities"] == older?["capabilities"] && result?["capabilities"]?["tools"] != nil)
        #expect(result?["instructions"] == older?["instructions"])
        #expect(result?["_meta"]?["io.modelcontextprotocol/serverInfo"] == older?["serverInfo"])
    }

    @Test func statelessResultContainsItsTypeTheServerInfoAndALifetime() async throws {
        let list = try await stage.reply("tools/list")["result"]
        #expect(Self.keys(list) == ["tools", "ttlMs", "cacheScope", "resultType", "_meta"])
        #expect(list?["ttlMs"] == 3_600_000 && list?["cacheScope"] == "public" && list?["resultType"] == "complete")
        let call = try await stage.tool("describe_resource", #"{"resource":"book"}"#)
        #expect(Self.keys(call) == ["content", "structuredContent", "isError", "resultType", "_meta"])
        #expect(Self.keys(call?["_meta"]) == ["io.modelcontextprotocol/serverInfo"])
    }

    @Test func resultAfterAHandshakeHasNoStatelessMembers() throws {
        stage.initialize()
        func result(_ method: String, _ params: String) throws -> JSONValue? {
            let message = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":\(params)}"
            return try JSONValue(parsing: stage.session.handle(message))["result"]
        }
        #expect(try Self.keys(result("tools/list", "{}")) == ["tools"])
        #expect(try Self.keys(result("resources/list", "{}")) == ["resources"])
        #expect(try Self.keys(result("resources/read", #"{"uri":"larder://book"}"#)) == ["contents"])
        let call = #"{"name":"describe_resource","arguments":{"resource":"book"}}"#
        #expect(try Self.keys(result("tools/call", call)) == ["content", "structuredContent", "isError"])
        #expect(try result("ping", "null")?.text == "{}")
    }

    @Test(arguments: ["ping", "resources/subscribe", "resources/unsubscribe", "prompts/list", "logging/setLevel", "x"])
    func handshakeMethodsAreNotFoundInStatelessVersions(method: String) async throws {
        #expect(try await stage.error(method, #""uri":"larder://book/1","#)?["code"] == -32601)
    }

    @Test(arguments: ["server/discover", "subscriptions/listen", "prompts/list", "book/get", "shutdown", "tools"])
    func statelessMethodsAreNotFoundAfterAHandshake(method: String) throws {
        stage.initialize()
        let reply = stage.session.handle("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\"}")
        #expect(try JSONValue(parsing: reply)["error"]?["code"] == -32601)
    }

    @Test(arguments: ["notifications/x", "notifications/roots/list_changed", "notifications/cancelled", "exit"])
    func notificationIsNeverAnswered(method: String) {
        stage.initialize()
        #expect(stage.session.handle("{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":{\"a\":1}}") == "")
        #expect(!stage.session.lifecycle.isExiting)
    }

    /// JSON-RPC also permits null and numbers with a fraction.
    @Test(arguments: [
        ("1", true), ("-1", true), ("9223372036854775808", true), ("123456789012345678901234567890", true),
        ("\"a\"", true), ("\"\"", true), ("null", false), ("1.5", false), ("1e3", false), ("2.0", false),
    ])
    func mcpRequestIDMustBeAStringOrAnInteger(id: String, isValid: Bool) throws {
        let reply = stage.session.handle(MCPStage.request("tools/list", id: id))
        #expect(reply.contains("\"id\":\(id)"))
        #expect(try JSONValue(parsing: reply)["error"]?["code"] == (isValid ? nil : -32600))
    }

    @Test(arguments: ["notifications/initialized", "notifications/cancelled", "notifications/x"])
    func requestForANotificationMethodFailsWithMethodNotFound(method: String) throws {
        stage.initialize()
        let reply = stage.session.handle("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":{}}")
        #expect(try JSONValue(parsing: reply)["error"]?["code"] == -32601)
    }

    @Test func sessionUsesMCPOnlyAfterAnMCPRequest() async throws {
        _ = stage.session.handle(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
        #expect(!stage.session.session.mcp.isUsed)
        _ = try await stage.reply("tools/list")
        #expect(stage.session.session.mcp.isUsed)
    }
}
