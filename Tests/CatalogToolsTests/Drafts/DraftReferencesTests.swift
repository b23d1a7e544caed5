import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests that a draft contains no string from a document that the catalog would replace as a reference.
@Suite(.limited) struct DraftReferencesTests {
    private static var secret: DraftValue { .text("a${env:KEY}") }

    private func text(_ lines: [DraftLine]) -> String { DraftPrinter.text(of: DraftReferences.removed(from: lines)) }

    private func comment(_ key: String) -> String {
        "// '\(key)' is left out: the text contains '${', which a catalog would replace\n"
    }

    @Test func draftMemberWithACatalogReferenceBecomesAComment() {
        let values: [DraftValue] = [
            .text("a${env:KEY}"), .array([.text("x"), Self.secret]), .json(.array(["x", "${var:A}"])),
            .json(["k": ["n": "${file:/x}"]]), .array([.object([.member("k", Self.secret)])]),
        ]
        for value in values {
            let shown = text([.text("a", "1"), .member("b", value), .text("c", "2")])
            #expect(shown == "\"a\": \"1\",\n\(comment("b"))\"c\": \"2\",\n")
        }
    }

    @Test func draftValueWithoutACatalogReferenceIsKept() {
        let values: [DraftValue] = [
            .text("$ {env:KEY}"), .text("$"), .json(1), .json(.null), .json(true), .json(["${env:KEY}": 1]),
            .array([.object([.comment("${env:KEY}"), .text("k", "v")])]),
        ]
        for value in values {
            let lines: [DraftLine] = [.comment("${env:KEY}"), .member("b", value, note: "${env:KEY}")]
            #expect(DraftReferences.removed(from: lines) == lines)
        }
    }

    @Test(arguments: ["query", "headers", "filters", "fields"])
    func draftOmitsOneMemberWithAReferenceAndKeepsTheOthers(key: String) {
        let lines: [DraftLine] = [.member(key, .object([.member("a", Self.secret), .text("b", "1")]), note: "why")]
        let kept: [DraftLine] = [
            .member(
                key,
                .object([
                    .comment("'a' is left out: the text contains '${', which a catalog would replace"),
                    .text("b", "1"),
                ]), note: "why")
        ]
        #expect(DraftReferences.removed(from: lines) == kept)
        #expect(text([.member(key, .object([.member("a", Self.secret)]))]) == comment("a"))
    }

    @Test func draftOmitsAnObjectIfItsOtherMembersNeedTheOmittedMember() {
        #expect(text([.member("get", .object([.member("path", Self.secret), .text("b", "1")]))]) == comment("get"))
        let query = DraftLine.member("query", .object([.member("q", Self.secret)]))
        let nested = DraftLine.member("get", .object([.text("b", "1"), query]))
        #expect(text([nested]) == "\"get\": {\n  \"b\": \"1\",\n  \(comment("q"))},\n")
        #expect(text([.member("get", .object([query]))]) == comment("q"))
    }
}
