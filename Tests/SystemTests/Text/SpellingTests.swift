import System
import TestSupport
import Testing

@Suite(.limited) struct SpellingTests {
    private let known = ["baseURL", "headers", "auth", "timeout", "retries"]

    @Test(
        arguments: [
            ("baseurl", "baseURL"), ("header", "headers"), ("auht", "auth"), ("uaht", nil),
            ("auh", "auth"), ("tiemout", "timeout"),
            ("retrys", "retries"), ("x", nil), ("", nil), ("completely different", nil), ("AUTH", "auth"),
        ] as [(String, String?)])
    func similarNameIsSuggested(word: String, expected: String?) {
        #expect(Spelling.nearest(to: word, in: known) == expected)
    }

    @Test func emptyListGivesNoSuggestion() {
        #expect(Spelling.nearest(to: "auth", in: []) == nil)
    }

    @Test func wordWithOneLetterGetsNoSuggestion() {
        #expect(Spelling.nearest(to: "x", in: ["a", "b"]) == nil)
    }

    @Test func mostSimilarNameIsSuggested() {
        #expect(Spelling.nearest(to: "pages", in: ["page", "pages", "paged"]) == "pages")
    }
}
