import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model

/// The pagination style `offset`: page info from answers.
@Suite(.limited) struct OffsetPaginationTests {
    private static let plain = OffsetPagination(parameter: "start")

    private static func body(_ count: Int, _ rest: String = "") -> String {
        #"{"items": [\#([String](repeating: "{}", count: count).joined(separator: ","))]\#(rest)}"#
    }

    @Test func nextOffsetIsAfterTheReceivedItems() throws {
        #expect(Self.plain.first == .number(0) && Self.plain.parameters(of: .number(0)) == [ListParameter("start", 0)])
        #expect(try Self.plain.info(.number(4), Self.body(3)) == PageInfoDTO(current: .number(4), next: .number(7)))
        #expect(try Self.plain.info(.number(4), Self.body(0)) == PageInfoDTO(current: .number(4)))
        #expect(try Self.plain.info(.number(Int.max), Self.body(1)).next == nil)
    }

    @Test(arguments: [(4, 2, 6, nil), (4, 1, 6, 5), (0, 0, 6, nil), (4, 2, 5, 6)] as [(Int, Int, Int, Int?)])
    func listEndsAtTheReportedItemCount(offset: Int, items: Int, count: Int, next: Int?) throws {
        var style = Self.plain
        style.signals.count = .body(JSONSelector(field: "total"))
        style.signals.size = .init(parameter: "limit", value: 2)
        let info = try style.info(.number(offset), Self.body(items, #", "total": \#(count)"#))
        #expect(info.next == next.map { .number($0) })
        #expect(info.previous == (offset > 0 ? .number(offset - 2) : nil) && info.count == count)
    }

    @Test(arguments: [(2, true, false), (0, true, true), (0, false, false)])
    func emptyPageEndsTheListEvenIfTheAPISignalsMorePages(items: Int, more: Bool, isUncertain: Bool) throws {
        var style = Self.plain
        style.signals.more = .body(JSONSelector(field: "more"))
        let info = try style.info(.number(4), Self.body(items, #", "more": \#(more)"#))
        #expect(info.isEndUncertain == isUncertain)
        #expect((info.next == nil) == (items == 0 || !more))
    }

    @Test func listEndsIfTheFieldForTheNextPageIsNull() throws {
        var style = Self.plain
        style.signals.next = .body(JSONSelector(field: "next"))
        #expect(try style.info(.number(0), Self.body(2, #", "next": null"#)).next == nil)
        #expect(try style.info(.number(0), Self.body(2, #", "next": "/x?offset=2""#)).next == .number(2))
        #expect(Self.plain.lacksEndSignal && !style.lacksEndSignal && Self.plain.endsAtShorterPage)
    }

    @Test func previousOffsetDependsOnTheSizeOfTheFirstPage() {
        #expect(Self.plain.before(.number(6), firstPageCount: nil) == nil)
        #expect(Self.plain.before(.number(6), firstPageCount: 2) == .number(4))
        #expect(Self.plain.before(.number(1), firstPageCount: 2) == .number(0))
        #expect(Self.plain.before(.number(0), firstPageCount: 2) == nil)
    }

    @Test func allSettingsOfOffsetPaginationAreDecoded() throws {
        let list = #"{"list": {"path": "/t", "pagination": {"style": "offset", "param": "o", "count": "n"}}}"#
        let expected = OffsetPagination(
            parameter: "o", signals: ListSignals(count: .body(JSONSelector(field: "n"))))
        #expect(
            try CatalogText.decode(CatalogText.make(rest: list)).resources[0].list?.pagination == Pagination(expected))
    }
}

/// The pagination styles `relay` and `slice`: page info from answers.
@Suite(.limited) struct ConnectionPaginationTests {
    private static let relay = RelayPagination(parameter: "after", pageInfo: JSONSelector(field: "pageInfo"))

    private static func body(_ info: String) -> String { #"{"items": [{}], "pageInfo": \#(info)}"# }

    @Test func endCursorOfAConnectionIsTheNextPageToken() throws {
        let info = try Self.relay.info(.first, Self.body(#"{"hasNextPage": true, "endCursor": "Y3"}"#))
        #expect(info == PageInfoDTO(current: .first, next: .opaque("Y3")))
        #expect(try Self.relay.parameters(of: .opaque("Y3")) == [ListParameter("after", "Y3")])
        #expect(try Self.relay.parameters(of: .first) == [])
        #expect(try Self.relay.info(.first, Self.body(#"{"hasNextPage": false, "endCursor": "Y3"}"#)).next == nil)
    }

    @Test(arguments: [
        (#"null"#, "expected an object at 'pageInfo'"),
        (#"{"endCursor": "a"}"#, "expected true or false at 'pageInfo.hasNextPage'"),
        (#"{"hasNextPage": true, "endCursor": null}"#, "expected a cursor at 'pageInfo.endCursor'"),
    ])
    func connectionWithoutPageInfoIsAnError(info: String, message: String) {
        #expect {
            try Self.relay.info(.first, Self.body(info))
        } throws: {
            ($0 as? APIError)?.kind == .decodingFailed && ($0 as? APIError)?.message == message
        }
    }

    @Test func slicePaginationReportsAllPageInfo() throws {
        let style = SlicePagination(size: 2)
        #expect(try style.info(of: .number(1), among: 0) == PageInfoDTO(current: .number(1), pages: 0, count: 0))
        #expect(
            try style.info(of: .number(2), among: 5)
                == PageInfoDTO(current: .number(2), pages: 3, count: 5, next: .number(3), previous: .number(1)))
        #expect(throws: APIError(.notFound, "page 4 is past the end of the list; request an earlier page")) {
            try style.info(of: .number(4), among: 5)
        }
    }

    @Test(arguments: [
        (#"{"style": "slice", "size": 50}"#, SlicePagination(size: 50)),
        (#"{"style": "slice", "size": {"param": "n", "value": 50}}"#, SlicePagination(size: 50, parameter: "n")),
    ])
    func sliceSizeIsANumberOrAParameter(text: String, expected: SlicePagination) throws {
        let rest = #"{"list": {"path": "/t", "pagination": \#(text)}}"#
        let read = try CatalogText.decode(CatalogText.make(rest: rest)).resources[0].list?.pagination
        #expect(read == Pagination(expected))
    }
}
