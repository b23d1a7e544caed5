import JSON
import TestSupport
import Testing

@Suite("A fault has a reason and a position", .limited)
struct JSONFaultTests {
    struct Case: Sendable {
        let text: String
        let reason: String
        let offset: Int
        let line: Int
        let column: Int

        init(_ text: String, _ reason: String, at offset: Int, _ line: Int, _ column: Int) {
            (self.text, self.reason, self.offset, self.line, self.column) = (text, reason, offset, line, column)
        }
    }

    @Test func positionsOfSeveralOffsetsMatchSinglePositions() {
        let text = Array("a\nbé\n\n東京 x\r\ny".utf8)
        let offsets = [0, 0, 1, 2, 4, 5, 6, 9, 12, 14, 100, 100]
        #expect(JSONPosition.positions(of: offsets, in: text) == offsets.map { JSONPosition(of: $0, in: text) })
    }

    static let cases = [
        Case("", "expected a value, but the JSON ends", at: 0, 1, 1),
        Case("\n\n", "expected a value, but the JSON ends", at: 2, 3, 1),
        Case("[1,\n 2,\n ]", "expected a value, found ']'", at: 9, 3, 2),
        Case("[1 2]", "expected ',' or ']', found '2'", at: 3, 1, 4),
        Case("[1", "expected ',' or ']', found the end of input", at: 2, 1, 3),
        Case("{\"a\": 1\n\"b\": 2}", "expected ',' or '}', found '\"'", at: 8, 2, 1),
        Case("{\"a\" 1}", "expected ':' after the key, found '1'", at: 5, 1, 6),
        Case("{\"a\"", "expected ':' after the key, found the end of input", at: 4, 1, 5),
        Case("{a: 1}", "expected a key in quotes, found 'a'", at: 1, 1, 2),
        Case("{\"a\":1,}", "expected a key in quotes, found '}'", at: 7, 1, 8),
        Case("{", "expected a key in quotes, found the end of input", at: 1, 1, 2),
        Case("[tru]", "expected 'true'", at: 1, 1, 2),
        Case("[\nfals\n]", "expected 'false'", at: 2, 2, 1),
        Case("nul", "expected 'null'", at: 0, 1, 1),
        Case("[01]", "a number must not have leading zeros", at: 2, 1, 3),
        Case("[-]", "expected a digit, found ']'", at: 2, 1, 3),
        Case("1.", "expected a digit, found the end of input", at: 2, 1, 3),
        Case("1 2", "unexpected '2' after the value", at: 2, 1, 3),
        Case("{}\r\n}", "unexpected '}' after the value", at: 4, 2, 1),
        Case("\u{0}", "expected a value, found byte 0x0", at: 0, 1, 1),
        Case("[\u{FEFF}]", "expected a value, found byte 0xEF", at: 1, 1, 2),
        Case("[\"a", "the string is not closed with '\"'", at: 1, 1, 2),
        Case("[\"a\nb\"]", "a control character in a string must be escaped", at: 3, 1, 4),
        Case(#"["\x"]"#, "a backslash in a string must be written '\\\\', or begin a known escape", at: 2, 1, 3),
        Case(#"["\u00g0"]"#, "an escape '\\u' needs four hexadecimal digits", at: 2, 1, 3),
        Case(#"["\uD800"]"#, "a '\\u' escape is half of a surrogate pair; add the other half", at: 2, 1, 3),
        Case(#"["\uD800\u0041"]"#, "a '\\u' escape is half of a surrogate pair; add the other half", at: 2, 1, 3),
        Case("[\"\u{E9}\u{20AC}\u{1F600}\", x]", "expected a value, found 'x'", at: 14, 1, 9),
        Case("[\r\n\t\"\u{E9}\",\r\n\t\tx]", "expected a value, found 'x'", at: 13, 3, 3),
    ]

    @Test(arguments: cases)
    func jsonFaultHasReasonAndPosition(_ expected: Case) throws {
        let fault = try #require(faultIn(expected.text))
        #expect(fault == JSONFault(expected.reason, at: expected.offset))
        let position = JSONPosition(of: fault.offset, in: expected.text.utf8)
        #expect(position.line == expected.line)
        #expect(position.column == expected.column)
        #expect(
            fault.description(in: expected.text.utf8)
                == "\(expected.reason) at line \(expected.line), column \(expected.column)")
    }

    @Test func offsetPastTheEndHasThePositionOfTheEnd() {
        let position = JSONPosition(of: 100, in: "ab\nc".utf8)
        #expect(position.line == 2)
        #expect(position.column == 2)
    }
}
