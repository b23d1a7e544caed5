import JSON
import TestSupport
import Testing

@testable import DataSources

/// The page info where an API does not say how many pages there are.
@Suite(.limited) struct ListReaderTests {
    private func page(_ number: Int, of body: String) throws -> PageInfoDTO {
        let list = ListDefinition(items: .whole, pagination: PagePagination(parameter: "page"))
        let answer = try JSONDocument(Array(body.utf8)).root
        return try ListReader(list: list, url: "", attempts: 1).page(PageRequest(page: .number(number)), in: answer)
            .info
    }

    @Test func aPageWithItemsHasANextOne() throws {
        #expect(try page(7, of: "[{}]") == PageInfoDTO(current: .number(7), next: .number(8), previous: .number(6)))
    }

    @Test func anEmptyPageIsTheLast() throws {
        #expect(try page(7, of: "[]") == PageInfoDTO(current: .number(7)))
    }

    @Test func theLargestNumberHasNoNextOne() throws {
        let info = try page(Int.max, of: "[{}]")
        #expect(info == PageInfoDTO(current: .number(Int.max), previous: .number(Int.max - 1)))
    }
}
