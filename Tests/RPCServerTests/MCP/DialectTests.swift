import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests how the dialect of a message is determined.
@Suite(.limited) struct DialectTests {
    private static let older = Dialect.mcp(.november2025)
    private static let version = "\"io.modelcontextprotocol/protocolVersion\":"
    private static let capabilities = "\"io.modelcontextprotocol/clientCapabilities\":"
    private static let stateless = "{\"_meta\":{\(version)\"2026-07-28\",\(capabilities){}}}"

    private static func dialect(
        _ method: String, _ params: String, in session: Session = Session(CurrentCatalog(ServedCatalog([:])))
    ) throws -> Dialect {
        let message = "{\"params\":\(params),\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\"}"
        return try JSONDocument(Array(message.utf8)).withRoot { try Dialect(of: Envelope($0), in: session) }
    }

    private static func refusal(_ method: String, _ params: String) throws -> RPCError? {
        do {
            _ = try dialect(method, params)
            return nil
        } catch let error as RPCError {
            return error
        }
    }

    @Test(
        arguments: [
            ("tools/list", "null", Dialect.native), ("tools/list", "{}", .native), ("ping", "null", older),
            ("pings", "{}", .native),
            ("server/discover", "{}", .native), ("initialize", "{}", .native), ("initialize", "null", .native),
            ("initialize", #"{"protocolVersion":3}"#, .native), ("initialize", #"{"protocolVersion":null}"#, .native),
            ("initialize", #"{"protocolVersion":"2025-06-18"}"#, older),
            ("initialize", #"{"protocolVersion":""}"#, older),
            ("\\u0069nitialize", #"{"protocolVersion":"x"}"#, older),
            ("initialized", #"{"protocolVersion":"x"}"#, .native),
            ("notifications/cancelled", "null", older), ("notifications/anything", "{}", older),
            ("\\u006eotifications/x", "{}", older), ("notifications", "{}", .native), ("notification/x", "{}", .native),
            ("Notifications/x", "{}", .native), ("", "{}", .native), ("$/cancelRequest", "{}", .native),
            ("tools/list", stateless, .mcp(.july2026)), ("book/get", stateless, .mcp(.july2026)),
            ("notifications/cancelled", stateless, .mcp(.july2026)), ("initialize", stateless, .mcp(.july2026)),
            ("tools/list", #"{"_meta":{"progressToken":1}}"#, .native), ("tools/list", #"{"_meta":"x"}"#, .native),
            ("tools/list", #"{"_meta":["io.modelcontextprotocol/protocolVersion"]}"#, .native),
        ] as [(String, String, Dialect)])
    func dialectIsDeterminedByTheFirstMessage(method: String, params: String, dialect: Dialect) throws {
        #expect(try Self.dialect(method, params) == dialect)
    }

    @Test func versionInMetaTakesPrecedenceOverTheHandshakeVersion() throws {
        let meta = Self.stateless.dropFirst().dropLast()
        #expect(
            try Self.dialect("initialize", "{\"protocolVersion\":\"2025-11-25\",\(meta)}") == .mcp(.july2026))
        let other = #""_meta":{"io.modelcontextprotocol/x":1}"#
        #expect(try Self.dialect("initialize", "{\"protocolVersion\":\"2025-11-25\",\(other)}") == Self.older)
    }

    @Test(arguments: MCPVersion.allCases.filter { !$0.isStateless })
    func onlyStatelessMessagesIgnoreTheHandshake(version: MCPVersion) throws {
        let session = Session(CurrentCatalog(ServedCatalog([:])))
        session.mcp.version = version
        for method in ["tools/list", "book/get", "exit", "notifications/cancelled", "initialize"] {
            #expect(try Self.dialect(method, "{}", in: session) == .mcp(version))
            #expect(try Self.dialect(method, Self.stateless, in: session) == .mcp(.july2026))
        }
    }

    @Test(
        arguments: [
            ("{\(version)null,\(capabilities){}}", RPCError.Code.invalidParams),
            ("{\(version)7,\(capabilities){}}", .invalidParams), ("{\(version)\"2026-07-28\"}", .invalidParams),
            ("{\(version)\"2026-07-28\",\(capabilities)[]}", .invalidParams),
            ("{\(version)\"2026-07-28\",\(capabilities)null}", .invalidParams),
            // Missing members are reported before an unsupported version.
            ("{\(version)\"1999-01-01\"}", .invalidParams),
            ("{\(version)\"1999-01-01\",\(capabilities){}}", .unsupportedVersion),
            ("{\(version)\"2025-11-25\",\(capabilities){}}", .unsupportedVersion),
            ("{\(version)\"\",\(capabilities){}}", .unsupportedVersion),
        ] as [(String, RPCError.Code)])
    func metaOfAStatelessRequestIsValidated(meta: String, code: RPCError.Code) throws {
        for method in ["tools/list", "server/discover", "book/get", "initialize"] {
            #expect(try Self.refusal(method, "{\"_meta\":\(meta)}")?.code == code)
        }
    }

    /// A request without its version must not get the error of an unknown method.
    @Test func anyMCPMetaKeySelectsTheStatelessVersion() throws {
        let params = "{\"_meta\":{\(Self.capabilities){}}}"
        #expect(try Self.refusal("tools/list", params)?.code == .invalidParams)
        let session = Session(CurrentCatalog(ServedCatalog([:])))
        session.mcp.version = .november2025
        #expect(try Self.dialect("tools/list", params, in: session) == Self.older)
    }

    @Test func errorForAnUnsupportedVersionListsSupportedVersions() throws {
        let meta = "{\"_meta\":{\(Self.version)\"1999-01-01\",\(Self.capabilities){}}}"
        let error = try #require(try Self.refusal("tools/list", meta))
        #expect(
            JSONValue.object(error.data).text == #"{"supported":["2026-07-28"],"requested":"1999-01-01"}"#)
    }

    @Test func mcpSendsNoReplyToACancelledRequestAndNoReportAfterTheEndOfInput() {
        #expect(Dialect.native.rules == RequestRules(answersCancellation: true, reportsAfterInput: true))
        for version in MCPVersion.allCases {
            #expect(Dialect.mcp(version).rules == RequestRules(answersCancellation: false, reportsAfterInput: false))
        }
    }
}
