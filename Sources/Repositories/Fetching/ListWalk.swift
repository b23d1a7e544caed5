import DataSources
import JSON

/// A whole list, page by page, so that all of it is kept. What is fresh is not fetched again; so a walk that was broken
/// off goes on where it was.
///
/// One page at a time is in hand, whatever the size of the list.
struct ListWalk: Sendable {
    /// The page that it begins with.
    let first: PageToken
    let filters: [PageRequest.Filter]
    /// How many pages at most; nil is all.
    let limit: Int?
    /// Brings a page.
    let page: @Sendable (PageRequest) async throws(RepositoryError) -> Answer<StoredPage>

    /// Walks over the list.
    ///
    /// - Parameter onPage: called after each page with how many there have been, and how many there will be if that is
    ///   known.
    func run(
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        var answer = PrefetchAnswer()
        var next: PageToken? = first
        var seen: Set<PageToken> = []
        // A cursor that comes a second time would lead in a circle.
        while let token = next, answer.pages < limit ?? Int.max, seen.insert(token).inserted {
            // What is fresh is not waited for, so that nothing else would notice.
            if Task.isCancelled { throw .remote(APIError(.cancelled, "the caller left")) }
            let found: Answer<StoredPage>
            do throws(RepositoryError) {
                found = try await page(PageRequest(page: token, filters: filters))
            } catch {
                // A list that ends without saying so.
                if case .remote(let cause) = error, cause.kind == .notFound, answer.pages > 0 { break }
                throw error
            }
            if let cause = found.fallback { throw .remote(cause) }
            answer.pages += 1
            answer.items += found.value.items.count
            if found.source == .remote { answer.fetched += 1 } else { answer.reused += 1 }
            next = found.value.page.next
            onPage(answer.pages, [found.value.page.pages, limit].compactMap { $0 }.min())
        }
        return answer
    }
}
