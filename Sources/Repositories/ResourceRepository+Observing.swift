import DataSources

/// Watching what is kept.
extension ResourceRepository {
    /// Watches an item, whoever changes it: a refresh, another request, another process.
    public func observeItem(
        _ id: String, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        let key = ItemKey(resource: key, id: id)
        let observer = Observer(hub: hub, look: { [self] _ in await look(key) }, tell: tell)
        await observer.start(.item(key))
        return { observer.stop() }
    }

    /// Watches a page and the items that it shows.
    public func observePage(
        _ request: PageRequest, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        let key = PageKey(resource: key, request)
        let observer = Observer(hub: hub, look: { [self] in await look(key, $0) }, tell: tell)
        await observer.start(.page(key))
        return { observer.stop() }
    }

    private func look(_ key: ItemKey) async -> Observer.Look {
        let found = await nearest(memory.peek(key)) { [self] in try? await persistence?.item(key) }
        guard let found else { return Observer.Look(contents: nil, observation: .gone) }
        return Observer.Look(contents: [found.entry.json], observation: .item(answer(found).map(\.json)))
    }

    private func look(_ key: PageKey, _ observer: Observer) async -> Observer.Look {
        var found = await find(key)
        // Items may have changed before it was known that they are on the page.
        while let page = found?.entry.page, observer.shows(page.itemKeys) { found = await find(key) }
        guard let found else { return Observer.Look(contents: nil, observation: .gone) }
        var contents = found.entry.items.texts
        contents.append(found.entry.page.info)
        return Observer.Look(contents: contents, observation: .page(answer(found).map(\.bytes)))
    }

    private func find(_ key: PageKey) async -> Found<StoredPage>? {
        await nearest(memory.peek(key)) { [self] in try? await persistence?.page(key) }
    }

    private func nearest<Entry>(_ near: Entry?, _ far: () async -> Entry?) async -> Found<Entry>? {
        if let near { return Found(entry: near, source: .memory) }
        return await far().map { Found(entry: $0, source: .persistence) }
    }

    private func answer<Entry: CacheEntry>(_ found: Found<Entry>) -> Answer<Entry> {
        Answer(
            value: found.entry, source: found.source, fetchedAt: found.entry.fetchedAt,
            isStale: !engine.rule.isFresh(found.entry, maxAge: nil), fallback: nil)
    }
}
