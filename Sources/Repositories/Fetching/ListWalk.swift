import DataSources
import JSON
import Model

/// Reads a list page by page, so that all of it is cached. Fresh pages are not fetched again, so a walk that was
/// interrupted continues where it was.
///
/// It holds one page at a time, whatever the size of the list.
struct ListWalk: Sendable {
    /// A page that was read.
    struct Step: Sendable {
        let answer: Answer<StoredPage>
        /// The number of its items that are cached.
        let items: Int
        /// Whether the remote has no more items of this page; nil if that is not known.
        let isWhole: Bool?
    }

    let first: PageToken
    let filters: [PageRequest.Filter]
    /// The largest number of pages; nil for all.
    let limit: Int?
    /// Whether a page without a next one is the last.
    let knowsItsEnd: Bool
    /// Returns a page that is fresh.
    let page: @Sendable (PageRequest) async throws(RepositoryError) -> Step

    /// Reads the list.
    ///
    /// - Parameter onPage: called after each page with the number of pages read, and of all pages if that is known.
    func run(
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        var answer = PrefetchAnswer()
        var cursor = PageCursor(first: first)
        var sum = ListSum()
        // A list that does not know of more does not know that there is none either.
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
            // Fresh pages are not waited for, so nothing else would notice.
            if Task.isCancelled { throw .remote(APIError(.cancelled, "the caller left")) }
            guard let step = try await reach(token, isFirst: answer.pages == 0),
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

    /// Returns a page; nil if the list has no such page, although the API did not state that the list has ended.
    private func reach(_ token: PageToken, isFirst: Bool) async throws(RepositoryError) -> Step? {
        do throws(RepositoryError) {
            return try await page(PageRequest(page: token, filters: filters))
        } catch {
            guard case .noPage = error, !isFirst else { throw error }
            return nil
        }
    }
}

/// The sum of the pages of a list, from which `isWhole` decides whether the walk has read all of it.
private struct ListSum {
    /// Of each id its hash alone: a list may have millions of them.
    private var hashes: Set<Int> = []
    private var hasRepeated = false
    private var lacksItems = false
    private var mayLackItems = false
    private var count: Int?
    private var hasChanged = false

    /// - Parameter isWhole: whether the remote has no more items of this page; nil if that is not known.
    mutating func add(_ page: PageEntity, isWhole: Bool?) {
        for id in page.ids where !hashes.insert(id.hashValue).inserted { hasRepeated = true }
        if page.hasSkipped || isWhole == false { lacksItems = true }
        if isWhole == nil { mayLackItems = true }
        guard let now = page.count else { return }
        if let count, count != now { hasChanged = true }
        count = now
    }

    /// - Parameter isWhole: whether the walk reached the end of the list; nil if that is not known.
    func isWhole(_ isWhole: Bool?) -> Bool? {
        // What is not kept is not there later.
        if isWhole == false || lacksItems { return false }
        // An API may end a list before all that it counts.
        if let count, hashes.count < count { return false }
        // A list that changes between two pages moves items from one to the other, or past both.
        if hasChanged || mayLackItems { return nil }
        if let count { return hashes.count == count ? true : nil }
        return hasRepeated ? nil : isWhole
    }
}

extension PageEntity {
    /// Whether it leaves items out, which stand behind its info (see `PageInfoMapper`).
    fileprivate var hasSkipped: Bool { info.last == UInt8(ascii: "]") }
}
