import DataSources

/// Several items at once.
extension ResourceRepository {
    /// How many requests are under way at once for one call.
    private static let maxConcurrentRequests = 8

    /// What was found so far.
    private struct Collected {
        /// By key, not by id: keys are told apart by their bytes.
        var found: [ItemKey: Found<ItemEntity>] = [:]
        /// Entries that are not good enough for the policy, and may stand in.
        var stale: [ItemKey: Found<ItemEntity>] = [:]
        var fallback: APIError?

        mutating func standIn(for error: APIError) {
            found.merge(stale) { found, _ in found }
            fallback = error
        }
    }

    /// What the remote said of the items that were asked for.
    private struct Fetched {
        var items: [ItemKey: Found<ItemEntity>] = [:]
        /// What it has not.
        var absent: Set<ItemKey> = []
        /// Why it did not say more.
        var failure: APIError?

        mutating func add(_ outcomes: [ItemKey: Result<Found<ItemEntity>, APIError>]) {
            for (key, outcome) in outcomes {
                switch outcome {
                case .success(let found): items[key] = found
                case .failure(let error) where error.kind == .notFound: absent.insert(key)
                case .failure(let error): add(error)
                }
            }
        }

        /// A failure for which no entry may stand in says more than one that an entry may cover.
        private mutating func add(_ error: APIError) {
            if failure?.fallsBackToCache ?? true { failure = error.fallsBackToCache ? failure ?? error : error }
        }
    }

    /// Several items, if the policy lets memory alone answer.
    public func cachedItems(_ ids: [String], _ freshness: Freshness) -> ManyAnswer? {
        guard freshness.policy == .localFirst || freshness.policy == .localOnly, isCurrent else { return nil }
        let keys = keys(ids)
        var collected = Collected()
        collect(memory.peek(keys), from: .memory, freshness, into: &collected)
        guard keys.allSatisfy({ collected.found[$0] != nil }) else { return nil }
        engine.counters.hit(ids.count)
        return answer(keys, collected)
    }

