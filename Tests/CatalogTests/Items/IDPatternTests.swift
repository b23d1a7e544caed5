import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct IDPatternTests {
    @Test(
        arguments: [
            ("*/{id}", "https://a.test/x/7", "7"), ("*/{id}/", "/x/7/", "7"), ("*/{id}/", "/x/7", nil),
            ("/x/*{id}", "9", nil), ("/x/*{id}", "/x/yz9", "9"), ("{id}*", "7-title", "7"), ("{id}", "a/7", nil),
            ("{id}", "7", "7"), ("*-{id}", "7", nil), ("*", "7", nil),
        ] as [(String, String, String?)])
    func idPatternExtractsAnInteger(pattern: String, text: String, id: String?) {
        #expect(IDPattern(pattern)?.id(in: text, as: .integer) == id)
    }

    @Test func idExtendsAsFarAsThePatternAllows() {
        #expect(IDPattern("*/{id}*")?.id(in: "/a-b/c", as: .string) == "a-b")
        #expect(IDPattern("*{id}-*")?.id(in: "a-b-c", as: .string) == "a-b")
    }

    @Test(arguments: ["x", "{id}{id}", ""]) func idPatternNeedsExactlyOnePlaceholder(pattern: String) {
        #expect(IDPattern(pattern) == nil)
    }

    @Test func stringOfMoreThan4096BytesDoesNotMatchAnIDPattern() {
        let text = String(repeating: "/", count: 4095)
        #expect(IDPattern("*/{id}")?.id(in: text + "7", as: .integer) == "7")
        #expect(IDPattern("*/{id}")?.id(in: text + "/7", as: .integer) == nil)
    }
}
