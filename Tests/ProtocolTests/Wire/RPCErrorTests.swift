import JSON
import Protocol
import TestSupport
import Testing

@Suite("Errors and replies on the wire", .limited)
struct RPCErrorTests {
    static let codes: [(RPCError.Code, Int)] = [
        (.parseError, -32700), (.invalidRequest, -32600), (.methodNotFound, -32601), (.invalidParams, -32602),
        (.internalError, -32603), (.requestCancelled, -32800), (.apiInvalidRequest, -31001), (.invalidResponse, -31002),
        (.notFound, -31003), (.serverError, -31004), (.decodingFailed, -31005), (.unauthorized, -31006),
        (.rateLimited, -31007), (.network, -31008), (.timeout, -31009), (.notCached, -31010), (.busy, -31011),
        (.tooLarge, -31012), (.notReplayed, -31013), (.notSynced, -31015), (.queryLimit, -31016),
        (.unsupportedVersion, -32022), (.resourceNotFound, -32002),
    ]

    @Test(arguments: codes)
    func everyErrorCodeHasTheExpectedNumber(_ code: RPCError.Code, _ number: Int) {
        #expect(code.rawValue == number)
        #expect(written { RPCError(code, "x").write(to: &$0) } == #"{"code":\#(number),"message":"x"}"#)
    }

    @Test func everyErrorCodeIsInTheTestTable() {
        #expect(RPCError.Code.allCases.count == Self.codes.count)
    }

    @Test func errorDataIsWritten() {
        let error = RPCError(.serverError, "500", data: JSONObject([("kind", "serverError"), ("status", 500)]))
        #expect(
            written { error.write(to: &$0) }
                == #"{"code":-31004,"message":"500","data":{"kind":"serverError","status":500}}"#)
    }

    @Test func errorMessageStaysOnOneLine() {
        let error = RPCError(.network, "a\r\nb\u{2028}\"", data: JSONObject([("url\n", "\u{85}")]))
        #expect(
            written { error.write(to: &$0) }
                == #"{"code":-31008,"message":"a\r\nb\u2028\"","data":{"url\n":"\u0085"}}"#)
    }

    @Test(arguments: [("7", "7"), ("1.50", "1.50"), (#""\u0061""#, #""a""#), ("null", "null")])
    func repliesAreWrittenWithTheRequestID(_ id: String, _ echoed: String) throws {
        let id = try #require(try withView(of: id) { RequestID($0) })
        let reply = written { writer in
            Reply.beginResult(id, to: &writer)
            ValueResult(.null).write(to: &writer)
            Reply.endResult(to: &writer)
        }
        #expect(reply == #"{"jsonrpc":"2.0","id":\#(echoed),"result":null}"#)
        #expect(
            written { Reply.error(RPCError(.busy, "full"), id: id, to: &$0) }
                == #"{"jsonrpc":"2.0","id":\#(echoed),"error":{"code":-31011,"message":"full"}}"#)
    }

    /// The id is copied from the request's text.
    @Test(arguments: [("7", "7"), (" 1.50 ", "1.50"), (#""\u0061\/""#, #""a/""#), ("null", "null")])
    func replyCopiesTheIDOfTheRequest(_ id: String, _ echoed: String) throws {
        let reply = try withView(of: id) { view in
            written { writer in
                Reply.beginResult(view, to: &writer)
                RecentsResult(recents: ["x"]).write(to: &writer)
                Reply.endResult(to: &writer)
            }
        }
        #expect(reply == #"{"jsonrpc":"2.0","id":\#(echoed),"result":{"recents":["x"]}}"#)
    }

    /// Several replies are written into one buffer. No comma may appear between them.
    @Test func consecutiveRepliesNeedNoComma() {
        let replies = written { writer in
            for _ in 0..<2 {
                Reply.beginResult(.null, to: &writer)
                CountResult("removed", 1).write(to: &writer)
                Reply.endResult(to: &writer)
                writer.append("\n")
                Reply.error(RPCError(.parseError, "x"), id: .null, to: &writer)
                writer.append("\n")
            }
        }
        let result = #"{"jsonrpc":"2.0","id":null,"result":{"removed":1}}"#
        let error = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#
        #expect(replies == "\(result)\n\(error)\n\(result)\n\(error)\n")
    }
}
