import DataSources
import JSON
import Model
import System

/// Several items at once: what the cache has of them, and the rest by as few requests as the API allows.
struct ManyItems: Sendable {
    /// How many requests are under way at once for one call.
    private static let maxConcurrentRequests = 8

    typealias Outcomes = EntryFetches<ItemKey>.Outcomes

    /// What the remote said of the items that were asked for.
    private struct Fetched {
        var items: [ItemKey: Answer<ItemEntity>] = [:]
        /// What it has not.
        var absent: Set<ItemKey> = []
        /// Why it did not say more.
        var failure: APIError?
        /// Why an item is left out that came in another shape.
        var mismatch: APIError?

        mutating func add(_ outcomes: Outcomes, skipsMismatches: Bool) {
            for (key, outcome) in outcomes {
                switch outcome {
                case .success(let answer): items[key] = answer
                case .failure(let error) where error.kind == .notFound: absent.insert(key)
                case .failure(let error) where skipsMismatches && error.kind == .decodingFailed: mismatch = error
                case .failure(let error): add(error)
                }
            }
        }

        /// A failure for which no entry may stand in says more than one that an entry may cover.
        private mutating func add(_ error: APIError) {
            if failure?.fallsBackToCache ?? true { failure = error.fallsBackToCache ? failure ?? error : error }
        }
    }

    /// What one call has come to. By key, not by id: keys are told apart by their bytes.
    private struct Collected {
        var runs: [ItemKey: PolicyRun<ItemEntity>]
        var found: [ItemKey: Answer<ItemEntity>] = [:]
        var fallback: APIError?
        /// See `ManyAnswer`.
        var isWhole: Bool? = true

        init(_ keys: [ItemKey], _ run: PolicyRun<ItemEntity>) {
            runs = Dictionary(keys.map { ($0, run) }) { first, _ in first }
        }

        /// Shows what a level has. Returns whether the next need not be asked.
        mutating func take(_ key: ItemKey, _ item: ItemEntity?, from source: Source) -> Bool {
            guard runs[key]?.take(item, from: source) == true else { return false }
            found[key] = runs[key]?.answer
            return true
        }
    }

    let engine: PolicyEngine
    let reader: RemoteReader
    let fetches: EntryFetches<ItemKey>

    /// The answer that memory alone may give; nil where more is to be asked.
    func answerAtOnce(_ keys: [ItemKey], _ control: CacheControl) -> ManyAnswer? {
        guard control.policy.row.isAnsweredByCache, engine.cache.isCurrent else { return nil }
        var collected = collected(keys, control)
        let items = zip(keys, engine.cache.peek(keys))
        guard items.allSatisfy({ collected.take($0, $1, from: .memory) }) else { return nil }
        engine.counters.hit(collected.found.count)
        return answer(keys, collected)
    }

    /// What is kept of them, whatever its age: nobody is asked, and nothing is counted.
    func kept(_ keys: [ItemKey]) async -> ManyAnswer {
        var collected = collected(keys, CacheControl(.localOnly))
        await engine.cache.read(Self.distinct(keys), within: .machine, promotes: false) {
            collected.take($0, $1, from: $2)
        }
        return answer(keys, collected)
    }

    /// Each key once, in their order.
    static func distinct(_ keys: [ItemKey]) -> [ItemKey] {
        var seen: Set<ItemKey> = []
        return keys.filter { seen.insert($0).inserted }
    }

