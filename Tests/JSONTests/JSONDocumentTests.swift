import JSON
import TestSupport
import Testing

@Suite("A document owns its text", .limited)
struct JSONDocumentTests {
    private func part(_ path: String, of document: JSONDocument) throws -> JSONPart {
        let selector = try #require(JSONSelector(path))
        return try #require(document.withRoot { selector.select(in: $0).map(document.root.part) })
    }

    @Test func rootOfAJSONDocumentExcludesSurroundingWhitespace() throws {
        let document = try JSONDocument(Array(" {\"a\": [1]} \n".utf8))
        #expect(document.root.bytes == Array("{\"a\": [1]}".utf8))
        #expect(document.bytes.count == 13)
    }

    @Test func byteOrderMarkIsSkippedOnlyOnRequest() throws {
        let text = Array("\u{FEFF} [1, 2]".utf8)
        #expect(throws: JSONFault.self) { try JSONDocument(text) }
        #expect(try JSONDocument(skippingBOM: text).root.bytes == Array("[1, 2]".utf8))
        #expect(try JSONDocument(skippingBOM: Array("[]".utf8)).root.bytes == Array("[]".utf8))
        for wrong in ["", "\u{FEFF}", "\u{FEFF}\u{FEFF}[]", "[]\u{FEFF}"] {
            #expect(throws: JSONFault.self) { try JSONDocument(skippingBOM: Array(wrong.utf8)) }
        }
    }

    @Test func partsOfAJSONDocumentCanBeStored() throws {
        let document = try JSONDocument(Array(#"{"a": [{"b": "x"}, 2], "c": {"b": "x"}}"#.utf8))
        let first = try part("a.0", of: document)
        #expect(first.bytes == Array(#"{"b": "x"}"#.utf8))
        #expect(first.withView { $0["b"]?.string } == "x")
        #expect(try part("a.1", of: document).withView { $0.integer } == 2)
        let inner = try #require(first.withView { $0["b"].map(first.part) })
        #expect(inner.bytes == Array(#""x""#.utf8))
    }

    @Test func partsOfJSONDocumentsWithEqualTextAreEqual() throws {
        let document = try JSONDocument(Array(#"{"a": [{"b": 1}], "c": {"b": 1}, "d": {"b":1}}"#.utf8))
        #expect(try part("a.0", of: document) == part("c", of: document))
        #expect(try part("c", of: document) != part("d", of: document))
        let other = try JSONDocument(Array(#"{"b": 1}"#.utf8))
        #expect(try part("c", of: document) == other.root)
    }

    @Test func errorThrownByTheClosureIsRethrown() throws {
        struct Stop: Error {}
        let document = try JSONDocument(Array("[]".utf8))
        #expect(throws: Stop.self) { try document.withRoot { _ in throw Stop() } }
    }

    @Test func invalidJSONTextThrowsItsFault() {
        #expect(throws: JSONFault("expected a value, found ']'", at: 3)) { try JSONDocument(Array("[1,]".utf8)) }
    }
}
