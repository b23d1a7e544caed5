import JSON
import System
import TestSupport
import Testing

@testable import RPCServer

/// Compares descriptions and refusals of all methods and tools with the stored answers of the program.
@Suite(.limited) struct StoredAnswersTests {
    private static let meta: JSONValue = [
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": ["name": "golden", "version": "1"],
        "io.modelcontextprotocol/clientCapabilities": .object(JSONObject()),
    ]
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Returns a session with the built-in catalog, or with the catalog `kinds`.
    private func session(_ catalog: String) throws -> StoredSession {
        var options = Options()
        options.isOffline = true
        if catalog == "kinds" { options.catalog = FilePath(Fixture.path("../Tests/EndToEnd/Golden/kinds.jsonc")) }
        let home = folder.path
        return StoredSession(
            try Container.process(options, environment: Environment { $0 == "HOME" ? home : nil }))
    }

    private static func stored(_ name: String) throws -> JSONValue {
        try JSONValue(parsing: GoldenFile.programOutput(name).replacing("VERSION", with: Version.current))
    }

    /// Records an issue for the first difference between two values.
    private static func compare(_ found: JSONValue?, with expected: JSONValue, at path: String) {
        switch (found, expected) {
        case (.object(let found)?, .object(let expected)):
            #expect(found.members.map(\.key) == expected.members.map(\.key), "\(path)")
            for member in expected.members {
                compare(found[member.key], with: member.value, at: "\(path).\(member.key)")
            }
        case (.array(let found)?, .array(let expected)):
            #expect(found.count == expected.count, "\(path)")
            for (index, pair) in zip(found, expected).enumerated() {
                compare(pair.0, with: pair.1, at: "\(path).\(index)")
            }
        default: #expect(found == expected, "\(path)")
        }
    }

    @Test(arguments: ["built-in", "kinds"]) func discoveryDocumentMatchesTheStoredDocument(catalog: String) async throws
    {
        let found = try await session(catalog).call("rpc.discover", [])
        Self.compare(found["result"], with: try Self.stored("\(catalog)/rpc-discover.json"), at: "result")
    }

    @Test(
        arguments: ["built-in", "kinds"],
        ["server/discover", "tools/list", "resources/list", "resources/templates/list"])
    func mcpAnswerMatchesTheStoredAnswer(catalog: String, method: String) async throws {
        let found = try await session(catalog).call(method, [("_meta", Self.meta)])
        let name = "\(catalog)/mcp-\(method.replacing("/", with: "-")).json"
        Self.compare(found["result"], with: try Self.stored(name), at: "result")
    }

    @Test(arguments: ["built-in", "kinds"]) func toolResultMatchesTheStoredResult(catalog: String) async throws {
        let session = try session(catalog)
        guard case .array(let calls) = try Self.stored("\(catalog)/tools.json") else { return #expect(Bool(false)) }
        for call in calls {
            let params = [("name", call[0] ?? .null), ("arguments", call[1] ?? .null), ("_meta", Self.meta)]
            let found = try await session.call("tools/call", params)
            Self.compare(found["result"], with: call[2] ?? .null, at: call[1]?.text ?? "")
        }
    }

    /// Returns the arguments of a stored case, such as `without id` or `id = null`.
    private static func arguments(_ text: String, _ base: JSONObject) throws -> JSONObject {
        var base = base
        if text == "unknown" { base["nmae"] = 1 }
        if text == "thing" { base["resource"] = "thing" }
        if text.hasPrefix("without ") { base[String(text.dropFirst(8))] = nil }
        let parts = text.split(separator: " = ", maxSplits: 1)
        if parts.count == 2 { base[String(parts[0])] = try JSONValue(parsing: String(parts[1])) }
        return base
    }

    private static func object(_ value: JSONValue?) -> JSONObject {
        if case .object(let object)? = value { object } else { JSONObject() }
    }

    @Test func wrongParamsAreRefusedWithTheStoredErrors() async throws {
        let good: JSONValue = [
            "id": 1, "ids": [1], "owner": "me", "number": 7, "cachePolicy": "localOnly", "text": "x", "observer": "o",
        ]
        let session = try session("kinds")
        guard case .array(let methods)? = try Self.stored("kinds/rpc-discover.json")["methods"] else { return }
        for method in Self.object(try Self.stored("kinds/refusals.json")).members {
            let name = method.key
            guard case .array(let params)? = methods.first(where: { $0["name"] == .string(name) })?["params"] else {
                Issue.record("unknown method \(name)")
                continue
            }
            var base = JSONObject(
                Self.object(good).members.filter { member in
                    params.contains { $0["name"] == .string(member.key) }
                }.map { ($0.key, $0.value) })
            if name.hasPrefix("cache/") { base = JSONObject([("resource", "thing"), ("id", 1)]) }
            if name == "request/explain" { base = JSONObject([("method", "thing/get"), ("params", ["id": 1])]) }
            for (number, expected) in Self.object(method.value).members.enumerated() {
                var arguments = try Self.arguments(expected.key, base)
                // An observer name can be used once.
                if arguments["observer"] == "o" { arguments["observer"] = .string("o\(number)") }
                let reply = try await session.call(name, arguments.members.map { ($0.key, $0.value) })
                #expect(Self.summary(reply) == expected.value, "\(name): \(expected.key)")
            }
        }
    }

    /// Returns the code, message and data of an error, or the member names of a result.
    private static func summary(_ reply: JSONValue) -> JSONValue? {
        if case .object(let error)? = reply["error"] { return .array(error.members.map(\.value)) }
        guard case .object(let result)? = reply["result"] else { return reply["result"] }
        return .array(result.members.map(\.key).sorted().map { .string($0) })
    }

    @Test func wrongToolArgumentsAreRefusedWithTheStoredMessages() async throws {
        let good: JSONValue = ["resource": "note", "id": "1", "text": "x", "scope": ["owner": "me", "number": 7]]
        let session = try session("kinds")
        guard case .array(let tools)? = try Self.stored("kinds/mcp-tools-list.json")["tools"] else { return }
        for tool in Self.object(try Self.stored("kinds/refusals-of-tools.json")).members {
            let schema = tools.first { $0["name"] == .string(tool.key) }?["inputSchema"]
            let base = JSONObject(
                Self.object(good).members.filter { schema?["properties"]?[$0.key] != nil }.map { ($0.key, $0.value) })
            for expected in Self.object(tool.value).members {
                let arguments = JSONValue.object(try Self.arguments(expected.key, base))
                let reply = try await session.call(
                    "tools/call", [("name", .string(tool.key)), ("arguments", arguments), ("_meta", Self.meta)])
                var found = reply["error"]
                if case .array(let content)? = reply["result"]?["content"] {
                    found = .array(content.compactMap { $0["text"] })
                }
                #expect(found == expected.value, "\(tool.key): \(expected.key)")
            }
        }
    }
}

/// A session of a whole process.
private struct StoredSession {
    private let process: Process
    private let session: TestSession
    private let requests = Counter()

    init(_ process: Process) {
        self.process = process
        session = TestSession(process.serving)
    }

    /// Returns the reply to a request. Without params, the request has none.
    func call(_ method: String, _ params: [(String, JSONValue)]) async throws -> JSONValue {
        let id = requests.add()
        var request = JSONObject([("jsonrpc", "2.0"), ("id", .integer(id)), ("method", .string(method))])
        if !params.isEmpty { request["params"] = .object(JSONObject(params)) }
        let reply = session.handle(JSONValue.object(request).text)
        return try JSONValue(parsing: reply.isEmpty ? await session.sink.reply(to: id) : reply)
    }
}
