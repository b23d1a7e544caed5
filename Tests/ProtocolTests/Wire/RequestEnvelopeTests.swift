import JSON
import Protocol
import TestSupport
import Testing

@Suite("An envelope follows JSON-RPC 2.0 strictly", .limited)
struct RequestEnvelopeTests {
    struct Request: Sendable {
        let text: String
        let id: String?
        let method: String
        let params: String?

        init(_ text: String, id: String?, _ method: String = "m", params: String? = nil) {
            (self.text, self.id, self.method, self.params) = (text, id, method, params)
        }
    }

    static let requests = [
        Request(#"{"jsonrpc":"2.0","id":1,"method":"m"}"#, id: "1"),
        Request(#"{"method":"m","id":1,"jsonrpc":"2.0"}"#, id: "1"),
        Request(#"{"jsonrpc":"2.0","id":"1","method":"m"}"#, id: #""1""#),
        Request(#"{"jsonrpc":"2.0","id":"","method":"m"}"#, id: #""""#),
        Request(#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, id: "null"),
        Request(#"{"jsonrpc":"2.0","id":-1.50e+3,"method":"m"}"#, id: "-1.50e+3"),
        Request(
            #"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"m"}"#, id: "123456789012345678901234567890"
        ),
        Request(#"{"jsonrpc":"2.0","id":"\u0041\n\/","method":"m"}"#, id: #""A\n/""#),
        Request(#"{"jsonrpc":"2.0","method":"m"}"#, id: nil),
        Request(#"{"jsonrpc":"2.0","id":1,"method":""}"#, id: "1", ""),
        Request(#"{"jsonrpc":"2.0","id":1,"method":"character\/g\u0065t"}"#, id: "1", "character/get"),
        Request(#"{"\u006asonrpc":"2.\u0030","i\u0064":1,"method":"m"}"#, id: "1"),
        Request(#"{"jsonrpc":"2.0","id":1,"method":"m","params":null}"#, id: "1"),
        Request(#"{"jsonrpc":"2.0","id":1,"method":"m","params":{}}"#, id: "1", params: "{}"),
        Request(#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a": [1]}}"#, id: "1", params: #"{"a": [1]}"#),
        Request(#"{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}"#, id: "1", params: "[1]"),
        Request(#"{"jsonrpc":"2.0","id":1,"method":"m","params":7}"#, id: "1", params: "7"),
        Request(#"{"jsonrpc":"2.0","id":1,"method":"m","other":{"id":2,"method":"x"}}"#, id: "1"),
        Request(#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x","method":"m"}"#, id: "2"),
        Request(#"{"jsonrpc":"1.0","jsonrpc":"2.0","id":[],"id":1,"method":1,"method":"m"}"#, id: "1"),
        Request(#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1},"params":null}"#, id: "1"),
    ]

    @Test(arguments: requests)
    func validRequestIsParsed(_ expected: Request) throws {
        try withView(of: expected.text) { view in
            let envelope = try Envelope(view)
            #expect(envelope.id.map { String(decoding: $0.json, as: UTF8.self) } == expected.id)
            #expect(envelope.method == expected.method)
            #expect(envelope.params.map { String(decoding: $0.token, as: UTF8.self) } == expected.params)
        }
    }

    private static let version = "'jsonrpc' must be \"2.0\""
    private static let method = "'method' must be a string"
    private static let id = "'id' must be a string, a number or null"
    private static let object = "a request must be an object"

    static let refusals: [(text: String, id: String, message: String)] = [
        ("1", "null", object),
        ("\"x\"", "null", object),
        ("null", "null", object),
        ("[]", "null", object),
        (#"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#, "null", object),
        ("{}", "null", version),
        (#"{"id":1,"method":"m"}"#, "1", version),
        (#"{"jsonrpc":"1.0","id":1,"method":"m"}"#, "1", version),
        (#"{"jsonrpc":2.0,"id":1,"method":"m"}"#, "1", version),
        (#"{"jsonrpc":"2","id":"a","method":"m"}"#, #""a""#, version),
        (#"{"jsonrpc":null,"id":1,"method":"m"}"#, "1", version),
        (#"{"jsonrpc":"2.0","jsonrpc":"2.1","id":1,"method":"m"}"#, "1", version),
        (#"{"JSONRPC":"2.0","id":1,"method":"m"}"#, "1", version),
        (#"{"jsonrpc":"2.0","id":1}"#, "1", method),
        (#"{"jsonrpc":"2.0"}"#, "null", method),
        (#"{"jsonrpc":"2.0","id":1,"method":null}"#, "1", method),
        (#"{"jsonrpc":"2.0","id":1.5,"method":1}"#, "1.5", method),
        (#"{"jsonrpc":"2.0","id":1,"method":["m"]}"#, "1", method),
        (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "1", method),
        (#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, "null", id),
        (#"{"jsonrpc":"2.0","id":false,"method":"m"}"#, "null", id),
        (#"{"jsonrpc":"2.0","id":[1],"method":"m"}"#, "null", id),
        (#"{"jsonrpc":"2.0","id":{"id":1},"method":"m"}"#, "null", id),
        (#"{"jsonrpc":"2.0","id":1,"id":{},"method":"m"}"#, "null", id),
        (#"{"id":{},"method":1}"#, "null", id),
    ]

    @Test(arguments: refusals)
    func invalidRequestIsRefusedWithItsID(_ text: String, _ id: String, _ message: String) throws {
        try withView(of: text) { view in
            let refusal = #expect(throws: Envelope.Refusal.self) { try Envelope(view) }
            #expect(refusal?.error == RPCError(.invalidRequest, message))
            #expect((refusal?.id.json).map { String(decoding: $0, as: UTF8.self) } == id)
        }
    }
}
