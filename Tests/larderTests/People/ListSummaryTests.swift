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
    func summarySuggestsAPageTokenIfItHasOnlyPlainCharacters(next: JSONValue) {
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

    @Test(
        arguments: [
            (["current": 1, "pages": 2], "2 items, page 1 of 2"), (["current": 1, "pages": 1], "2 items"),
            (["pages": 2], "2 items"), (["count": 2], "2 items"), (["count": 3], "2 of 3 items"), ([:], "2 items"),
        ] as [(JSONValue, String)])
    func summaryCountsItemsAndPages(page: JSONValue, expected: String) {
        #expect(ListSummary(shown: 2, pages: 1, page: page, isCut: false, isPaginated: false).text == expected)
    }

    @Test func summaryOfSeveralPagesHasTheNumberOfReadPages() {
        func text(_ pages: Int, isCut: Bool, next: JSONValue = .null) -> String {
            let page: JSONValue = ["current": 3, "pages": 9, "next": next]
            return ListSummary(shown: 1, pages: pages, page: page, isCut: isCut, isPaginated: true).text
        }
        #expect(text(1, isCut: false) == "1 item")
        #expect(text(2, isCut: false) == "1 item, 2 pages")
        #expect(text(2, isCut: true) == "1 item, 2 pages, more: --all")
        #expect(text(2, isCut: false, next: 4) == "1 item, 2 pages, more: --all")
    }

    @Test func summaryOfAllPagesSuggestsALimit() {
        let summary = ListSummary(shown: 3, pages: 2, page: [:], isCut: true, isPaginated: true, isAll: true)
        #expect(summary.text == "3 items, 2 pages, more: --limit N")
    }

    @Test func summaryOfAShortenedPageSuggestsNoNextPage() {
        let page: JSONValue = ["current": 1, "next": 2]
        #expect(
            ListSummary(shown: 2, pages: 1, page: page, isCut: true, isPaginated: false).text == "2 items, more: --all")
    }

    @Test func summarySuggestsNoLongPageToken() {
        let longest = String(repeating: "a", count: 40)
        #expect(Self.text(next: .string(longest)).contains("--page \(longest),"))
        #expect(Self.text(next: .string(longest + "a")) == "2 of 9 items, more: --all")
    }
}
