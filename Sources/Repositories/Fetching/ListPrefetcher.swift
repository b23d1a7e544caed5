import DataSources
import JSON
import Model

/// Reads a list page by page, so that the cache contains all of its items.
///
/// The prefetcher does not fetch fresh pages again. After an interruption, a new prefetch therefore continues at the
/// first missing page.
// Only one page is in memory at a time, so the list may be of any size.
struct ListPrefetcher: Sendable {
    /// The outcome of reading one page of the list.
    struct Step: Sendable {
        let answer: Answer<StoredPage>
        /// The number of the page's items that are in the cache.
        let items: Int
        /// Whether the cache contains every item on this page, except items that the API no longer has. Nil if unknown.
        let isWhole: Bool?
    }

    let first: PageToken
    let filters: [PageRequest.Filter]
    /// The maximum number of pages to read; nil for all pages.
    let limit: Int?
    /// Whether the list certainly ends at a page that names no next page. False if the catalog declares no pagination
    /// for the list, because the API may have further pages.
    let knowsItsEnd: Bool
    /// Returns a fresh page, from the cache or the API.
    let page: @Sendable (PageRequest) async throws(RepositoryError) -> Step

    /// Reads the list page by page.
    ///
    /// - Parameter onPage: called after each page with the number of pages so far, and the total number if it is known.
    /// - Throws: `RepositoryError` for the first page that the prefetcher cannot read.
    func run(
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        var answer = PrefetchAnswer()
        var cursor = PageCursor(first: first)
        var sum = ListSum()
        // If the API cannot announce a next page, further pages may follow even if none is announced.
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
            // A read of a fresh page does not suspend, so the loop must check for a cancellation here.
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

    /// Reads one page of the list. Returns nil if the list ends before this page. For the first page, throws the error
    /// instead.
    private func read(_ token: PageToken, isFirst: Bool) async throws(RepositoryError) -> Step? {
        do throws(RepositoryError) {
            return try await page(PageRequest(page: token, filters: filters))
        } catch {
            guard case .noPage = error, !isFirst else { throw error }
            return nil
        }
    }
}

/// Totals over the pages of a list, which show whether all items were read.
private struct ListSum {
    /// The hashes of all item ids. Hashes need less memory than ids.
    private var hashes: Set<Int> = []
    private var hasRepeated = false
    private var lacksItems = false
    private var mayLackItems = false
    private var count: Int?
    private var hasChanged = false

    /// Adds a page of the list to the totals.
    ///
    /// - Parameter isWhole: whether the cache contains every item on this page; nil if unknown.
    mutating func add(_ page: PageEntity, isWhole: Bool?) {
        for id in page.ids where !hashes.insert(id.hashValue).inserted { hasRepeated = true }
        if page.hasSkipped || isWhole == false { lacksItems = true }
        if isWhole == nil { mayLackItems = true }
        guard let now = page.count else { return }
        if let count, count != now { hasChanged = true }
        count = now
    }

    /// Returns whether all items of the list were read; nil if unknown. Items can be missing even if the last page was
    /// read, for example because the list has changed meanwhile.
    ///
    /// - Parameter isWhole: whether the last page of the list was read; nil if unknown.
    func isWhole(_ isWhole: Bool?) -> Bool? {
        // If the cache lacks an item of any page, the cached list is incomplete.
        if isWhole == false || lacksItems { return false }
        // If the API counts more items than the pages contain, the cached list is incomplete.
        if let count, hashes.count < count { return false }
        // If a list changes during the prefetch, an item may move to an earlier page and so be missed.
        if hasChanged || mayLackItems { return nil }
        if let count { return hashes.count == count ? true : nil }
        return hasRepeated ? nil : isWhole
    }
}

extension PageEntity {
    /// Whether the page omits invalid items. The page info then ends with an array of these items.
    var hasSkipped: Bool { info.last == UInt8(ascii: "]") }
}
