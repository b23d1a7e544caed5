import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model

/// The pagination style `cursor`: parameters of requests, and page info from answers.
@Suite(.limited) struct CursorPaginationTests {
    private static let next = JSONSelector(field: "next")
    private static let said = CursorPagination(next: .response(.body(next), parameter: "after"))
    private static let last = CursorPagination(next: .lastItem(JSONSelector(field: "id"), parameter: "after"))
    private static let merged = CursorPagination(next: .merged(next))

    /// Cursors in JSON with their page tokens.
    private static let cursors: [(String, PageToken?)] = [
        (#""abc""#, .opaque("abc")), (#""7""#, .opaque("7")), ("7", .number(7)), ("-7", .number(-7)),
        ("1.0", .opaque("json:1.0")), ("99999999999999999999", .opaque("json:99999999999999999999")),
        ("-0", .opaque("json:-0")), ("true", .opaque("json:true")), (#"{"a": [1]}"#, .opaque(#"json:{"a":[1]}"#)),
        ("[]", .opaque("json:[]")), (#""json:1""#, .opaque(#"json:"json:1""#)), (#""""#, nil), ("null", nil),
        ("false", nil),
    ]

    @Test(arguments: cursors) func cursorsOfAnyTypeBecomePageTokens(cursor: String, token: PageToken?) throws {
        let info = try Self.said.info(.first, #"{"items": [{}], "next": \#(cursor)}"#)
        #expect(info == PageInfoDTO(current: .first, next: token))
        guard let token else { return }
        #expect(try Self.said.parameters(of: token) == [ListParameter("after", try JSONValue(parsing: cursor))])
    }

    @Test func firstPageIsRequestedWithoutCursor() throws {
        #expect(Self.said.first == .first)
        #expect(try Self.said.parameters(of: .first) == [])
        #expect(try Self.said.info(.opaque("x"), #"{"items": [{}]}"#) == PageInfoDTO(current: .opaque("x")))
    }

    @Test func emptyPageWithACursorHasANextPage() throws {
        #expect(try Self.said.info(.first, #"{"items": [], "next": "b"}"#).next == .opaque("b"))
        #expect(try Self.last.info(.first, #"{"items": []}"#).next == nil)
    }

    @Test func lastItemMayProvideTheCursor() throws {
        #expect(try Self.last.info(.first, #"{"items": [{"id": "a"}, {"id": "b"}, null]}"#).next == .opaque("b"))
        let message = #"expected a cursor at 'items[1].id'; correct "last" in "pagination""#
        #expect(throws: APIError(.decodingFailed, message, path: "items[1].id")) {
            try Self.last.info(.first, #"{"items": [{"id": "a"}, {"key": "b"}]}"#)
        }
    }

    @Test func cursorObjectIsMergedIntoTheQuery() throws {
        let info = try Self.merged.info(.first, #"{"items": [{}], "next": {"sroffset": 10, "continue": "-||"}}"#)
        let token = try #require(info.next)
        #expect(
            try Self.merged.parameters(of: token) == [
                ListParameter("sroffset", 10), ListParameter("continue", "-||"),
            ])
        #expect(try Self.merged.info(.first, #"{"items": [{}], "next": null}"#).next == nil)
        #expect(throws: APIError(.decodingFailed, "expected an object at 'next'", path: "next")) {
            try Self.merged.info(.first, #"{"items": [{}], "next": "b"}"#)
        }
        for forged in [PageToken.opaque("b"), .number(1), .opaque("json:{")] {
            #expect {
                try Self.merged.parameters(of: forged)
            } throws: {
                ($0 as? APIError)?.kind == .invalidRequest
            }
        }
    }

    @Test func endSignalEndsAListWithCursors() throws {
        var style = Self.said
        style.signals.more = .body(JSONSelector(field: "more"))
        #expect(try style.info(.first, #"{"items": [{}], "next": "b", "more": false}"#).next == nil)
        #expect(try style.info(.first, #"{"items": [{}], "next": "b", "more": true}"#).next == .opaque("b"))
        #expect(try style.info(.first, #"{"items": [{}], "next": "b"}"#).next == .opaque("b"))
        #expect(throws: APIError(.decodingFailed, "expected true, false, 1 or 0 at 'more'", path: "more")) {
            try style.info(.first, #"{"items": [{}], "next": "b", "more": "no"}"#)
        }
        style.signals.more = nil
        style.signals.last = .header("X-Last")
        #expect(try style.info(.first, #"{"items": [{}], "next": "b"}"#, ["x-last": "true"]).next == nil)
        #expect(try style.info(.first, #"{"items": [{}], "next": "b"}"#, ["x-last": "false"]).next == .opaque("b"))
    }

    /// A missing key may mean a misspelled selector. A null means that there are no more pages.
    @Test(arguments: [
        (#"{"items": [{}, {}]}"#, true), (#"{"items": [{}, {}], "next": null}"#, false), (#"{"items": [{}]}"#, false),
        (#"{"items": [{}, {}], "more": false}"#, false), (#"{"items": [{}, {}], "next": "b"}"#, false),
    ])
    func endOfTheListIsUncertainAfterAFullFirstPageWithoutTheCursorField(_ body: String, isUncertain: Bool) throws {
        var styles = [Self.said, Self.merged]
        if body.contains(#""b""#) { styles.removeLast() }
        for var style in styles {
            style.signals.more = .body(JSONSelector(field: "more"))
            #expect(try style.info(.first, body).isEndUncertain == false, "no size is declared")
            style.signals.size = .init(parameter: "limit", value: 2)
            #expect(try style.info(.first, body).isEndUncertain == isUncertain)
            #expect(try style.info(.opaque(#"json:{"a":1}"#), body).isEndUncertain == false)
        }
        #expect(try Self.last.info(.first, #"{"items": [{"id": 1}, {"id": 2}]}"#).isEndUncertain == false)
    }

    @Test func fullFirstPageWithoutPageInfoLeavesTheEndOfTheListUncertain() throws {
        let key = AnswerSelector.body(JSONSelector(field: "next"))
        let size = ListSignals.Size(parameter: "limit", value: 2)
        let styles: [any PaginationContract] = [
            NextURLPagination(next: key, signals: ListSignals(size: size)),
            PageNumberPagination(parameter: "page", signals: ListSignals(size: size, next: key)),
            OffsetPagination(parameter: "start", signals: ListSignals(size: size, next: key)),
        ]
        for style in styles {
            #expect(try style.info(style.first, #"{"items": [{}, {}]}"#).isEndUncertain)
            #expect(try !style.info(style.first, #"{"items": [{}, {}], "next": null}"#).isEndUncertain)
            #expect(try !style.info(style.first, #"{"items": [{}]}"#).isEndUncertain)
        }
        let counted = NextURLPagination(
            next: key, signals: ListSignals(size: size, pages: .body(JSONSelector(field: "pages"))))
        for (pages, isUncertain) in [("1", false), ("null", true)] {
            let info = try counted.info(.first, #"{"items": [{}, {}], "pages": \#(pages)}"#)
            #expect(info.isEndUncertain == isUncertain)
        }
    }

    @Test func allSettingsOfCursorPaginationAreDecoded() throws {
        let list = #"""
            {"list": {"path": "/t", "items": "items", "pagination": {
              "style": "cursor", "param": "after", "next": {"header": "X-Next"}, "previous": "links.previous",
              "size": {"param": "limit", "value": 50}, "count": "total", "pages": "pages", "more": "more"}}}
            """#
        let resource = try CatalogText.decode(CatalogText.make(rest: list)).resources[0]
        let style = try #require(resource.list?.pagination.style)
        #expect(resource.list?.pageForm == .opaque)
        #expect(try style.parameters(of: .opaque("b")) == [ListParameter("limit", 50), ListParameter("after", "b")])
        let body = #"{"items": [{}], "links": {"previous": 1}, "total": 9, "pages": 3, "more": true}"#
        let info = try style.info(.opaque("b"), body, ["X-Next": "c"])
        #expect(
            info
                == PageInfoDTO(
                    current: .opaque("b"), pages: 3, count: 9, next: .opaque("c"), previous: .number(1)))
        #expect(style.emptyPageInfo(on: .first) == PageInfoDTO(current: .first, pages: 0, count: 0))
    }
}
