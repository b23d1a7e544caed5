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

    /// Returns the first line of a draft with the member `a` and a note.
    private func firstLine(_ value: DraftValue, _ note: String? = nil) -> String {
        String(DraftPrinter.text(of: [.member("a", value, note: note)]).prefix { $0 != "\n" })
    }

    @Test func draftLineHasAtMost120Characters() {
        // `"a": ["x…"],` has 10 characters besides the text.
        for (count, isOneLine) in [(110, true), (111, false)] {
            let line = firstLine(.array([.text(String(repeating: "x", count: count))]))
            #expect((line.utf8.count == 120) == isOneLine && (line == "\"a\": [") != isOneLine, "\(line)")
        }
        // A single value is never split. Its note stands above it if the line would be too long.
        for (count, isAbove) in [(102, false), (103, true)] {
            let line = firstLine(.text(String(repeating: "x", count: count)), "notes")
            #expect((line == "// notes") == isAbove && (line.utf8.count == 120) != isAbove, "\(line)")
        }
    }

    @Test func commentLineHasAtMost120Characters() {
        let word = String(repeating: "x", count: 57)
        for (end, lines) in [("y", 1), ("yy", 2)] {
            let text = DraftPrinter.text(of: [.comment("\(word) \(word) \(end)")])
            #expect(text.split(separator: "\n").count == lines, "\(text)")
        }
        let long = String(repeating: "z", count: 200)
        #expect(DraftPrinter.text(of: [.comment("\(long) a")]) == "// \(long)\n// a\n")
    }

    @Test func commentHasAtMost600Characters() {
        let longest = String(repeating: "x", count: 600)
        #expect(DraftPrinter.text(of: [.comment(longest)]) == "// \(longest)\n")
        #expect(DraftPrinter.text(of: [.comment(longest + "x")]) == "// \(longest)\n// ...\n")
    }

    @Test func commentIsOneLineOfVisibleText() {
        let text = DraftPrinter.text(of: [.comment(" a\n\nb\u{2028}c\u{202E}d \t ")])
        #expect(text == "// a b c d\n")
        #expect(DraftPrinter.text([.text("a", "1")], under: ["x", "y"]) == "// x\n// y\n{\n  \"a\": \"1\",\n}\n")
    }

    @Test func nestedValuesAreIndented() {
        let long = String(repeating: "x", count: 60)
        let lines: [DraftLine] = [
            .member("a", .array([.text(long), .array([.text(long), .text(long)]), .json(["k": [1, true]])])),
            .member("b", .object([.comment("c"), .member("d", .json([]), note: "n")]), note: "above"),
        ]
        #expect(
            DraftPrinter.text(lines) == """
                {
                  "a": [
                    "\(long)",
                    [
                      "\(long)",
                      "\(long)",
                    ],
                    {"k": [1, true]},
                  ],
                  // above
                  "b": {
                    // c
                    "d": [],  // n
                  },
                }

                """)
    }
}
