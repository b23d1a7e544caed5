import JSON
import Model
import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct ListAnswerTests {
    private func answer(_ body: String, _ headers: [HTTPHeader] = [], page: PageToken = .first) throws -> ListAnswer {
        ListAnswer(
            page: page, isFiltered: false, items: ItemDTOs([]), body: try JSONDocument(Array(body.utf8)).root,
            headers: headers, prefix: "")
    }

    @Test(
        arguments: [
            ("0", 0), ("7", 7), (#""8""#, 8), ("9.0", 9), ("null", nil),
        ] as [(String, Int?)])
    func itemCountIsRead(value: String, count: Int?) throws {
        let selector = AnswerSelector.body(JSONSelector(field: "n"))
        #expect(try answer(#"{"n": \#(value)}"#).count(at: selector) == count)
    }

    @Test(arguments: ["-1", "1.5", #""x""#, "[]", "true"])
    func itemCountThatIsNotAWholeNumberIsAnError(value: String) throws {
        let answer = try answer(#"{"n": \#(value)}"#)
        #expect(throws: APIError.self) { try answer.count(at: .body(JSONSelector(field: "n"))) }
    }

    @Test func itemCountInAHeaderIsRead() throws {
        let answer = try answer(
            "{}", [HTTPHeader("X-Total", "0"), HTTPHeader("X-Bad", "-1"), HTTPHeader("X-Text", "a")])
        #expect(try answer.count(at: .header("X-Total")) == 0)
        #expect(try answer.count(at: .header("X-None")) == nil)
        #expect(throws: APIError.self) { try answer.count(at: .header("X-Bad")) }
        #expect(throws: APIError.self) { try answer.count(at: .header("X-Text")) }
    }

    @Test func listWithoutPaginationHasOnePage() throws {
        let style = SinglePage()
        #expect(try style.info(of: answer("[]", page: .number(1))) == PageInfoDTO(current: .number(1)))
        let error = #expect(throws: APIError.self) { try style.info(of: answer("[]", page: .number(2))) }
        #expect(error?.kind == .notFound)
    }
}
