import JSON
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Tests the summary line below a list.
@Suite(.limited) struct ListSummaryTests {
    private static func text(next: JSONValue) -> String {
        ListSummary(
            shown: 2, pages: 1, page: .object(JSONObject([("count", 9), ("next", next)])), isCut: false,
            isPaginated: false
        ).text
    }

    @Test(arguments: [3, "abc", "eyJwIjoy_-.=="] as [JSONValue])
    func summarySuggestsAPageTokenOfPlainCharacters(next: JSONValue) {
        #expect(Self.text(next: next) == "2 of 9 items, next: --page \(next.string ?? next.text), all: --all")
    }

    /// Users paste the suggestion into a shell.
    @Test(arguments: [
        "a;rm -rf ~", "$(id)", "`id`", "a b", "a|b", "a&b", "a>b", "~", "*", "'", "\"", "\\", "?page=2", "{a,b}", "#a",
        "a\nb", "\u{E9}",
    ])
    func summarySuggestsNoPageTokenThatAShellWouldInterpret(next: String) {
        #expect(Self.text(next: .string(next)) == "2 of 9 items, more: --all")
    }

    @Test func summarySuggestsNoLongPageToken() {
        let longest = String(repeating: "a", count: 40)
        #expect(Self.text(next: .string(longest)).contains("--page \(longest),"))
        #expect(Self.text(next: .string(longest + "a")) == "2 of 9 items, more: --all")
    }
}
