import JSON
import TestSupport
import Testing

@Suite(.limited) struct VisibleTextTests {
    @Test(
        arguments: [
            ("plain é 日本 👍", "plain é 日本 👍"), ("a\u{1B}[31mb", #"a\u001b[31mb"#),
            ("\u{7}\u{7F}\u{9B}", #"\u0007\u007f\u009b"#),
            ("a\nb\r\nc\td", #"a\nb\r\nc\td"#), ("\u{202E}\u{2066}\u{200F}\u{61C}", #"\u202e\u2066\u200f\u061c"#),
            ("\u{2028}", #"\u2028"#), ("👨‍👩‍👧", "👨‍👩‍👧"), ("\u{0}", #"\u0000"#), ("", ""),
        ])
    func terminalControlsAreEscaped(text: String, shown: String) {
        #expect(VisibleText.line(text) == shown)
    }

    @Test(
        arguments: [
            0x00...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
        ] as [ClosedRange<UInt32>])
    func escapedTextHasNoControlCharacters(range: ClosedRange<UInt32>) throws {
        for value in range {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(VisibleText.line(String(scalar)).utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(value)")
            let json = VisibleText.json(JSONValue.string("a\(scalar)b").text)
            #expect(json.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(value)")
            #expect(try JSONValue(parsing: json) == .string("a\(scalar)b"), "\(value)")
        }
    }

    @Test func textBeyondTheLimitIsCut() {
        #expect(VisibleText.line("abcdef", limit: 3) == "abc…")
        #expect(VisibleText.line("abc", limit: 3) == "abc")
    }
}
