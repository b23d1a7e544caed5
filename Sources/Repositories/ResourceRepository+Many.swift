import DataSources

/// Several items at once.
extension ResourceRepository {
    /// How many requests for single items are under way at once, where the API has none for several.
    private static let maxConcurrentGets = 8

    /// What was found so far.
    private struct Collected {
        /// By key, not by id: keys are told apart by their bytes.
        var found: [ItemKey: (entity: ItemEntity, source: Source)] = [:]
        /// Entries that are too old for the policy, and may stand in.
        var stale: [ItemKey: (entity: ItemEntity, source: Source)] = [:]
        var fallback: APIError?

        mutating func standIn(for error: APIError) {
            found.merge(stale) { found, _ in found }
            fallback = error
        }
    }

    /// What the remote said of the items that were asked for.
    private struct Fetched {
        var items: [ItemEntity] = []
        /// What it has not.
        var absent: Set<ItemKey> = []
        /// Why it did not say more.
        var failure: APIError?
    }

    /// Several items, if the policy lets memory alone answer.
    public func cachedItems(_ ids: [String], _ freshness: Freshness) -> ManyAnswer? {
        guard freshness.policy == .localFirst || freshness.policy == .localOnly else { return nil }
        let keys = keys(ids)
        var collected = Collected()
        collect(memory.items(keys), from: .memory, freshness, into: &collected)
        guard keys.allSatisfy({ collected.found[$0] != nil }) else { return nil }
        engine.counters.hit(ids.count)
        return answer(keys, collected)
    }

    /// Several items by the policy.
    public func items(_ ids: [String], _ freshness: Freshness) async throws(RepositoryError) -> ManyAnswer {
        let keys = keys(ids)
        var seen: Set<ItemKey> = []
        let wanted = keys.filter { seen.insert($0).inserted }
        var collected = Collected()
        if freshness.policy == .localFirst || freshness.policy == .localOnly {
            await collectLocally(wanted, freshness, into: &collected)
            engine.counters.hit(collected.found.count)
        }
        let misses = wanted.filter { collected.found[$0] == nil }
        if freshness.policy == .localOnly {
            if collected.found.isEmpty, !misses.isEmpty { throw .notCached(resource: resource.name) }
        } else if !misses.isEmpty {
            try await collectRemotely(misses, freshness, into: &collected)
        }
        return answer(keys, collected)
    }

    private func collectLocally(_ keys: [ItemKey], _ freshness: Freshness, into collected: inout Collected) async {
        collect(fromMemory(keys), from: .memory, freshness, into: &collected)
        let misses = keys.filter { collected.found[$0] == nil }
        guard !misses.isEmpty, let persistence else { return }
        collect((try? await persistence.items(misses)) ?? [], from: .persistence, freshness, into: &collected)
        // What is too old for the policy stays where it is: memory may have a newer one.
        let useful = misses.compactMap { collected.found[$0]?.entity }
        if !useful.isEmpty { memory.save(LocalChange(items: useful)) }
    }

    private func collectRemotely(
        _ keys: [ItemKey], _ freshness: Freshness, into collected: inout Collected
    ) async throws(RepositoryError) {
        engine.counters.miss(keys.count)
        guard engine.admission.enter() else { throw .busy(limit: engine.admission.limit) }
        defer { engine.admission.leave() }
        let fetched = await fetch(keys)
        for item in fetched.items { collected.found[item.key] = (item, .remote) }
        for key in fetched.absent { collected.stale[key] = nil }
        if freshness.policy != .none {
            if !fetched.items.isEmpty { save(LocalChange(items: fetched.items)) }
            for key in fetched.absent { forgetItem(key) }
        }
        guard let failure = fetched.failure else { return }
        guard failure.fallsBackToCache, freshness.policy != .none else { throw .remote(failure) }
        let unanswered = keys.filter { collected.found[$0] == nil && !fetched.absent.contains($0) }
        if freshness.policy == .remoteFirst {
            await collectLocally(unanswered, Freshness(.localOnly), into: &collected)
        }
        collected.standIn(for: failure)
        guard unanswered.allSatisfy({ collected.found[$0] != nil }) else { throw .remote(failure) }
    }

    /// Asks for all items, several a request where the API can. What came before a failure is not lost.
    private func fetch(_ keys: [ItemKey]) async -> Fetched {
        let size = keys.count > 1 ? remote.maxIDs ?? 1 : 1
        let chunks = stride(from: 0, to: keys.count, by: size).map { Array(keys[$0..<min($0 + size, keys.count)]) }
        return await withTaskGroup(of: (chunk: [ItemKey], result: Result<[ItemEntity], APIError>).self) { group in
            var fetched = Fetched()
            var waiting = chunks[...]
            func start(_ chunk: [ItemKey]) { group.addTask { [self] in (chunk, await fetchChunk(chunk)) } }
            for chunk in waiting.prefix(Self.maxConcurrentGets) { start(chunk) }
            waiting = waiting.dropFirst(Self.maxConcurrentGets)
            while let (chunk, result) = await group.next() {
                switch result {
                case .success(let items):
                    fetched.items += items
                    fetched.absent.formUnion(Set(chunk).subtracting(items.map(\.key)))
                case .failure(let error): fetched.failure = fetched.failure ?? error
                }
                if fetched.failure == nil, let chunk = waiting.popFirst() { start(chunk) }
            }
            return fetched
        }
    }

    private func fetchChunk(_ keys: [ItemKey]) async -> Result<[ItemEntity], APIError> {
        do throws(APIError) {
            if keys.count == 1 { return .success([try await fetchItem(keys[0])]) }
            let dtos = try await remote.items(keys.map(\.id))
            let now = clock.now()
            return .success(
                try mapping(dtos.first?.url, dtos.first?.attempts ?? 1) { () throws(APIError) in
                    var items: [ItemEntity] = []
                    for dto in dtos {
                        let item = try itemMapper.map(dto)
                        items.append(
                            ItemEntity(key: ItemKey(resource: key, id: item.id), json: item.json, fetchedAt: now))
                    }
                    return items
                })
        } catch {
            return error.kind == .notFound ? .success([]) : .failure(error)
        }
    }

    private func collect(
        _ entities: [ItemEntity?], from source: Source, _ freshness: Freshness, into collected: inout Collected
    ) {
        for case let entity? in entities where engine.rule.isKept(entity) {
            if freshness.policy == .localOnly || engine.rule.isFresh(entity, maxAge: freshness.maxAge) {
                collected.found[entity.key] = (entity, source)
            } else if collected.stale[entity.key] == nil {
                collected.stale[entity.key] = (entity, source)
            }
        }
    }

    /// Not `async`: there the call would go to the other `items`, which waits.
    private func fromMemory(_ keys: [ItemKey]) -> [ItemEntity?] { memory.items(keys) }

    private func keys(_ ids: [String]) -> [ItemKey] { ids.map { ItemKey(resource: key, id: $0) } }

    private func answer(_ keys: [ItemKey], _ collected: Collected) -> ManyAnswer {
        var items: [[UInt8]] = []
        var missing: [String] = []
        var told: Set<ItemKey> = []
        var sources: [Source: Int] = [:]
        for key in keys {
            if let found = collected.found[key] {
                items.append(found.entity.json)
                sources[found.source, default: 0] += 1
            } else if told.insert(key).inserted {
                missing.append(key.id)
            }
        }
        return ManyAnswer(items: items, missing: missing, sources: sources, fallback: collected.fallback)
    }
}
