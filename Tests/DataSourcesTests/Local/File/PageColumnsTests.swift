import JSON
import Mocks
import Model
import System
import TestSupport
import Testing

@testable import DataSources

@Suite(.limited) struct PageColumnsTests {
    @Test(arguments: [nil, .number(2), .number(-1), .opaque(""), .opaque("a\"b\\é\u{2028}")] as [PageToken?])
    func nextPageTokenSurvivesEncodingAndDecoding(_ token: PageToken?) {
        #expect(PageColumns.next(PageColumns.text(of: token)) == .some(token))
    }

    @Test(arguments: ["", "{}", "[1]", "true", "1.5", "1e99", "2 3", "nul", "\"a"])
    func invalidNextPageTokensAreRejected(_ text: String) {
        #expect(PageColumns.next(text) == nil)
    }

    @Test(arguments: [[], ["1"], ["1", "", "é\"\\"]]) func idsOfAPageSurviveEncodingAndDecoding(_ ids: [String]) {
        #expect(PageColumns.ids(PageColumns.text(of: ids)) == ids)
    }

    @Test(arguments: ["", "{}", "[", "[1]", "[null]", "[\"1\"] 2"]) func invalidIDsAreRejected(_ text: String) {
        #expect(PageColumns.ids(Array(text.utf8)) == nil)
    }

    /// The token of the next page is read from its column, not from the page info.
    @Test func pageReadFromTheFileEqualsTheSavedPage() async throws {
        let folder = try TemporaryDirectory()
        let pages = [PageToken.number(2), .opaque("é\\ 2"), nil].enumerated().map { index, next in
            PageEntity(
                key: LocalEntries.pageKey(index + 1), ids: [], info: Array(#"{"pages":7,"next":7}"#.utf8),
                fetchedAt: Timestamp(milliseconds: 1000), count: 826, pages: next == nil ? nil : 42, next: next)
        }
        let faults = FaultRecorder()
        func make() -> EntityDataSource {
            EntityDataSource(
                path: folder.file("cache.sqlite"), limit: 1 << 30, clock: ClockMock(), onFault: faults.record)
        }
        let source = make()
        for page in pages { source.save(LocalChange(items: [], page: page)) }
        await source.close()
        let again = make()
        for page in pages { #expect(try await again.read(page.key)?.page == page) }
        await again.close()
        #expect(faults.parts == [])
    }
}
