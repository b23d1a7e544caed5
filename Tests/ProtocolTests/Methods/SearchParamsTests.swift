import JSON
import TestSupport
import Testing

@testable import Protocol

/// The `text` of `R/search` may be blank, which matches all items.
@Suite("The params of a search", .limited)
struct SearchParamsTests {
    private static func refusal(_ text: String?) throws -> RPCError? {
        try ProtocolTests.refusal(of: text) { reader throws(RPCError) in try SearchParams(reader) }
    }

    @Test(arguments: [
        "{}", #"{"text":null,"filter":null,"limit":null,"offset":null}"#, #"{"text":"rick"}"#, #"{"text":""}"#,
        #"{"text":" \t"}"#, #"{"limit":0}"#, #"{"limit":1000}"#, #"{"offset":0}"#, #"{"offset":9000000000}"#,
        #"{"filter":{"a":1}}"#, #"{"workDoneToken":1}"#,
    ])
    func validParamsAreAccepted(_ text: String) throws { #expect(try Self.refusal(text) == nil) }

    @Test(arguments: [
        (#"{"text":1}"#, "'text' must be a string of at most 1000 characters"),
        (#"{"limit":1001}"#, "'limit' must be an integer from 0 to 1000"),
        (#"{"limit":-1}"#, "'limit' must be an integer from 0 to 1000"),
        (#"{"limit":1.5}"#, "'limit' must be an integer from 0 to 1000"),
        (#"{"offset":-1}"#, "'offset' must be an integer from 0"),
        (#"{"filter":[]}"#, "'filter' must be an object of strings, numbers or booleans"),
        (#"{"ofset":1}"#, "unknown parameter 'ofset': this method takes 'text', 'filter', 'fields', 'limit', 'offset'"),
        ("[]", "'params' must be an object with named members"),
    ])
    func invalidParamsAreRefused(_ text: String, _ message: String) throws {
        #expect(try Self.refusal(text) == RPCError(.invalidParams, message))
    }

    @Test(arguments: [(1, 1), (1000, 1000), (1001, 1000), (Int.max, 1000)])
    func filterAndLimitPassedAsArgumentsReplaceTheParams(given: Int, limit: Int) throws {
        let filter = FilterParam([("b", 1), ("a", "x"), ("c", .null)])
        let read = try params(#"{"text":"x","limit":"none","filter":7,"offset":2}"#) { reader throws(RPCError) in
            try SearchParams(ParamsReader(checked: reader.view), filter: filter, limit: given)
        }
        #expect((read.text, read.limit, read.offset) == ("x", limit, 2))
        #expect(read.filter?.members == [.init(name: "a", value: "x"), .init(name: "b", value: 1)])
    }

    @Test func absentParametersHaveDefaults() throws {
        let params = try SearchParams(ParamsReader(nil))
        #expect((params.text, params.filter, params.limit, params.offset) == (nil, nil, 20, 0))
    }
}
