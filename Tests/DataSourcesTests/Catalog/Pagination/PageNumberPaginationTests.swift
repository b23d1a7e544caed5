import JSON
import TestSupport
import Testing

@testable import DataSources

/// What the style `page` makes of an answer.
@Suite(.limited) struct PageNumberPaginationTests {
    private static let silent = PageNumberPagination(parameter: "page")
    private static let telling = PageNumberPagination(
        parameter: "page", pages: .body(JSONSelector("pages") ?? .whole), count: .header("X-Total"))

    @Test func aPageWithItemsHasANextOne() throws {
        let info = try Self.silent.info(.number(7), #"{"items": [{}]}"#)
        #expect(info == PageInfoDTO(current: .number(7), next: .number(8), previous: .number(6)))
    }

    @Test func anEmptyPageIsTheLast() throws {
        #expect(try Self.silent.info(.number(7), #"{"items": []}"#) == PageInfoDTO(current: .number(7)))
        let info = try Self.telling.info(.number(2), #"{"items": [], "pages": 3}"#, ["X-Total": "9"])
        #expect(info == PageInfoDTO(current: .number(2), pages: 3, count: 9, previous: .number(1)))
    }

    @Test func theLargestNumberHasNoNextOne() throws {
        let info = try Self.silent.info(.number(Int.max), #"{"items": [{}]}"#)
        #expect(info == PageInfoDTO(current: .number(Int.max), previous: .number(Int.max - 1)))
    }

    @Test func whatTheHeadersSayIsTaken() throws {
        let info = try Self.telling.info(.number(1), #"{"items": [{}], "pages": 2}"#, ["x-total": "21"])
        #expect(info == PageInfoDTO(current: .number(1), pages: 2, count: 21, next: .number(2)))
        #expect(try Self.telling.info(.number(1), #"{"items": [{}], "pages": 2}"#).count == nil)
    }

    @Test(arguments: ["many", "-1", "1.5", ""]) func aHeaderThatIsNoNumberIsAFault(text: String) {
        #expect(throws: APIError(.decodingFailed, "expected a number in the header 'X-Total'", path: "X-Total")) {
            try Self.telling.info(.number(1), #"{"items": [{}], "pages": 2}"#, ["X-Total": text])
        }
    }

    @Test func onlyItsNumbersNameAPage() {
        #expect(Self.silent.first == .number(1))
        #expect(Self.silent.form.takes(.number(1)))
        for token in [PageToken.number(0), .number(-1), .opaque("2"), .first] {
            #expect(!Self.silent.form.takes(token))
        }
    }

    @Test func stylesAndSettingsAreCompared() {
        #expect(Pagination(Self.silent) == Pagination(PageNumberPagination(parameter: "page")))
        #expect(Pagination(Self.silent) != Pagination(Self.telling))
        #expect(Pagination(Self.silent) != Pagination(SinglePage()))
    }
}
