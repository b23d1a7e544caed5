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
        guard let list = resource.list, let position = CopiedPosition(request.page, in: list),
            position.isOfCopy || mayReadCopy(control)
        else { return nil }
        if let page = await copiedPage(request, position, in: list, control) { return page }
        if position.isOfCopy { throw .notCached(resource: resource.name) }
        return nil
    }

    private func copiedPage(
        _ request: PageRequest, _ position: CopiedPosition, in list: ListDefinition, _ control: CacheControl
    ) async -> Answer<Page>? {
        let set = SyncSet(resource: key, list: PageRequest(filters: request.filters).canonicalList)
        guard let syncs = cache.syncs, let state = (try? await syncs.state(of: set)) ?? nil,
            let syncedAt = state.syncedAt,
            !state.isPartial, position.isOfCopy || isNewerThanPages(state, request.filters),
            let keys = try? await syncs.items(of: set, from: position.index, limit: CopiedPosition.pageSize),
            !keys.isEmpty || position.index == 0
        else { return nil }
        var items: [ItemKey: ItemEntity] = [:]
        await cache.read(keys, within: .machine, promotes: false) { key, item, _ in
            if let item { items[key] = item }
            return item != nil
        }
        let found = keys.compactMap { items[$0] }
        let end = position.index + keys.count
        let info = PageInfoDTO(
            current: request.page, count: state.items,
            next: end < state.items ? CopiedPosition.token(end, in: list) : nil)
        let stored = StoredPage(
            page: PageEntity(
                key: PageKey(resource: key, request), ids: found.map(\.key.id), info: PageInfoMapper().map(.init(info)),
                fetchedAt: found.map(\.fetchedAt).min() ?? syncedAt, count: state.items),
            items: PackedItems(found))
        let confirmedAt = engine.declaration == nil ? state.wholeAt ?? stored.fetchedAt : syncedAt
        guard let isFresh = freshness.judge(stored, confirmedAt: confirmedAt, maxAge: control.maxAge) else {
            return nil
        }
        engine.hit(1)
        return Answer(stored, from: .persistence, isStale: !isFresh, syncedAt: syncedAt).map(\.domain)
    }

    /// Whether the copy of a list contains changes that the cached pages of the list lack.
    private func isNewerThanPages(_ state: SyncState, _ filters: [PageRequest.Filter]) -> Bool {
        guard let sync = resource.sync, filters.allSatisfy({ sync.filters.contains($0.name) }) else { return false }
        return !sync.sharesPages || state.syncedAt != state.wholeAt
    }
}
