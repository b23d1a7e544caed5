import DataSources

/// Several items at once.
extension ResourceRepository {
    /// How many requests for single items are under way at once, where the API has none for several.
    private static let maxConcurrentGets = 8

    /// What was found so far.
    private struct Collected {
        var found: [String: (entity: ItemEntity, source: Source)] = [:]
        /// Entries that are too old for the policy, and may stand in.
        var stale: [String: (entity: ItemEntity, source: Source)] = [:]
        var fallback: APIError?

        mutating func standIn(for error: APIError) {
            found.merge(stale) { found, _ in found }
            fallback = error
        }
    }

    /// Several items, if the policy lets memory alone answer.
    public func cachedItems(_ ids: [String], _ freshness: Freshness) -> ManyAnswer? {
        guard freshness.policy == .localFirst || freshness.policy == .localOnly else { return nil }
        var collected = Collected()
        collect(memory.items(keys(ids)), from: .memory, freshness, into: &collected)
        guard ids.allSatisfy({ collected.found[$0] != nil }) else { return nil }
        engine.counters.hit(ids.count)
        return answer(ids, collected)
    }

    /// Several items by the policy.
    public func items(_ ids: [String], _ freshness: Freshness) async throws(RepositoryError) -> ManyAnswer {
        var seen: Set<String> = []
        let wanted = ids.filter { seen.insert($0).inserted }
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
        return answer(ids, collected)
    }

    private func collectLocally(_ ids: [String], _ freshness: Freshness, into collected: inout Collected) async {
        collect(fromMemory(ids), from: .memory, freshness, into: &collected)
        let misses = ids.filter { collected.found[$0] == nil }
        guard !misses.isEmpty, let persistence else { return }
        let stored = (try? await persistence.items(keys(misses))) ?? []
        collect(stored, from: .persistence, freshness, into: &collected)
        // Only what answers goes into memory: a stale entry must not take the place of a newer one there.
        memory.save(LocalChange(items: misses.compactMap { collected.found[$0]?.entity }))
    }

    private func collectRemotely(
        _ ids: [String], _ freshness: Freshness, into collected: inout Collected
    ) async throws(RepositoryError) {
        engine.counters.miss(ids.count)
        guard engine.admission.enter() else { throw .busy(limit: engine.admission.limit) }
        defer { engine.admission.leave() }
        let (items, answered, failure) = await fetch(ids)
        for item in items { collected.found[item.key.id] = (item, .remote) }
        let gone = answered.filter { collected.found[$0] == nil }
        if freshness.policy != .none {
            save(LocalChange(items: items))
            for id in gone {
                forgetItem(ItemKey(resource: key, id: id))
                collected.stale[id] = nil
            }
        }
        guard let failure else { return }
        guard failure.fallsBackToCache, freshness.policy != .none else { throw .remote(failure) }
        let unanswered = Set(ids).subtracting(answered)
        if freshness.policy == .remoteFirst {
            await collectLocally(ids.filter { unanswered.contains($0) }, Freshness(.localOnly), into: &collected)
        }
        collected.standIn(for: failure)
        guard unanswered.allSatisfy({ collected.found[$0] != nil }) else { throw .remote(failure) }
    }

    /// Asks for all ids, several a request where the API can. What came before a failure is not lost.
    /// `answered` are the ids of which the API told whether it has them.
    private func fetch(_ ids: [String]) async -> (items: [ItemEntity], answered: [String], failure: APIError?) {
        let size = ids.count > 1 ? remote.maxIDs ?? 1 : 1
        let chunks = stride(from: 0, to: ids.count, by: size).map { Array(ids[$0..<min($0 + size, ids.count)]) }
        return await withTaskGroup(of: ([String], Result<[ItemEntity], APIError>).self) { group in
            var items: [ItemEntity] = []
            var answered: [String] = []
            var failure: APIError?
            var waiting = chunks[...]
            func start(_ chunk: [String]) { group.addTask { [self] in (chunk, await fetchChunk(chunk)) } }
            for chunk in waiting.prefix(Self.maxConcurrentGets) { start(chunk) }
            waiting = waiting.dropFirst(Self.maxConcurrentGets)
            while let (chunk, result) = await group.next() {
                switch result {
                case .success(let more):
                    items += more
                    answered += chunk
                case .failure(let error): failure = failure ?? error
                }
                if failure == nil, let chunk = waiting.popFirst() { start(chunk) }
            }
            return (items, answered, failure)
        }
    }

    private func fetchChunk(_ ids: [String]) async -> Result<[ItemEntity], APIError> {
        do throws(APIError) {
            if ids.count == 1 { return .success([try await fetchItem(ItemKey(resource: key, id: ids[0]))]) }
            let dtos = try await remote.items(ids)
            let now = clock.now()
            return .success(
                try mapping(dtos.first?.url) { () throws(APIError) in
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
                collected.found[entity.key.id] = (entity, source)
            } else if collected.stale[entity.key.id] == nil {
                // Memory is looked at first, and the nearest entry stands in.
                collected.stale[entity.key.id] = (entity, source)
            }
        }
    }

    private func fromMemory(_ ids: [String]) -> [ItemEntity?] { memory.items(keys(ids)) }

    private func keys(_ ids: [String]) -> [ItemKey] { ids.map { ItemKey(resource: key, id: $0) } }

    private func answer(_ ids: [String], _ collected: Collected) -> ManyAnswer {
        var items: [[UInt8]] = []
        var missing: [String] = []
        var sources: [Source: Int] = [:]
        for id in ids {
            if let found = collected.found[id] {
                items.append(found.entity.json)
                sources[found.source, default: 0] += 1
            } else if !missing.contains(id) {
                missing.append(id)
            }
        }
        return ManyAnswer(items: items, missing: missing, sources: sources, fallback: collected.fallback)
    }
}
