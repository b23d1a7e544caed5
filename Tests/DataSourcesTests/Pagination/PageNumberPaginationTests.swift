import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model

/// The pagination style `page`: page info from answers.
@Suite(.limited) struct PageNumberPaginationTests {
    private static let silent = PageNumberPagination(parameter: "page")
    private static let telling = PageNumberPagination(
        parameter: "page",
        signals: ListSignals(count: .header("X-Total"), pages: .body(JSONSelector(field: "pages"))))

    @Test func pageWithItemsHasANextPage() throws {
        let info = try Self.silent.info(.number(7), #"{"items": [{}]}"#)
        #expect(info == PageInfoDTO(current: .number(7), next: .number(8), previous: .number(6)))
    }

    @Test func emptyPageIsTheLastPage() throws {
        #expect(try Self.silent.info(.number(7), #"{"items": []}"#) == PageInfoDTO(current: .number(7)))
        let info = try Self.telling.info(.number(2), #"{"items": [], "pages": 3}"#, ["X-Total": "9"])
        var expected = PageInfoDTO(current: .number(2), pages: 3, count: 9, previous: .number(1))
        expected.isEndUncertain = true
        #expect(info == expected)
        expected = PageInfoDTO(current: .number(2), pages: 2, count: 9, previous: .number(1))
        #expect(try Self.telling.info(.number(2), #"{"items": [], "pages": 2}"#, ["X-Total": "9"]) == expected)
    }

    /// A null page count does not end the list. An empty page without any count does.
    @Test(arguments: [#"{"items": [], "pages": null}"#, #"{"items": []}"#])
    func emptyPageWithoutAPageCountIsTheLastPage(body: String) throws {
        var style = Self.silent
        style.signals.pages = .body(JSONSelector(field: "pages"))
        #expect(try style.info(.number(3), #"{"items": [{}], "pages": null}"#).next == .number(4))
        #expect(try style.info(.number(4), body) == PageInfoDTO(current: .number(4)))
        let counted = PageInfoDTO(current: .number(4), count: 6, previous: .number(3))
        #expect(try Self.telling.info(.number(4), body, ["X-Total": "6"]) == counted)
        #expect(throws: APIError(.notFound, "page 4 is past the end of the list; request an earlier page")) {
            try Self.telling.info(.number(4), body)
        }
    }

    /// Some APIs return numbers as strings, or with a fraction of zero.
    @Test(arguments: ["3", #""3""#, "3.0", "3.000"]) func pageCountIsParsed(pages: String) throws {
        #expect(try Self.telling.info(.number(1), #"{"items": [{}], "pages": \#(pages)}"#).pages == 3)
    }

    @Test(arguments: ["3.5", "3e0", "-1.0", #""3.0""#, "true"]) func invalidPageCountIsAnError(pages: String) {
        #expect(throws: APIError(.decodingFailed, "expected a number at 'pages'", path: "pages")) {
            try Self.telling.info(.number(1), #"{"items": [{}], "pages": \#(pages)}"#)
        }
    }

    @Test(arguments: [
        ("true", false), ("1", false), (#""True""#, false), (#""1""#, false), ("false", true), ("0", true),
        (#""FALSE""#, true), (#""0""#, true),
    ])
    func morePagesMayBeSignalledByABooleanANumberOrAString(more: String, isEnd: Bool) throws {
        var style = Self.silent
        style.signals.more = .body(JSONSelector(field: "more"))
        let body = #"{"items": [{}], "more": \#(more)}"#
        #expect(try style.info(.number(2), body).next == (isEnd ? nil : .number(3)))
        style.signals.more = .header("X-More")
        let headers = ["x-more": more.filter { $0 != "\"" }]
        #expect(try style.info(.number(2), #"{"items": [{}]}"#, headers).next == (isEnd ? nil : .number(3)))
    }

    @Test func largestPageNumberHasNoNextPage() throws {
        let info = try Self.silent.info(.number(Int.max), #"{"items": [{}]}"#)
        #expect(info == PageInfoDTO(current: .number(Int.max), previous: .number(Int.max - 1)))
    }

    @Test func pageInfoIsReadFromHeaders() throws {
        let info = try Self.telling.info(.number(1), #"{"items": [{}], "pages": 2}"#, ["x-total": "21"])
        #expect(info == PageInfoDTO(current: .number(1), pages: 2, count: 21, next: .number(2)))
        #expect(try Self.telling.info(.number(1), #"{"items": [{}], "pages": 2}"#).count == nil)
    }

    @Test(arguments: ["many", "-1", "1.5", ""]) func pageCountHeaderThatIsNotANumberIsAnError(text: String) {
        #expect(
            throws: APIError(
                .decodingFailed,
                "the API's header 'X-Total' is not a number; correct the header's name in \"pagination\"",
                path: "X-Total")
        ) {
            try Self.telling.info(.number(1), #"{"items": [{}], "pages": 2}"#, ["X-Total": text])
        }
    }

    @Test func firstPageNumberMayBeZero() throws {
        var style = Self.telling
        style.firstNumber = 0
        #expect(style.first == .number(0) && style.form.takes(.number(0)) && !style.form.takes(.number(-1)))
        let body = #"{"items": [{}], "pages": 2}"#
        #expect(try style.info(.number(0), body) == PageInfoDTO(current: .number(0), pages: 2, next: .number(1)))
        #expect(try style.info(.number(1), body) == PageInfoDTO(current: .number(1), pages: 2, previous: .number(0)))
        #expect(throws: APIError(.notFound, "page 2 is past the end of the list; request an earlier page")) {
            try style.info(.number(2), #"{"items": [], "pages": 2}"#)
        }
    }

    /// A full first page without a next page may be the last one, or the API may have ignored the page size.
    @Test(arguments: [(0, 0, true), (0, 1, false), (1, 1, true), (1, 2, false)])
    func endOfTheListIsUncertainOnlyAfterAFullFirstPage(least: Int, number: Int, isUncertain: Bool) throws {
        var style = Self.silent
        style.firstNumber = least
        style.signals.next = .body(JSONSelector(field: "next"))
        style.signals.size = ListSignals.Size(parameter: "size", value: 1)
        #expect(try style.info(.number(number), #"{"items": [{}]}"#).isEndUncertain == isUncertain)
    }

    /// The page size and the count of five items determine the last page. Pagination continues if a page is shorter
    /// than the page size.
    @Test(arguments: [(1, 2, true), (2, 2, true), (3, 1, false), (3, 2, true), (3, 0, false), (5, 1, true)])
    func pageSizeDeterminesTheLastPage(number: Int, items: Int, hasNext: Bool) throws {
        var style = PageNumberPagination(parameter: "page")
        style.signals.count = .body(JSONSelector(field: "total"))
        style.signals.size = ListSignals.Size(parameter: "size", value: 2)
        #expect(style.parameters(of: .number(3)) == [ListParameter("page", 3), ListParameter("size", 2)])
        let body = #"{"total": 5, "items": [\#([String](repeating: "{}", count: items).joined(separator: ","))]}"#
        #expect(try style.info(.number(number), body).next == (hasNext ? .number(number + 1) : nil))
    }

    @Test(
        arguments: [("null", nil), (#""""#, nil), ("false", nil), (#""/x?page=3""#, 3), ("3", 3)] as [(String, Int?)])
    func pageWithoutTheNumberOfANextPageIsTheLastPage(next: String, expected: Int?) throws {
        var style = Self.silent
        style.signals.next = .body(JSONSelector(field: "next"))
        let info = try style.info(.number(2), #"{"items": [{}], "next": \#(next)}"#)
        #expect(info.next == expected.map { .number($0) })
        #expect(try style.info(.number(2), #"{"items": [{}]}"#).next == nil)
    }

    @Test func endSignalEndsAListWithPageNumbers() throws {
        var style = Self.silent
        style.signals.more = .body(JSONSelector(field: "more"))
        #expect(try style.info(.number(2), #"{"items": [{}], "more": false}"#).next == nil)
        #expect(try style.info(.number(2), #"{"items": [{}], "more": true}"#).next == .number(3))
    }

    @Test func allSettingsOfPageNumberPaginationAreDecoded() throws {
        let list = #"""
            {"list": {"path": "/t", "pagination": {"style": "page", "param": "p", "first": 0, "next": "links.next",
              "size": {"param": "limit", "value": 50}, "count": "total", "pages": {"header": "X-Pages"}, "last": "end"}}}
            """#
        let expected = PageNumberPagination(
            parameter: "p", firstNumber: 0,
            signals: ListSignals(
                size: .init(parameter: "limit", value: 50), count: .body(JSONSelector(field: "total")),
                pages: .header("X-Pages"), last: .body(JSONSelector(field: "end")),
                next: JSONSelector("links.next").map { .body($0) }))
        let read = try CatalogText.decode(CatalogText.make(rest: list)).resources[0].list?.pagination
        #expect(read == Pagination(expected))
    }

    @Test func pageNumbersBelowTheFirstPageAreRejected() {
        #expect(Self.silent.first == .number(1))
        #expect(Self.silent.form.takes(.number(1)))
        for token in [PageToken.number(0), .number(-1), .opaque("2"), .first] {
            #expect(!Self.silent.form.takes(token))
        }
    }

    @Test func paginationsWithDifferentSettingsAreNotEqual() {
        #expect(Pagination(Self.silent) == Pagination(PageNumberPagination(parameter: "page")))
        #expect(Pagination(Self.silent) != Pagination(Self.telling))
        #expect(Pagination(Self.silent) != Pagination(SinglePage()))
    }
}
