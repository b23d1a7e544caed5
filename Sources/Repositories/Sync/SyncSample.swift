import Catalog
import DataSources
import Model

/// The first pages of a list or of its changes, read to test the catalog's `sync`.
///
/// The test makes the same requests as a sync. The first sample reads the whole list. The second sample requests only
/// the changes since the first sample.
public struct SyncSample: Sendable {
    /// The number of different items in the sample.
    public var items: Int { contents.count }
    /// The number of changes since the earlier sample: new items, items with other content, and deleted items.
    public private(set) var changed = 0
    /// The number of elements with an update time or sequence number.
    public private(set) var valueCount = 0
    /// Whether at least one element lacks an update time or sequence number.
    public private(set) var lacksValues = false
    /// The first two adjacent values on a page that are not in ascending order. The values are update times or sequence
    /// numbers. Nil if there are none.
    public private(set) var descent: (first: String, second: String)?
    /// The update time or sequence number after which changes were requested; nil if the whole list was requested.
    public fileprivate(set) var bound: SinceValue?
    /// The smallest update time or sequence number that the API returned although it is smaller than the requested
    /// `bound`. Nil if there is none.
    public private(set) var early: SinceValue?
    /// Whether the sample ends with the last page of the list.
    public fileprivate(set) var hasReachedEnd = false
    /// The update time or sequence number from which another sample can request changes; nil if there is none.
    public fileprivate(set) var mark: SinceValue?
    /// The token with which another sample can request changes; nil if no answer contained one.
    public fileprivate(set) var token: PageToken?
    /// The ids of the items on the first page, in the API's order.
    public private(set) var firstIDs: [String] = []
    private var contents: [String: [UInt8]] = [:]
    fileprivate var pages = 0

    /// Adds a page.
    ///
    /// - Parameters:
    ///   - earlier: the sample with which the page's items are compared; nil if there is none.
    ///   - bound: the smallest requested update time or sequence number; nil for a page of the whole list.
    fileprivate mutating func add(_ part: SyncSource.Part, after earlier: SyncSample?, since bound: SinceValue?) {
        if pages == 0 { firstIDs = part.ids }
        pages += 1
        for item in part.items where contents.updateValue(item.json, forKey: item.key.id) == nil {
            if let earlier, earlier.contents[item.key.id] != item.json { changed += 1 }
        }
        // Without items, the elements of a page are the ids of changed items.
        if earlier != nil, part.items.isEmpty { changed += part.ids.count }
        changed += part.removed.count
        valueCount += part.values.count
        if part.lacksValues { lacksValues = true }
        for (first, second) in zip(part.values, part.values.dropFirst()) where descent == nil && second < first {
            descent = (first.text, second.text)
        }
        if let bound, let lowest = part.values.min(), lowest < bound, early.map({ lowest < $0 }) ?? true {
            early = lowest
        }
    }
}

extension ResourceRepository {
    /// Reads the first pages of the list, or of its changes since an earlier sample, as a sync would. Stores nothing,
    /// and fetches no items by id.
    ///
    /// - Parameters:
    ///   - earlier: the sample of the whole list; nil to read the whole list.
    ///   - maxPages: the maximum number of pages.
    /// - Returns: nil if the catalog's `sync` cannot request changes of this list.
    @_optimize(size)
    public func sampleSync(
        _ filters: [PageRequest.Filter], since earlier: SyncSample?, maxPages: Int
    ) async throws(RepositoryError) -> SyncSample? {
        let whole = SyncSource(reader, filters: filters, cache: cache)
        let source = earlier?.token.map { whole.changes(since: $0) } ?? whole
        guard let sync = source.sync, earlier.map({ $0.mark != nil || $0.token != nil }) ?? true else { return nil }
        let rules = sync.elements(ofWholeList: source.token == nil)
        var walk = ListWalk(position: nil, source: source, now: clock.now(), since: earlier?.mark)
        var sample = SyncSample()
        if earlier == nil, let token = try await firstToken(of: source) { walk.begin(at: token) }
        sample.bound = walk.bound
        while sample.pages < maxPages, let page = walk.enter() {
            let request = source.request(page, filters: filters, since: walk.bound)
            let part: SyncSource.Part
            do throws(RepositoryError) {
                part = try await source.reader.changes(request, rules, since: sync.since, beside: nil).get()
            } catch {
                guard case .noPage = error, !walk.isAtFirst else { throw error }
                break
            }
            guard let progress = walk.progress(after: part, now: clock.now()) else { break }
            sample.add(part, after: earlier, since: walk.bound)
            walk.add(part, progress, repeated: 0)
        }
        sample.hasReachedEnd = walk.progress.next == nil
        (sample.mark, sample.token) = (walk.progress.marks?.mark, walk.progress.token)
        return sample
    }

    private func firstToken(of source: SyncSource) async throws(RepositoryError) -> PageToken? {
        do throws(APIError) {
            return try await source.reader.remote.initialToken()
        } catch {
            throw .remote(error)
        }
    }
}
