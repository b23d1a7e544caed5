import DataSources
import Model

/// Watches what is kept, whoever changes it: a refresh, another request, another process.
struct EntryWatch: Sendable {
    let cache: Cache
    let freshness: FreshnessRule
    /// Reads the whole items of a page; nil if lists do not return whole items.
    let hydration: BatchReader?

    /// Watches an item, until what is returned is called.
    func observe(
        _ key: ItemKey, since known: KnownContents, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        known.begin(in: key.resource)
        return await observe(.item(key), known, tell) { _ in await look(key) }
    }

    /// Watches a page and the items that it shows, until what is returned is called.
    func observe(
        _ key: PageKey, since known: KnownContents, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        known.begin(in: key.resource)
        return await observe(.page(key), known, tell) { await look(key, $0) }
    }

    private func observe(
        _ subject: ChangeHub.Subject, _ known: KnownContents, _ tell: @escaping @Sendable (Observation) -> Void,
        look: @escaping @Sendable (Observer) async -> Observer.Look
    ) async -> @Sendable () -> Void {
        let observer = Observer(hub: cache.hub, known: known, look: look, tell: tell)
        await observer.start(subject)
        return { observer.stop() }
    }

    private func look(_ key: ItemKey) async -> Observer.Look {
        guard let answer = await nearest(key) else { return Observer.Look(contents: nil, observation: .gone) }
        return Observer.Look(contents: [answer.value.json], observation: .item(answer.map(\.json)))
    }

    private func look(_ key: PageKey, _ observer: Observer) async -> Observer.Look {
        var found = await nearest(key)
        // Items may have changed before it was known that they are on the page.
        while let page = found?.value.page, observer.shows(shown(by: page)) { found = await nearest(key) }
        guard let stored = found else { return Observer.Look(contents: nil, observation: .gone) }
        var answer = stored.map(\.domain)
        if let hydration { answer = answer.with(await hydration.cached(wholeItems(of: stored.value.page))) }
        var contents = answer.value.items
        contents.append(stored.value.page.info)
        return Observer.Look(contents: contents, observation: .page(answer))
    }

    /// The items whose changes are changes of the page.
    private func shown(by page: PageEntity) -> [ItemKey] {
        hydration == nil ? page.itemKeys : page.itemKeys + wholeItems(of: page)
    }

    private func wholeItems(of page: PageEntity) -> [ItemKey] {
        page.ids.map { ItemKey(resource: page.key.resource, id: $0) }
    }

    private func nearest<Key: CacheKey>(_ key: Key) async -> Answer<Key.Entry>? {
        await cache.readLocal(key).map { (entry, source) in
            Answer(entry, from: source, isStale: !freshness.isFresh(entry, maxAge: nil))
        }
    }
}
