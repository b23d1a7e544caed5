import JSON
import Model
import System
import TestSupport
import Testing

@testable import Repositories

@Suite(.limited) struct AnswerTests {
    private static let early = APIError(.timeout, "early")
    private static let late = APIError(.network, "late")

    private func page(isStale: Bool = false, fallback: APIError? = nil) -> Answer<Page> {
        let items = JSONTexts([Array(#"{"id":1}"#.utf8), Array(#"{"id":2}"#.utf8)])
        return Answer(
            value: Page(ids: ["1", "2"], items: items, info: Array("{}".utf8)), source: .memory,
            fetchedAt: Timestamp(milliseconds: 7), isStale: isStale, fallback: fallback)
    }

    private func whole(_ missing: [String] = [], from source: Source = .remote, _ fallback: APIError? = nil)
        -> BatchAnswer
    {
        BatchAnswer(items: [Array(#"{"id":1,"a":2}"#.utf8)], missing: missing, sources: [source: 1], fallback: fallback)
    }

    @Test(
        arguments: [
            (false, nil, nil, false, nil), (true, nil, nil, true, nil), (false, nil, late, true, late),
            (true, early, late, true, early), (true, early, nil, true, early),
        ] as [(Bool, APIError?, APIError?, Bool, APIError?)])
    func hydratedPageIsStaleIfThePageOrAnItemIsStale(
        isStale: Bool, own: APIError?, ofItems: APIError?, expected: Bool, fallback: APIError?
    ) {
        let answer = page(isStale: isStale, fallback: own).with(whole([], from: .remote, ofItems))
        #expect(answer.isStale == expected && answer.fallback == fallback)
        #expect(answer.fetchedAt == Timestamp(milliseconds: 7))
    }

    @Test func pageReportsTheSlowestSourceOfItsItems() {
        #expect(page().with(whole(from: .remote)).source == .remote)
        #expect(page().with(whole(from: .memory)).source == .memory)
        let none = BatchAnswer(items: [], missing: [], sources: [:], fallback: nil)
        #expect(page().with(none).source == .memory)
    }

    @Test func missingItemsAreLeftOutOfThePage() {
        let page = page().with(whole(["2"])).value
        #expect(page.ids == ["1"] && page.missing == ["2"])
    }

    @Test func fallbackAnswerIsStale() {
        let answer = page().asFallback(for: Self.late)
        #expect(answer.isStale && answer.fallback == Self.late && answer.map { $0.ids.count }.value == 2)
        #expect(answer.map { $0.ids.count }.fallback == Self.late)
    }

    @Test func skippedItemsAreStoredAfterThePageInfo() {
        let plain = Page(ids: [], items: JSONTexts(), info: Array("{}".utf8))
        #expect(plain.info == Array("{}".utf8) && plain.skipped == nil)
        let page = Page(ids: [], items: JSONTexts(), info: Array("{}\n[1]".utf8))
        #expect(page.info == Array("{}".utf8) && page.skipped == Array("[1]".utf8))
    }
}
