import JSON
import Protocol
import TestSupport
import Testing

@Suite("A request's id is echoed as sent", .limited)
struct RequestIDTests {
    private func id(_ text: String) throws -> RequestID? { try withView(of: text) { RequestID($0) } }

    @Test(arguments: [
        ("1", "1"), ("1.0", "1.0"), ("1e0", "1e0"), ("-0", "-0"), ("null", "null"), (#""1""#, #""1""#),
        (#""\u0041""#, #""A""#), (#""\/\u000a\u2028""#, #""/\n\u2028""#), (#""\ud83d\ude00""#, "\"\u{1F600}\""),
    ])
    func requestIDIsEchoedAsSent(_ text: String, _ json: String) throws {
        #expect(try id(text)?.json == Array(json.utf8))
    }

    @Test(arguments: ["true", "false", "[]", "[1]", "{}"])
    func requestIDMustBeAStringNumberOrNull(_ text: String) throws {
        #expect(try id(text) == nil)
    }

    @Test(arguments: [(#""A""#, #""\u0041""#), (#""/""#, #""\/""#), (" 1", "1 "), (#""\u00E9""#, "\"\u{E9}\"")])
    func differentJSONSpellingsOfARequestIDAreEqual(_ left: String, _ right: String) throws {
        #expect(try id(left) == id(right))
        #expect(try Set([id(left), id(right)]).count == 1)
    }

    @Test func idsOfDifferentTypeOrTextAreNotEqual() throws {
        let texts = [
            "1", "\"1\"", "1.0", "1e0", "10e-1", "null", "\"null\"", "\"a\"", "\"A\"", "\"\"", "\" \"", "0", "-0",
        ]
        #expect(try Set(texts.map { try id($0) }).count == texts.count)
        // Both ids look alike but have different scalars.
        #expect(try id("\"\u{E9}\"") != id("\"e\u{301}\""))
    }

    @Test func requestIDNullEqualsTheIDOfUnreadableMessages() throws {
        #expect(try id("null") == .null)
    }
}
