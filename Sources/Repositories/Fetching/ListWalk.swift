import DataSources
import JSON
import Model

/// A whole list, page by page, so that all of it is kept. What is fresh is not fetched again; so a walk that was broken
/// off goes on where it was.
///
/// One page at a time is in hand, whatever the size of the list.
struct ListWalk: Sendable {
    /// Some APIs filter what they have cut into pages, so that some are empty. More than these in a row lead nowhere.
    private static let mostEmptyPages = 100

    /// A page that was walked over.
    struct Step: Sendable {
        let answer: Answer<StoredPage>
        /// How many items of it are there.
        let items: Int
        /// Whether these are all that the remote has; nil where nobody can tell.
        let isWhole: Bool?
    }

    /// The page that it begins with.
    let first: PageToken
    let filters: [PageRequest.Filter]
    /// How many pages at most; nil is all.
    let limit: Int?
    /// Whether a page without a next one is the last.
    let knowsItsEnd: Bool
    /// Brings a page.
    let page: @Sendable (PageRequest) async throws(RepositoryError) -> Step

    /// Walks over the list.
    ///
    /// - Parameter onPage: called after each page with how many there have been, and how many there will be if that is
    ///   known.
    func run(
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        var answer = PrefetchAnswer()
        var next: PageToken? = first
        var seen: Set<PageToken> = [.unknown]
        var ids: [String] = []
        var sum = ListSum()
        var emptyPages = 0
        // A list that does not know of more does not know that there is none either.
        var isWhole: Bool? = knowsItsEnd ? true : nil
        while let token = next {
            if answer.pages >= limit ?? Int.max {
                isWhole = false
                break
            }
            // A cursor that comes a second time would lead in a circle. Some APIs end a list so; nobody can tell.
            guard seen.insert(token).inserted else {
                isWhole = nil
                break
            }
            if emptyPages > Self.mostEmptyPages {
                isWhole = false
                break
            }
            // What is fresh is not waited for, so that nothing else would notice.
            if Task.isCancelled { throw .remote(APIError(.cancelled, "the caller left")) }
            guard let step = try await reach(token, after: answer.pages > 0 ? ids : nil) else {
                isWhole = false
                break
            }
            let found = step.answer
            ids = found.value.page.ids
            emptyPages = ids.isEmpty ? emptyPages + 1 : 0
            sum.add(found.value.page, isWhole: step.isWhole)
            answer.pages += 1
            answer.items += step.items
            if found.source == .remote { answer.fetched += 1 } else { answer.reused += 1 }
            next = found.value.page.next
            onPage(answer.pages, [found.value.page.pages, limit].compactMap { $0 }.min())
        }
        answer.isComplete = sum.isWhole(isWhole)
        return answer
    }

    /// A page; nil where the walk can go no further, and nobody has said that the list ends.
    ///
    /// - Parameter ids: those of the page before; nil for the first page.
    private func reach(
        _ token: PageToken, after ids: [String]?
    ) async throws(RepositoryError) -> Step? {
        let step: Step
        do throws(RepositoryError) {
            step = try await page(PageRequest(page: token, filters: filters))
        } catch {
            guard case .remote(let cause) = error, ids != nil, cause.isOfPagePastTheEnd || cause.isRepeatedPage else {
                throw error
            }
            return nil
        }
        let found = step.answer
        if let cause = found.fallback {
            guard cause.isRepeatedPage, ids != nil else { throw .remote(cause) }
            return nil
        }
        // The same items under another cursor: it goes on like that for ever.
        let isRepeated = !found.value.page.ids.isEmpty && found.value.page.ids == ids
        return isRepeated ? nil : step
    }
}

/// What the pages of a list come to, and whether that can be all of it.
private struct ListSum {
    /// Of each id its hash alone: a list may have millions of them.
    private var hashes: Set<Int> = []
    private var hasRepeated = false
    private var lacksItems = false
    private var mayLackItems = false
    private var count: Int?
    private var hasChanged = false

    /// - Parameter isWhole: whether all of its items are there that the remote has; nil where nobody can tell.
    mutating func add(_ page: PageEntity, isWhole: Bool?) {
        for id in page.ids where !hashes.insert(id.hashValue).inserted { hasRepeated = true }
        if page.hasSkipped || isWhole == false { lacksItems = true }
        if isWhole == nil { mayLackItems = true }
        guard let now = page.count else { return }
        if let count, count != now { hasChanged = true }
        count = now
    }

    /// - Parameter isWhole: whether the walk came to the list's end; nil where nobody can tell.
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