    /// The answer that the policy gives.
    ///
    /// - Parameters:
    ///   - isPart: whether a part of the items is an answer too: those that cannot be had are then missing.
    ///   - onProgress: hears how many are settled.
    func answer(
        _ keys: [ItemKey], _ control: CacheControl, isPart: Bool = false,
        onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> ManyAnswer {
        let row = control.policy.row
        let wanted = Self.distinct(keys)
        var collected = collected(wanted, control)
        if row.reads != .never {
            await engine.cache.read(wanted, within: row.reach, promotes: row.isAnsweredByCache) {
                collected.take($0, $1, from: $2)
            }
            engine.counters.hit(collected.found.count)
        }
        let misses = wanted.filter { collected.found[$0] == nil }
        if row.asks == .never {
            if !isPart, collected.found.isEmpty, !misses.isEmpty { throw .notCached(resource: engine.resource) }
            if !misses.isEmpty { collected.isWhole = nil }
        } else if !misses.isEmpty {
            let done = wanted.count - misses.count
            onProgress(done, wanted.count)
            try await fetch(misses, control, isPart, into: &collected) { onProgress(done + $0, wanted.count) }
        }
        onProgress(wanted.count, wanted.count)
        return answer(keys, collected)
    }

    /// The requests' ids.
    func chunks(_ keys: [ItemKey]) -> [[ItemKey]] {
        stride(from: 0, to: keys.count, by: reader.maxIDs).map {
            Array(keys[$0..<min($0 + reader.maxIDs, keys.count)])
        }
    }

    private func collected(_ keys: [ItemKey], _ control: CacheControl) -> Collected {
        Collected(keys, engine.run(control, waits: true))
    }

    private func fetch(
        _ keys: [ItemKey], _ control: CacheControl, _ isPart: Bool, into collected: inout Collected,
        onProgress: (Int) -> Void
    ) async throws(RepositoryError) {
        engine.counters.miss(keys.count)
        guard engine.admission.enter() else { throw .busy(limit: engine.admission.limit) }
        defer { engine.admission.leave() }
        var standIns: [ItemKey: Answer<ItemEntity>] = [:]
        for key in keys { standIns[key] = collected.runs[key]?.standIn }
        let fetched = await fetch(keys, control, isPart, known: standIns.mapValues(\.value), onProgress)
        collected.found.merge(fetched.items) { _, new in new }
        guard let failure = fetched.failure ?? fetched.mismatch else { return }
        guard failure.fallsBackToCache || isPart && failure.kind != .cancelled else { throw .remote(failure) }
        for key in keys where collected.found[key] == nil && !fetched.absent.contains(key) {
            if let standIn = standIns[key], failure.fallsBackToCache {
                collected.found[key] = standIn
            } else {
                collected.isWhole = false
            }
        }
        // What is there is an answer; nothing at all is none, and what nothing is kept of would be lost with it.
        let isLost = fetched.failure != nil && !control.policy.row.keeps
        if !isPart, collected.found.isEmpty || isLost { throw .remote(failure) }
        collected.fallback = failure
    }

    /// Asks for all items, several a request where the API can. What came before a failure is not lost.
    private func fetch(
        _ keys: [ItemKey], _ control: CacheControl, _ isPart: Bool, known: [ItemKey: ItemEntity],
        _ onProgress: (Int) -> Void
    ) async -> Fetched {
        var waiting = chunks(keys)[...]
        return await withTaskGroup(of: Outcomes.self) { group in
            func start(_ chunk: [ItemKey]) {
                group.addTask { await fetch(chunk: chunk, control, known) }
            }
            for chunk in waiting.prefix(Self.maxConcurrentRequests) { start(chunk) }
            waiting = waiting.dropFirst(Self.maxConcurrentRequests)
            var fetched = Fetched()
            while let outcomes = await group.next() {
                fetched.add(outcomes, skipsMismatches: reader.resource.skipsMismatches)
                onProgress(fetched.items.count + fetched.absent.count)
                if fetched.failure == nil || isPart, let chunk = waiting.popFirst() { start(chunk) }
            }
            return fetched
        }
    }

    private func fetch(
        chunk keys: [ItemKey], _ control: CacheControl, _ known: [ItemKey: ItemEntity]
    ) async -> Outcomes {
        guard control.policy.row.keeps else { return await ask(keys, known: [:]) }
        return await fetches.entries(keys, isEnough: engine.isEnough(control)) { await ask($0, known: known) }
    }

    /// Asks for items by one request.
    private func ask(_ keys: [ItemKey], known: [ItemKey: ItemEntity]) async -> Outcomes {
        var outcomes: Outcomes = [:]
        do throws(APIError) {
            for key in keys { outcomes[key] = .failure(.absent) }
            if keys.count == 1 {
                let item = try await reader.item(keys[0], known: known[keys[0]])
                outcomes[item.key] = .success(Answer(item, from: .remote, isStale: false))
            } else {
                for (key, item) in try await reader.items(keys) {
                    outcomes[key] = item.map { Answer($0, from: .remote, isStale: false) }
                }
            }
        } catch {
            for key in keys { outcomes[key] = .failure(error) }
        }
        return outcomes
    }

    private func answer(_ keys: [ItemKey], _ collected: Collected) -> ManyAnswer {
        var items: [[UInt8]] = []
        var missing: [String] = []
        var told: Set<ItemKey> = []
        var sources: [Source: Int] = [:]
        var oldest: Timestamp?
        for key in keys {
            if let found = collected.found[key] {
                items.append(found.value.json)
                sources[found.source, default: 0] += 1
                oldest = min(oldest ?? found.fetchedAt, found.fetchedAt)
            } else if told.insert(key).inserted {
                missing.append(key.id)
            }
        }
        return ManyAnswer(
            items: items, missing: missing, sources: sources, fallback: collected.fallback,
            isWhole: collected.isWhole, oldest: oldest)
    }
}