    /// Several items by the policy.
    public func items(
        _ ids: [String], _ freshness: Freshness, onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> ManyAnswer {
        await catchUp()
        let keys = keys(ids)
        var seen: Set<ItemKey> = []
        let wanted = keys.filter { seen.insert($0).inserted }
        var collected = Collected()
        if freshness.policy != .none {
            await collectLocally(wanted, freshness, into: &collected)
            engine.counters.hit(collected.found.count)
        }
        let misses = wanted.filter { collected.found[$0] == nil }
        if freshness.policy == .localOnly {
            if collected.found.isEmpty, !misses.isEmpty { throw .notCached(resource: resource.name) }
        } else if !misses.isEmpty {
            let done = wanted.count - misses.count
            onProgress(done, wanted.count)
            try await collectRemotely(misses, freshness, into: &collected) { onProgress(done + $0, wanted.count) }
        }
        onProgress(wanted.count, wanted.count)
        return answer(keys, collected)
    }

    private func collectLocally(_ keys: [ItemKey], _ freshness: Freshness, into collected: inout Collected) async {
        collect(fromMemory(keys), from: .memory, freshness, into: &collected)
        // Where the remote is asked in any case, one entry is enough to compare with and to stand in.
        let misses = keys.filter {
            collected.found[$0] == nil && (freshness.policy != .remoteFirst || collected.stale[$0] == nil)
        }
        guard !misses.isEmpty, let persistence else { return }
        let mark = memory.removals
        collect((try? await persistence.items(misses)) ?? [], from: .persistence, freshness, into: &collected)
        // What is too old for the policy stays where it is: memory may have a newer one.
        let useful = misses.compactMap { collected.found[$0]?.entry }
        if !useful.isEmpty { memory.promote(LocalChange(items: useful), since: mark) }
    }

    private func collectRemotely(
        _ keys: [ItemKey], _ freshness: Freshness, into collected: inout Collected, onProgress: (Int) -> Void
    ) async throws(RepositoryError) {
        engine.counters.miss(keys.count)
        guard engine.admission.enter() else { throw .busy(limit: engine.admission.limit) }
        defer { engine.admission.leave() }
        let fetched = await fetch(keys, freshness, known: collected.stale.mapValues(\.entry), onProgress)
        collected.found.merge(fetched.items) { _, new in new }
        for key in fetched.absent { collected.stale[key] = nil }
        guard let failure = fetched.failure else { return }
        guard failure.fallsBackToCache, freshness.policy != .none else { throw .remote(failure) }
        let unanswered = keys.filter { collected.found[$0] == nil && !fetched.absent.contains($0) }
        collected.standIn(for: failure)
        guard unanswered.allSatisfy({ collected.found[$0] != nil }) else { throw .remote(failure) }
    }

    /// Asks for all items, several a request where the API can. What came before a failure is not lost.
    private func fetch(
        _ keys: [ItemKey], _ freshness: Freshness, known: [ItemKey: ItemEntity], _ onProgress: (Int) -> Void
    ) async -> Fetched {
        let size = keys.count > 1 ? max(1, remote.maxIDs ?? 1) : 1
        var waiting = stride(from: 0, to: keys.count, by: size).map { keys[$0..<min($0 + size, keys.count)] }[...]
        return await withTaskGroup(of: [ItemKey: Result<Found<ItemEntity>, APIError>].self) { group in
            func start(_ chunk: ArraySlice<ItemKey>) {
                group.addTask { [self] in await fetch(chunk: Array(chunk), freshness, known) }
            }
            for chunk in waiting.prefix(Self.maxConcurrentRequests) { start(chunk) }
            waiting = waiting.dropFirst(Self.maxConcurrentRequests)
            var fetched = Fetched()
            while let outcomes = await group.next() {
                fetched.add(outcomes)
                onProgress(fetched.items.count + fetched.absent.count)
                if fetched.failure == nil, let chunk = waiting.popFirst() { start(chunk) }
            }
            return fetched
        }
    }

    private func fetch(
        chunk keys: [ItemKey], _ freshness: Freshness, _ known: [ItemKey: ItemEntity]
    ) async -> [ItemKey: Result<Found<ItemEntity>, APIError>] {
        guard freshness.policy != .none else { return await fetchTogether(keys, known: [:]) }
        let epoch = epoch.current
        let outcomes = await sharedItems.outcomes(
            of: keys.map { Epoched(epoch: epoch, key: $0) }, onShared: engine.counters.share
        ) { wanted in
            guard freshness.policy == .localFirst, let item = memory.peek(wanted.key),
                engine.rule.isFresh(item, maxAge: freshness.maxAge)
            else { return nil }
            return Found(entry: item, source: .memory)
        } transfer: { [self] wanted in
            let outcomes = await fetchTogether(wanted.map(\.key), known: known)
            keep(outcomes, askedIn: epoch)
            return Dictionary(uniqueKeysWithValues: outcomes.map { (Epoched(epoch: epoch, key: $0.key), $0.value) })
        }
        return Dictionary(uniqueKeysWithValues: outcomes.map { ($0.key.key, $0.value) })
    }

    /// Asks for items by one request.
    private func fetchTogether(
        _ keys: [ItemKey], known: [ItemKey: ItemEntity]
    ) async -> [ItemKey: Result<Found<ItemEntity>, APIError>] {
        let entities: [ItemEntity]
        do throws(APIError) {
            entities =
                keys.count == 1
                ? [try await fetchItem(keys[0], known: known[keys[0]])] : try await fetchSeveral(keys)
        } catch {
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, .failure(error)) })
        }
        let absent = APIError(.notFound, "the API has no such thing")
        var outcomes = Dictionary(
            uniqueKeysWithValues: keys.map { ($0, Result<Found<ItemEntity>, APIError>.failure(absent)) })
        for entity in entities { outcomes[entity.key] = .success(Found(entry: entity, source: .remote)) }
        return outcomes
    }

    private func fetchSeveral(_ keys: [ItemKey]) async throws(APIError) -> [ItemEntity] {
        let dtos = try await remote.items(keys.map(\.id))
        let now = clock.now()
        let wanted = Set(keys)
        let asked = Set(keys.map(\.id))
        let first = dtos.first
        return try mapping(first?.url, first?.attempts ?? 1) { () throws(APIError) in
            var items: [ItemEntity] = []
            for dto in dtos {
                let item = try itemMapper.map(dto)
                if let other = try itemMapper.strangeID(of: dto, isAsked: { asked.contains($0) }) {
                    strangeIDs.note(other, askedFor: nil, resource.name)
                }
                let key = ItemKey(resource: key, id: item.id)
                // An API may answer with all that it has.
                if wanted.contains(key) { items.append(ItemEntity(key: key, json: item.json, fetchedAt: now)) }
            }
            return items
        }
    }

    private func keep(_ outcomes: [ItemKey: Result<Found<ItemEntity>, APIError>], askedIn epoch: Int) {
        var items: [ItemEntity] = []
        for (key, outcome) in outcomes {
            switch outcome {
            case .success(let found): items.append(found.entry)
            case .failure(let error): if error.kind == .notFound { forget(key) }
            }
        }
        if !items.isEmpty { save(LocalChange(items: items), askedIn: epoch) }
    }

    private func collect(
        _ entities: [ItemEntity?], from source: Source, _ freshness: Freshness, into collected: inout Collected
    ) {
        for case let entity? in entities where engine.rule.isKept(entity) {
            let found = Found(entry: entity, source: source)
            if isGood(entity, freshness) {
                collected.found[entity.key] = found
            } else if collected.stale[entity.key] == nil {
                collected.stale[entity.key] = found
            }
        }
    }

    private func isGood(_ item: ItemEntity, _ freshness: Freshness) -> Bool {
        switch freshness.policy {
        case .localFirst: engine.rule.isFresh(item, maxAge: freshness.maxAge)
        case .localOnly: true
        case .remoteFirst, .none: false
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
                items.append(found.entry.json)
                sources[found.source, default: 0] += 1
            } else if told.insert(key).inserted {
                missing.append(key.id)
            }
        }
        return ManyAnswer(items: items, missing: missing, sources: sources, fallback: collected.fallback)
    }
}
