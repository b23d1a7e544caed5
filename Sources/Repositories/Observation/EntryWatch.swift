import DataSources
import Model

/// Observes cached entries, and reports changes made by refreshes, requests and other processes.
struct EntryWatch: Sendable {
    let cache: Cache
    let freshness: FreshnessRule
    /// The reader that fetches the complete items of a page; nil if lists already return complete items.
    let hydration: BatchReader?

    /// Observes an item. Returns a function that stops the observation.
    func observe(
        _ key: ItemKey, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        known.begin(in: key.resource)
        return await observe(.item(key), known, tell) { _ in await read(key) }
    }

    /// Observes a page and its items. Returns a function that stops the observation.
    func observe(
        _ key: PageKey, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        known.begin(in: key.resource)
        return await observe(.page(key), known, tell) { await read(key, $0) }
    }

    private func observe(
        _ subject: ChangeHub.Subject, _ known: LastSeen, _ tell: @escaping @Sendable (Observation) -> Void,
        read: @escaping @Sendable (Observer) async -> Observer.Snapshot
    ) async -> @Sendable () -> Void {
        let observer = Observer(hub: cache.hub, known: known, read: read, tell: tell)
        await observer.start(subject)
        return { observer.stop() }
    }

    private func read(_ key: ItemKey) async -> Observer.Snapshot {
        guard let answer = await cached(key) else { return Observer.Snapshot(contents: nil, observation: .gone) }
        return Observer.Snapshot(contents: [answer.value.json], observation: .item(answer.map(\.json)))
    }

    private func read(_ key: PageKey, _ observer: Observer) async -> Observer.Snapshot {
        var found = await cached(key)
        // An item may have changed before the observer knew that the page shows this item. So the observer reads the
        // page again.
        while let page = found?.value.page, observer.shows(shown(by: page)) { found = await cached(key) }
        guard let stored = found else { return Observer.Snapshot(contents: nil, observation: .gone) }
        var answer = stored.map(\.domain)
        if let hydration { answer = answer.with(await hydration.cached(completeItems(of: stored.value.page))) }
        var contents = answer.value.items
        contents.append(stored.value.page.info)
        return Observer.Snapshot(contents: contents, observation: .page(answer))
    }

    /// Returns the items that a page shows. A change of one of these items counts as a change of the page.
    private func shown(by page: PageEntity) -> [ItemKey] {
        hydration == nil ? page.itemKeys : page.itemKeys + completeItems(of: page)
    }

    private func completeItems(of page: PageEntity) -> [ItemKey] {
        page.ids.map { ItemKey(resource: page.key.resource, id: $0) }
    }

    private func cached<Key: CacheKey>(_ key: Key) async -> Answer<Key.Entry>? {
        await cache.readLocal(key).map { (entry, source) in
            Answer(entry, from: source, isStale: !freshness.isFresh(entry, maxAge: nil))
        }
    }
}
