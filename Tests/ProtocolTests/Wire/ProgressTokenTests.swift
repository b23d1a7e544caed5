import JSON
import TestSupport
import Testing

@testable import Protocol

@Suite(.limited) struct ProgressTokenTests {
    private static func token(_ json: String) throws -> ProgressToken? {
        try params("{\"workDoneToken\":\(json)}") { (reader) throws(RPCError) in try reader.progressToken() }
    }

    @Test(arguments: ["\"a\"", "\"\"", "7", "-1", "0"])
    func aStringOrAnIntegerIsEchoed(json: String) throws {
        #expect(try #require(try Self.token(json)).json == Array(json.utf8))
    }

    @Test func aStringIsEchoedInTheWritersForm() throws {
        #expect(try #require(try Self.token(#""\u0041\u2028""#)).json == Array(#""A\u2028""#.utf8))
    }

    @Test func nullIsNone() throws {
        #expect(try Self.token("null") == nil)
    }

    @Test(arguments: ["1.5", "true", "[]", "{}", "[1]"])
    func anythingElseIsRefused(json: String) throws {
        #expect(throws: RPCError(.invalidParams, "'workDoneToken' must be a string or an integer")) {
            _ = try Self.token(json)
        }
    }
}
