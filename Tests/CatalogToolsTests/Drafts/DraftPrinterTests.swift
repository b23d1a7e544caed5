import JSON
import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct DraftPrinterTests {
    @Test func draftPrintsAShortValueOnOneLine() {
        let lines: [DraftLine] = [
            .member("a", .object([.text("x", "1"), .member("y", .array([.json(1), .text("b")]))]), note: "why")
        ]
        #expect(DraftPrinter.text(lines) == "{\n  \"a\": {\"x\": \"1\", \"y\": [1, \"b\"]},  // why\n}\n")
    }

    @Test func draftPrintsALongValueOnSeveralLines() {
        let long = String(repeating: "x", count: 110)
        let text = DraftPrinter.text([.member("a", .object([.text("b", long)]), note: "why")])
        #expect(text == "{\n  // why\n  \"a\": {\n    \"b\": \"\(long)\",\n  },\n}\n")
    }

    @Test func commentsOfADraftAreWrapped() {
        let text = DraftPrinter.text([.comment(String(repeating: "word ", count: 80))])
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 120 })
        #expect(text.split(separator: "\n").count == 6)
    }
}
