import JSON
import TestSupport
import Testing

@testable import Protocol

@Suite(.limited) struct ProgressTokenTests {
    private static func token(_ json: String) throws -> ProgressToken? {
        try params("{\"workDoneToken\":\(json)}") { (reader) throws(RPCError) in try reader.progressToken() }
    }

    @Test(arguments: ["\"a\"", "\"\"", "7", "-1", "0"])
    func progressTokenMayBeAStringOrAnInteger(json: String) throws {
        #expect(try #require(try Self.token(json)).json == Array(json.utf8))
    }

    @Test func stringProgressTokenIsNormalized() throws {
        #expect(try #require(try Self.token(#""\u0041\u2028""#)).json == Array(#""A\u2028""#.utf8))
    }

    private static func metaToken(_ text: String?) throws -> ProgressToken? {
        try params(text) { (reader) throws(RPCError) in try reader.metaProgressToken() }
    }

    @Test(arguments: ["\"a\"", "\"\"", "7", "-1", "0"])
    func progressTokenInMetaIsRead(json: String) throws {
        let token = try Self.metaToken("{\"_meta\":{\"a\":1,\"progressToken\":\(json)}}")
        #expect(try #require(token).json == Array(json.utf8))
    }

    @Test(arguments: [
        nil, "{}", #"{"_meta":null}"#, #"{"_meta":7}"#, #"{"_meta":[]}"#, #"{"_meta":{}}"#,
        #"{"_meta":{"progressToken":null}}"#, #"{"progressToken":7}"#, #"{"workDoneToken":7}"#,
    ])
    func progressTokenOutsideMetaIsIgnored(params: String?) throws {
        #expect(try Self.metaToken(params) == nil)
    }

    @Test(arguments: ["1.5", "true", "[]", "{}", "[1]"])
    func invalidProgressTokenInMetaIsRefused(json: String) throws {
        #expect(throws: RPCError(.invalidParams, "'_meta.progressToken' must be a string or an integer")) {
            _ = try Self.metaToken("{\"_meta\":{\"progressToken\":\(json)}}")
        }
    }

    @Test func nullProgressTokenCountsAsAbsent() throws {
        #expect(try Self.token("null") == nil)
    }

    @Test(arguments: ["1.5", "true", "[]", "{}", "[1]"])
    func invalidProgressTokenIsRefused(json: String) throws {
        #expect(throws: RPCError(.invalidParams, "'workDoneToken' must be a string or an integer")) {
            _ = try Self.token(json)
        }
    }
}
