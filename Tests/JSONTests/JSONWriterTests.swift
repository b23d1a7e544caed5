import JSON
import TestSupport
import Testing

@Suite("The writer writes compact JSON on one line", .limited)
struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func commasAreWrittenOnlyBetweenValues() {
        let written = text { writer in
            writer.beginObject()
            writer.key("a" as StaticString)
            writer.beginArray()
            writer.integer(1)
            writer.beginArray()
            writer.endArray()
            writer.null()
            writer.beginObject()
            writer.endObject()
            writer.bool(true)
            writer.endArray()
            writer.key(text: "b")
            writer.string("x" as StaticString)
            writer.key("c" as StaticString)
            writer.splice(Array("[2]".utf8))
            writer.key("d" as StaticString)
            writer.literal("1.50")
            writer.key("e" as StaticString)
            writer.raw("false")
            writer.endObject()
        }
        #expect(written == #"{"a":[1,[],null,{},true],"b":"x","c":[2],"d":1.50,"e":false}"#)
    }

    @Test(arguments: [
        ("", #""""#),
        ("plain / text", #""plain / text""#),
        ("\"\\", #""\"\\""#),
        ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
        ("\u{0}\u{1}\u{B}\u{1F}", #""\u0000\u0001\u000b\u001f""#),
        ("\u{85}\u{2028}\u{2029}", #""\u0085\u2028\u2029""#),
        ("a\u{85}b\u{2028}c\u{2029}d", #""a\u0085b\u2028c\u2029d""#),
        ("\u{84}\u{86}\u{2027}\u{202A}\u{C5}", "\"\u{84}\u{86}\u{2027}\u{202A}\u{C5}\""),
        ("\u{7F}\u{E9}\u{20AC}\u{1F600}", "\"\u{7F}\u{E9}\u{20AC}\u{1F600}\""),
    ])
    func writtenJSONStringsAreEscaped(_ string: String, _ expected: String) throws {
        #expect(Array(text { $0.string(string) }.utf8) == Array(expected.utf8))
        #expect(text { $0.string(utf8: Array(string.utf8)) } == expected)
        #expect(text { $0.key(text: string) } == expected + ":")
        #expect(try JSONValue(parsing: expected) == .string(string))
    }

    @Test(arguments: [
        (0..<3, "[1,22,333]"), (0..<0, "[]"), (0..<1, "[1]"), (1..<2, "[22]"), (1..<3, "[22,333]"), (3..<3, "[]"),
    ])
    func valuesInARangeAreWrittenAsAJSONArray(range: Range<Int>, expected: String) {
        let texts = JSONTexts(["1", "22", "333"].map { Array($0.utf8) })
        #expect(text { $0.splice(array: texts, in: range) } == expected)
        #expect(range.map { texts.size(at: $0) } == range.map { $0 + 1 })
    }

    @Test func writtenJSONStringAddsNoLineBreak() throws {
        for value in (0...0x3000 as ClosedRange<UInt32>) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let written = text { $0.string("x\(Character(scalar))y") }
            let scalars = written.unicodeScalars
            #expect(scalars.allSatisfy { $0.value >= 0x20 && ![0x85, 0x2028, 0x2029].contains($0.value) })
            #expect(try JSONValue(parsing: written) == .string("x\(Character(scalar))y"))
        }
    }

    @Test(arguments: [
        (#"[ "\u0041\/\u00e9\u000a\u000A\u001F" ]"#, "[\"A/\u{E9}\\n\\n\\u001f\"]"),
        (#"{"\u0061" : "\ud83d\ude00"}"#, "{\"a\":\"\u{1F600}\"}"),
        ("[\"\u{2028}\u{85}\",\"\\u2028\\u0085\"]", #"["\u2028\u0085","\u2028\u0085"]"#),
        ("{\"\u{2029}\":1}", #"{"\u2029":1}"#),
        (#"["\"\\\b\f\n\r\t"]"#, #"["\"\\\b\f\n\r\t"]"#),
        (
            "[1, -0.0, 1E+5, 1.500, 123456789012345678901234567890]",
            "[1,-0.0,1E+5,1.500,123456789012345678901234567890]"
        ),
        (" [ true , false , null ] \r\n", "[true,false,null]"),
        (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#),
    ])
    func parsedValuesAreWrittenInOneCanonicalForm(_ text: String, _ expected: String) throws {
        #expect(Array(try rewritten(text).utf8) == Array(expected.utf8))
    }

    @Test(arguments: [(Int.min, "-9223372036854775808"), (0, "0"), (Int.max, "9223372036854775807")])
    func integersAreWrittenInDecimal(_ value: Int, _ expected: String) {
        #expect(text { $0.integer(value) } == expected)
    }

    @Test func largestUnsignedIntegerIsWritten() {
        #expect(text { $0.integer(UInt64.max) } == "18446744073709551615")
    }

    @Test func truncatedWriterStartsANewText() {
        let written = text { writer in
            writer.beginArray()
            writer.integer(1)
            let count = writer.bytes.count
            writer.beginObject()
            writer.key("a" as StaticString)
            writer.integer(2)
            writer.truncate(to: count)
            writer.integer(3)
        }
        #expect(written == "[13")
    }

    @Test(arguments: [(-1, ""), (0, ""), (1, "1"), (3, "123"), (4, "123"), (Int.max, "123"), (Int.min, "")])
    func writerCanBeTruncatedToAnyCount(_ count: Int, _ expected: String) {
        #expect(
            text { writer in
                writer.literal("123")
                writer.truncate(to: count)
            } == expected)
    }

    @Test(arguments: [(-5, "<>[]"), (0, "<>[]"), (1, "[<>]"), (2, "[]<>"), (9, "[]<>")])
    func textCanBeInsertedAtAnyOffsetOfAWriter(_ offset: Int, _ expected: String) {
        #expect(
            text { writer in
                writer.beginArray()
                writer.endArray()
                writer.insert("<>", at: offset)
            } == expected)
    }

    @Test func newTextStartsWithoutAComma() {
        let written = text { writer in
            writer.integer(1)
            writer.append("\n")
            writer.beginText()
            writer.integer(2)
            writer.append([0x0A])
            writer.integer(3)
        }
        #expect(written == "1\n2\n,3")
    }

    @Test func newTextStartsAfterRemoveAll() {
        let written = text { writer in
            writer.beginArray()
            writer.integer(1)
            writer.removeAll()
            writer.null()
        }
        #expect(written == "null")
    }
}
