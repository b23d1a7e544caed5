import JSON
import TestSupport
import Testing

@Suite("The parser accepts the texts of RFC 8259 and refuses all others", .limited)
struct JSONConformanceTests {
    /// The valid texts that can be nested in another text. The deepest array is left out, because it would become too
    /// deep.
    private static let embeddable = JSONText.all.filter { $0.name != "structure: deepest array" }

    @Test func tableOfJSONTextsIsLargeAndHasUniqueNames() {
        #expect(JSONText.all.count >= 250)
        #expect(Set(JSONText.all.map(\.name)).count == JSONText.all.count)
    }

    @Test(arguments: JSONText.all)
    func jsonTextIsAcceptedOrRefusedAsTheStandardRequires(_ text: JSONText) {
        let fault = faultIn(bytes: text.bytes)
        #expect((fault == nil) == text.isAccepted, "\(String(describing: fault))")
        if let fault { #expect((0...text.bytes.count).contains(fault.offset)) }
    }

    @Test(arguments: embeddable)
    func embeddedJSONTextIsValidatedInTheSameWayAsAWholeText(_ text: JSONText) {
        let embedded = Array(#"{"k": ["#.utf8) + text.bytes + Array(#", 0], "z": "y"}"#.utf8)
        #expect((faultIn(bytes: embedded) == nil) == text.isAccepted)
    }

    @Test(arguments: JSONText.all)
    func surroundingWhitespaceDoesNotChangeTheResult(_ text: JSONText) {
        for blank in Array(" \t\r\n".utf8) {
            #expect((faultIn(bytes: text.bytes + [blank]) == nil) == text.isAccepted, "after: \(blank)")
            #expect((faultIn(bytes: [blank] + text.bytes) == nil) == text.isAccepted, "before: \(blank)")
        }
    }

    /// The parser must not read memory after the text.
    @Test(arguments: JSONText.all)
    func bytesOutsideTheTextDoNotChangeTheResult(_ text: JSONText) {
        let expected = faultIn(bytes: text.bytes)
        for more in ["0000000000", "\"\"\"\"\"\"\"\"", "]]]]]]]]", "}}}}}}}}", "\u{80}\u{80}\u{80}", "uDC00\\uDC00"] {
            (text.bytes + Array(more.utf8)).withUnsafeBytes { whole in
                var tape = JSONTape()
                var found: JSONFault?
                do throws(JSONFault) {
                    try tape.parse(UnsafeRawBufferPointer(rebasing: whole[..<text.bytes.count]))
                } catch { found = error }
                #expect(found == expected, "before \(more)")
            }
        }
    }

    @Test(arguments: JSONText.all.filter(\.isAccepted))
    func rewrittenTextIsEqualToTheOriginal(_ text: JSONText) throws {
        let first = try rewritten(text.bytes)
        #expect(try rewritten(first) == first)
        #expect(first.allSatisfy { $0 >= 0x20 })
        let value = try JSONDocument(text.bytes).withRoot { JSONValue($0) }
        #expect(try JSONDocument(first).withRoot { JSONValue($0) } == value)
        // `JSONValue` keeps one of two members with equal keys. `JSONView` keeps both.
        if !text.name.contains("twice") { #expect(Array(value.text.utf8) == first) }
    }

    @Test(arguments: JSONText.all.filter(\.isAccepted))
    func acceptedJSONTextIsAlsoValidJSONC(_ text: JSONText) throws {
        #expect(try rewritten(text.bytes, as: .jsonc) == rewritten(text.bytes))
    }
}
