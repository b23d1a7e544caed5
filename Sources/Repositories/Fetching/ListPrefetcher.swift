import DataSources
import JSON
import Model

/// Reads a list page by page, to cache all of its items.
///
/// Fresh pages are not fetched again, so an interrupted read continues from its last page. Only one page is held in
/// memory at a time, whatever the size of the list.
struct ListPrefetcher: Sendable {
    /// The result of reading one page of the list.
    struct Step: Sendable {
        let answer: Answer<StoredPage>
        /// The number of the page's items that are cached.
        let items: Int
        /// Whether all items of the page that the remote has are cached; nil if unknown.
        let isWhole: Bool?
    }

    let first: PageToken
    let filters: [PageRequest.Filter]
    /// The largest number of pages to read; nil for all.
    let limit: Int?
    /// Whether the API reports the end of the list, so that a page without a next page is the last one.
    let knowsItsEnd: Bool
    /// Returns a fresh page, from the cache or the remote.
    let page: @Sendable (PageRequest) async throws(RepositoryError) -> Step

    /// Reads the list.
    ///
    /// - Parameter onPage: called after each page with the number of pages read so far, and the total number if it is
    ///   known.
    /// - Throws: `RepositoryError` for the first page that cannot be read.
    func run(
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        var answer = PrefetchAnswer()
        var cursor = PageCursor(first: first)
        var sum = ListSum()
        // If the API cannot announce a next page, a missing next page does not mean that the list has ended.
        var isWhole: Bool? = knowsItsEnd ? true : nil
        while let token = cursor.next {
            if answer.pages >= limit ?? Int.max {
                isWhole = false
                break
            }
            guard cursor.enter() else {
                isWhole = nil
                break
            }
            if cursor.hasTooManyEmptyPages {
                isWhole = false
                break
            }
            // A read of a fresh page does not suspend, so a cancellation must be checked here.
            if Task.isCancelled { throw .left }
            guard let step = try await read(token, isFirst: answer.pages == 0),
                cursor.take(step.answer.value.page.ids)
            else {
                isWhole = false
                break
            }
            let found = step.answer
            sum.add(found.value.page, isWhole: step.isWhole)
            answer.pages += 1
            answer.items += step.items
            if found.source == .remote { answer.fetched += 1 } else { answer.reused += 1 }
            cursor.next = found.value.page.next
            onPage(answer.pages, [found.value.page.pages, limit].compactMap { $0 }.min())
        }
        answer.isComplete = sum.isWhole(isWhole)
        return answer
    }

    /// Returns a page. Nil if the page does not exist and is not the first: the list has then ended.
    private func read(_ token: PageToken, isFirst: Bool) async throws(RepositoryError) -> Step? {
        do throws(RepositoryError) {
            return try await page(PageRequest(page: token, filters: filters))
        } catch {
            guard case .noPage = error, !isFirst else { throw error }
            return nil
        }
    }
}

/// The totals of a list's pages, which show whether all items were read.
private struct ListSum {
    /// The hashes of all ids. Hashes need less memory than ids, and a list may have millions.
    private var hashes: Set<Int> = []
    private var hasRepeated = false
    private var lacksItems = false
    private var mayLackItems = false
    private var count: Int?
    private var hasChanged = false

    /// - Parameter isWhole: whether all items of the page that the remote has are cached; nil if unknown.
    mutating func add(_ page: PageEntity, isWhole: Bool?) {
        for id in page.ids where !hashes.insert(id.hashValue).inserted { hasRepeated = true }
        if page.hasSkipped || isWhole == false { lacksItems = true }
        if isWhole == nil { mayLackItems = true }
        guard let now = page.count else { return }
        if let count, count != now { hasChanged = true }
        count = now
    }

    /// - Parameter isWhole: whether the end of the list was reached; nil if unknown.
    func isWhole(_ isWhole: Bool?) -> Bool? {
        // If an item of any page is not cached, the cached list is incomplete.
        if isWhole == false || lacksItems { return false }
        // An API may report more items than all of its pages contain.
        if let count, hashes.count < count { return false }
        // A list that changes during the read may move items to pages that were already read.
        if hasChanged || mayLackItems { return nil }
        if let count { return hashes.count == count ? true : nil }
        return hasRepeated ? nil : isWhole
    }
}

extension PageEntity {
    /// Whether the page leaves items out. `PageInfoMapper` then appends an array of these items to the page info.
    fileprivate var hasSkipped: Bool { info.last == UInt8(ascii: "]") }
}
