import DataSources
import JSON

/// What a walk over a list came to.
public struct PrefetchAnswer: Equatable, Sendable {
    /// Pages that were walked over.
    public var pages = 0
    /// Items on them.
    public var items = 0
    /// Pages that were fetched.
    public var fetched = 0
    /// Pages that were kept and fresh.
    public var reused = 0

    /// Nothing yet.
    public init() {}
}

/// A whole list at once.
extension ResourceRepository {
    /// Walks over a list, page by page, so that all of it is kept; what is fresh is not fetched again. So a walk that
    /// was broken off goes on where it was.
    ///
    /// One page at a time is in hand, whatever the size of the list.
    /// - Parameters:
    ///   - limit: how many pages at most; nil is all.
    ///   - freshness: how fresh the pages must be; with `localOnly` it is only seen whether all is there.
    ///   - onPage: called after each page with how many there have been, and how many there will be if that is known.
    public func prefetch(
        filters: [PageRequest.Filter], limit: Int?, _ freshness: Freshness,
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        var answer = PrefetchAnswer()
        var next: PageToken? = .number(1)
        var seen: Set<PageToken> = []
        var engine = engine
        engine.revalidatesBehind = false
        await catchUp()
        // A cursor that comes a second time would lead in a circle.
        while let page = next, answer.pages < limit ?? Int.max, seen.insert(page).inserted {
            // What is fresh is not waited for, so that nothing else would notice.
            if Task.isCancelled { throw .remote(APIError(.cancelled, "the caller left")) }
            let found: Answer<StoredPage>
            do throws(RepositoryError) {
                found = try await engine.resolve(lookup(PageRequest(page: page, filters: filters)), freshness)
            } catch {
                // A list that ends without saying so.
                if case .remote(let cause) = error, cause.kind == .notFound, answer.pages > 0 { break }
                throw error
            }
            if let cause = found.fallback { throw .remote(cause) }
            answer.pages += 1
            answer.items += found.value.items.count
            if found.source == .remote { answer.fetched += 1 } else { answer.reused += 1 }
            let info = Self.info(found.value.page)
            next = found.value.items.isEmpty ? nil : info.next
            onPage(answer.pages, [info.pages, limit].compactMap { $0 }.min())
        }
        return answer
    }

    /// How the list goes on after a page. The info's bytes are this repository's own.
    private static func info(_ page: PageEntity) -> (pages: Int?, next: PageToken?) {
        guard let info = try? JSONDocument(page.info) else { return (nil, nil) }
        return info.withRoot { info in
            let next = info["next"].flatMap { next in
                next.integer.map { PageToken.number($0) } ?? next.string.map { PageToken.opaque($0) }
            }
            return (info["pages"]?.integer, next)
        }
    }
}
