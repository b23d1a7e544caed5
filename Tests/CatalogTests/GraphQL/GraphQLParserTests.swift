import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct GraphQLParserTests {
    @Test func graphQLParserReadsOperationsVariablesAndFragments() throws {
        let document = try GraphQLParser.parse(
            #"""
            # A comment with { and "
            query Page($after: String, $size: Int = 10, $ids: [ID!]! @deprecated) @cached(for: $ttl) {
              list: things(after: $after, filter: {ids: $ids, tags: ["a", $tag], at: -1.5e3, on: true, e: RED}) {
                ... on Thing @include(if: $all) { id }
                ...Part
                ... { name(format: "a\"b\u00e9") }
                query fragment on
              }
            }
            fragment Part on Thing { text(as: """a \""" "quoted" } block""", of: $size) ...Other }
            fragment Other on Thing { id }
            mutation Change { change }
            { short }
            """#)
        #expect(document.operations.map(\.kind) == ["query", "mutation", "query"])
        #expect(document.operations.map(\.name) == ["Page", "Change", nil])
        let page = try #require(document.operations.first)
        #expect(page.variables.map(\.type) == ["String", "Int", "[ID!]!"])
        #expect(page.variables.map(\.isRequired) == [false, false, true])
        #expect(page.uses.variables.map(\.name) == ["ttl", "after", "ids", "tag", "all"])
        #expect(document.variables(usedBy: page).map(\.name).contains("size"))
        #expect(document.reached(from: page).map(\.name) == ["Part", "Other"])
        #expect(document.circle == nil && page.offset == 25)
    }

    @Test func longFragmentChainIsParsed() throws {
        let chain = (0..<3_000).map { "fragment f\($0) on T { ...f\($0 + 1) }" }.joined(separator: " ")
        let straight = try GraphQLParser.parse("{ ...f0 } \(chain) fragment f3000 on T { id }")
        #expect(straight.circle == nil)
        #expect(straight.reached(from: try #require(straight.operation(named: nil))).count == 3_001)
        let bent = try GraphQLParser.parse("{ ...f0 } \(chain) fragment f3000 on T { ...f2998 }")
        #expect(bent.circle?.name == "f2998")
    }

    /// There are more than 10^20 paths through these fragments, so the search must visit each fragment once.
    @Test func fragmentsOnManyPathsAreVisitedOnce() throws {
        let fragments = (0..<100).map { "fragment f\($0) on T { ...f\($0 + 1) ...f\($0 + 2) }" }.joined(separator: " ")
        let document = try GraphQLParser.parse(
            "{ ...f0 } \(fragments) fragment f100 on T { id } fragment f101 on T { id }")
        #expect(document.circle == nil)
    }

    @Test func cyclicGraphQLFragmentsAreFound() throws {
        let document = try GraphQLParser.parse("{ ...a } fragment a on T { ...b } fragment b on T { ...a }")
        let sent = try #require(document.operation(named: nil))
        #expect(document.reached(from: sent).map(\.name) == ["a", "b"])
        #expect(document.circle?.name == "a")
    }

    @Test(
        arguments: [
            ("{ a ", "expected a field, found the end of the document", 4), ("{ }", "expected a field, found '}'", 2),
            ("quer { a }", "expected an operation or a fragment, found 'quer'", 0),
            ("{ a } }", "expected an operation or a fragment, found '}'", 6),
            ("", "expected an operation or a fragment, found the end of the document", 0),
            ("query () { a }", "expected '$', found ')'", 7), ("{ a() }", "expected an argument, found ')'", 4),
            ("query ($a ID) { a }", "expected ':', found 'ID'", 10),
            ("query ($a: [ID) { a }", "expected ']', found ')'", 14),
            (
                "query ($a: ID = $b) { a }",
                "the default value of a variable must not contain a variable; use a constant", 16
            ),
            ("{ a(b: ) }", "expected a value, found ')'", 7), ("{ a: 1 }", "expected a field, found a number", 5),
            ("{ a(b: \"x\n\") }", "a string is not closed on its line; add the closing quote", 7),
            ("{ a(b: \"\\x\") }", "a string has an invalid escape; write '\\\\' for a backslash", 8),
            ("{ a(b: \"\\u12\") }", "a string has an invalid escape; write '\\\\' for a backslash", 8),
            ("{ a(b: \"\"\"x) }", "a block string is not closed; end it with three quotes", 7),
            ("{ a(b: 01) }", "invalid number", 7), ("{ a(b: 1.) }", "invalid number", 7),
            ("{ a(b: 1e) }", "invalid number", 7), ("{ a(b: 1x) }", "invalid number", 7),
            ("{ a(b: -) }", "invalid number", 7), ("{ a .. b }", "unexpected '.'", 4),
            ("{ a; }", "unexpected ';'", 3), ("{ é }", "unexpected character", 2),
            ("fragment on on T { a }", "a fragment cannot have the name 'on'; rename the fragment", 9),
            ("fragment a of T { a }", "expected 'on', found 'of'", 11),
            ("type T { a: Int }", "expected an operation or a fragment, found 'type'", 0),
        ] as [(String, String, Int)])
    func invalidGraphQLDocumentIsRefused(text: String, reason: String, offset: Int) {
        do throws(GraphQLFault) {
            _ = try GraphQLParser.parse(text)
            Issue.record("the document was accepted")
        } catch {
            #expect(error == GraphQLFault(reason, at: offset))
        }
    }

    @Test func deeplyNestedGraphQLDocumentIsRefused() throws {
        let deep = String(repeating: "{a", count: 190) + String(repeating: "}", count: 190)
        #expect(try GraphQLParser.parse(deep).operations.count == 1)
        for part in ["{a", "{a(b:" + String(repeating: "[", count: 300)] {
            #expect(throws: GraphQLFault.self) { try GraphQLParser.parse(String(repeating: part, count: 100_000)) }
        }
    }

    @Test func graphQLDocumentWithTwoHundredLevelsIsAccepted() throws {
        let levels = { String(repeating: "{a", count: $0) + String(repeating: "}", count: $0) }
        #expect(try GraphQLParser.parse(levels(200)).operations.count == 1)
        #expect(throws: GraphQLFault.self) { try GraphQLParser.parse(levels(201)) }
    }

    /// A truncated document throws an error and does not crash the parser.
    @Test func truncatedGraphQLDocumentsAreRefused() {
        let text = Array(
            "query A($a: [I!]! = [1.5e-3, \"\\u00e9\"]) @d(e: {f: $a}) { b: c(d: \"\"\"e\"\"\") { ...F } }".utf8)
        for count in 0..<text.count {
            #expect(throws: GraphQLFault.self) {
                try GraphQLParser.parse(String(decoding: text.prefix(count), as: UTF8.self))
            }
        }
    }
}
