import System
import TestSupport
import Testing

@Suite(.limited) struct TextSearchTests {
    private static func place(of other: String, in text: String) -> Int? {
        text.firstRange(of: other).map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
    }

    @Test(arguments: [
        ("abcabc", "abc", 0), ("aab", "ab", 1), ("ababac", "abac", 2), ("a://b", "://", 1), ("ä{id}", "{id}", 2),
        ("ab", "b", 1), ("a", "a", 0),
    ])
    func firstOccurrenceOfATextIsFound(text: String, other: String, place: Int) {
        #expect(Self.place(of: other, in: text) == place)
        #expect(text.contains(other))
        #expect(Self.place(of: other, in: "\(text)\(text)") == place)
        // Indices of a substring are valid in the whole text.
        let whole = "__" + text
        #expect(whole.dropFirst(2).firstRange(of: other).map { whole[$0] == other } == true)
    }

    @Test(arguments: [("abc", "abcd"), ("aXb", "ab"), ("", "a"), ("abc", ""), ("ab", "ac"), ("a{i}", "{id}")])
    func textThatDoesNotOccurIsNotFound(text: String, other: String) {
        #expect(text.firstRange(of: other) == nil)
        #expect(!text.contains(other))
    }

    /// Both strings are equal when compared as characters.
    @Test func textSearchComparesBytes() {
        #expect("caf\u{E9}".firstRange(of: "e\u{301}") == nil)
        #expect("\u{E9}" == "e\u{301}")
    }

    @Test(arguments: [
        ("a{}b{}", "{}", "x", 1, "axb{}"), ("a{}b{}", "{}", "x", Int.max, "axbx"), ("aaa", "a", "aa", .max, "aaaaaa"),
        ("abc", "d", "x", .max, "abc"), ("it's", "'", "''", .max, "it''s"), ("a", "a", "", .max, ""),
        ("a", "a", "b", 0, "a"), ("a", "", "b", .max, "a"),
    ])
    func occurrencesOfATextAreReplaced(
        text: String, other: String, replacement: String, maxCount: Int, expected: String
    ) {
        #expect(text.replacing(other, with: replacement, maxReplacements: maxCount) == expected)
    }
}
