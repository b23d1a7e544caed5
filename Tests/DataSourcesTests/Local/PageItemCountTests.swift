import DataSources
import Model
import System
import TestSupport
import Testing

/// Tests, for every implementation of `LocalDataSourceContract`, that a page with a new total count makes the other
/// pages of its list stale.
@Suite(.limited) struct PageItemCountTests {
    typealias Entries = LocalEntries
    typealias Subject = LocalDataSourceContractTests.Subject

    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func page(
        _ number: Int, of list: String = "a", _ resource: ResourceKey = Entries.character, count: Int?,
        isInvalidated: Bool = false
    ) -> PageEntity {
        PageEntity(
            key: PageKey(resource: resource, request: "\(list)\(number)", list: list), ids: [], info: [],
            fetchedAt: Timestamp(milliseconds: 0), isInvalidated: isInvalidated, count: count)
    }

    private func stale(_ pages: [PageEntity], in source: any LocalDataSourceContract) async throws -> [Bool?] {
        var stale: [Bool?] = []
        for page in pages { stale.append(try await source.read(page.key)?.page.isInvalidated) }
        return stale
    }

    @Test(arguments: Subject.allCases, [1, 9, 11, 0])
    func pagesWithAnotherTotalCountBecomeStaleWhenAPageIsSaved(_ subject: Subject, _ count: Int) async throws {
        let source = subject.make(in: folder)
        let pages = [
            page(1, count: 10), page(2, count: 10), page(3, count: nil), page(1, of: "á", count: 10),
            page(1, of: "a\u{301}", count: 10), page(1, Entries.otherCharacter, count: 10),
        ]
        for page in pages { source.save(LocalChange(items: [], page: page)) }
        #expect(try await stale(pages, in: source) == [false, false, false, false, false, false])
        source.save(LocalChange(items: [], page: page(2, count: count)))
        #expect(try await stale(pages, in: source) == [true, false, false, false, false, false])
        source.save(LocalChange(items: [], page: page(4, of: "a\u{301}", count: count)))
        #expect(try await stale(pages, in: source) == [true, false, false, false, true, false])
        source.save(LocalChange(items: [], page: page(1, count: count)))
        #expect(try await stale(pages, in: source) == [false, false, false, false, true, false])
    }

    /// Pages that are stale or report no count do not make any page stale.
    @Test(arguments: Subject.allCases) func stalePagesAndPagesWithoutATotalCountMakeNoPageStale(_ subject: Subject)
        async throws
    {
        let source = subject.make(in: folder)
        let pages = [page(1, count: 10), page(2, count: 10)]
        for page in pages { source.save(LocalChange(items: [], page: page)) }
        source.save(LocalChange(items: [], page: page(3, count: 11, isInvalidated: true)))
        source.save(LocalChange(items: [], page: page(2, count: nil)))
        #expect(try await stale(pages, in: source) == [false, false])
        source.save(LocalChange(items: [], page: page(4, count: 11)))
        #expect(try await stale(pages, in: source) == [true, false])
    }

    @Test(arguments: Subject.allCases) func removedPagesDoNotAffectOtherPages(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        for number in 1...3 { source.save(LocalChange(items: [], page: page(number, count: 10))) }
        source.remove(page(1, count: nil).key)
        source.save(LocalChange(items: [], page: page(1, of: "b", count: 5)))
        source.remove(page(2, count: nil).key)
        source.save(LocalChange(items: [], page: page(4, count: 11)))
        let pages = [page(1, count: 0), page(3, count: 0), page(1, of: "b", count: 0)]
        #expect(try await stale(pages, in: source) == [nil, true, false])
        #expect(try await source.remove(CacheSelection()) == 3)
        for number in 1...3 { source.save(LocalChange(items: [], page: page(number, count: number))) }
        #expect(try await stale((1...3).map { page($0, count: 0) }, in: source) == [true, true, false])
    }
}
