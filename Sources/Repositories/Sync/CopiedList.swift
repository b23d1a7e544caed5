import Catalog
import DataSources
import Model
import System

extension ResourceRepository {
    /// Whether a call must check the local copy of a list before it reads a page from memory. The copy can be newer,
    /// because a sync that reads only changes does not update the cached pages.
    func mayReadCopy(_ control: CacheControl) -> Bool {
        control.policy == .localOnly && resource.sync != nil && cache.syncs != nil
    }

    /// Returns a page of a list from the local copy of the list. Returns nil if the call must read the cached pages.
    ///
    /// A call with the policy `localOnly` reads the copy if the copy is newer than the cached pages of the list. The
    /// items are in the order in which the cache file has stored them. If the page token comes from a copy, the call
    /// always reads the copy.
    ///
    /// - Throws: `notCached` if the token belongs to a copy that does not exist any more.
    func copiedPage(
        _ request: PageRequest, _ control: CacheControl
    ) async throws(RepositoryError) -> Answer<Page>? {
        guard let list = resource.list, let syncs = cache.syncs,
            let position = CopiedPosition(request.page, in: list), position.isOfCopy || mayReadCopy(control)
        else { return nil }
        let set = SyncSet(resource: key, list: PageRequest(filters: request.filters).canonicalList)
        if let state = (try? await syncs.state(of: set)) ?? nil, let syncedAt = state.syncedAt, !state.isPartial {
            let isNewer = await isNewerThanPages(state, of: list, request.filters)
            if position.isOfCopy || isNewer {
                if let page = await copiedPage(request, position, of: state, in: list, syncs, control) {
                    // Of an incomplete copy, this time would promise too much.
                    return Answer(
                        page.stored, from: .persistence, isStale: !page.isFresh,
                        syncedAt: state.isWhole ? syncedAt : nil
                    ).map(\.domain)
                }
                // A cached page of the API has other items than this page of the copy.
                if position.index > 0 { throw .notCached(resource: resource.name) }
            }
        }
        if position.isOfCopy { throw .notCached(resource: resource.name) }
        return nil
    }

    /// Returns a page of a copy, and whether it is fresh. Returns nil if the copy has no such page, if an item cannot
    /// be read, or if the items are older than `keepFor`.
    private func copiedPage(
        _ request: PageRequest, _ position: CopiedPosition, of state: SyncState, in list: ListDefinition,
        _ syncs: FileSyncStore, _ control: CacheControl
    ) async -> (stored: StoredPage, isFresh: Bool)? {
        guard let keys = try? await syncs.items(of: state.set, from: position.index, limit: CopiedPosition.pageSize),
            !keys.isEmpty || position.index == 0
        else { return nil }
        var items: [ItemKey: ItemEntity] = [:]
        await cache.read(keys, within: .machine, promotes: false) { key, item, _ in
            if let item { items[key] = item }
            return item != nil
        }
        guard items.count == keys.count else { return nil }
        let found = keys.compactMap { items[$0] }
        let end = position.index + keys.count
        let info = PageInfoDTO(
            current: request.page, count: state.items,
            next: end < state.items ? CopiedPosition.token(end, in: list) : nil)
        let oldest = found.map(\.fetchedAt).min() ?? clock.now()
        let stored = StoredPage(
            page: PageEntity(
                key: PageKey(resource: key, request), ids: found.map(\.key.id), info: PageInfoMapper().map(.init(info)),
                fetchedAt: oldest, count: state.items),
            items: PackedItems(found))
        let times = await engine.confirmations(of: keys).compactMap { $0 }
        let confirmedAt = times.count == keys.count ? times.min() ?? oldest : oldest
        guard let isFresh = freshness.judge(stored, confirmedAt: confirmedAt, maxAge: control.maxAge) else {
            return nil
        }
        engine.hit(1)
        return (stored, isFresh)
    }

    /// Whether the copy of a list contains changes that the cached pages of the list lack.
    private func isNewerThanPages(
        _ state: SyncState, of list: ListDefinition, _ filters: [PageRequest.Filter]
    ) async -> Bool {
        guard let sync = resource.sync, filters.allSatisfy({ sync.filters.contains($0.name) }),
            !sync.sharesPages || state.syncedAt != state.wholeAt
        else { return false }
        // A call may have fetched the list after the sync.
        var first: StoredPage?
        await cache.read(
            PageKey(resource: key, PageRequest(page: list.firstPage, filters: filters)), within: .machine,
            promotes: false
        ) { page, _ in
            first = page
            return page != nil
        }
        guard let first, let syncedAt = state.syncedAt else { return true }
        return first.page.fetchedAt <= syncedAt
    }
}
