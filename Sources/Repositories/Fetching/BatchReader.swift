import Model
import System

/// Reads several items at once: from the cache what it has, and the rest with as few requests as the API allows.
struct BatchReader: Sendable {
    /// The number of requests that are under way at once for one call.
    private static let maxConcurrentRequests = 8

    typealias Outcome = FetchCoordinator<ItemKey>.Outcome

    /// The state of one call. By key, not by id: keys are told apart by their bytes.
    private struct Batch {
        var decisions: [ItemKey: PolicyDecision<ItemEntity>]
        var found: [ItemKey: Answer<ItemEntity>] = [:]
        /// The items that the remote does not have.
        var absent: Set<ItemKey> = []
        /// Why the remote did not answer for more.
        var failure: APIError?
        /// Why an item of another shape is left out.
        var mismatch: APIError?
        /// Why the remote was not asked.
        var refusal: RepositoryError?
        var fallback: APIError?
        /// See `ManyAnswer`.
        var isWhole: Bool? = true

        init(_ keys: [ItemKey], _ decision: PolicyDecision<ItemEntity>) {
            decisions = Dictionary(keys.map { ($0, decision) }) { first, _ in first }
        }

        /// Takes a level's item into account. Returns whether the next level need not be read.
        mutating func take(_ key: ItemKey, _ item: ItemEntity?, from source: Source) -> Bool {
            guard decisions[key]?.take(item, from: source) == true else { return false }
            found[key] = decisions[key]?.answer
            return true
        }

        /// Takes the remote's outcomes into account.
        mutating func take(_ keys: [ItemKey], _ outcomes: [Outcome], skipsMismatches: Bool) {
            for (key, outcome) in zip(keys, outcomes) {
                switch outcome {
                case .success(let answer): found[key] = answer
                case .failure(let failure):
                    guard let error = failure.cause else {
                        refusal = failure
                        continue
                    }
                    switch error.kind {
                    case .notFound: absent.insert(key)
                    case .decodingFailed where skipsMismatches: mismatch = error
                    default: add(error)
                    }
                }
            }
        }

        /// A failure that cached entries cannot cover is reported rather than one that they can.
        private mutating func add(_ error: APIError) {
            if failure?.fallsBackToCache ?? true { failure = error.fallsBackToCache ? failure ?? error : error }
        }

        /// Uses cached entries for what the remote did not answer.
        mutating func settle(_ keys: [ItemKey], _ cause: APIError) {
            for key in keys where found[key] == nil && !absent.contains(key) {
                if case .success(let standIn)? = decisions[key]?.settled(.failure(.remote(cause))) {
                    found[key] = standIn
                } else {
                    isWhole = false
                }
            }
        }
    }

    let engine: PolicyEngine
    let reader: RemoteReader
    let fetches: FetchCoordinator<ItemKey>
    /// Fetches items by one request.
    let fetchItems: FetchCoordinator<ItemKey>.Fetch

    init(engine: PolicyEngine, reader: RemoteReader, fetches: FetchCoordinator<ItemKey>) {
        self.engine = engine
        self.reader = reader
        self.fetches = fetches
        fetchItems = { await reader.fetch($0) }
    }

    /// Returns the answer of memory; nil if the policy asks for more than memory has.
    func answerAtOnce(_ keys: [ItemKey], _ control: CacheControl) -> ManyAnswer? {
        guard control.policy.rule.isAnsweredByCache, engine.cache.isCurrent else { return nil }
        var batch = batch(keys, control)
        let items = zip(keys, engine.cache.peek(keys))
        guard items.allSatisfy({ batch.take($0, $1, from: .memory) }) else { return nil }
        engine.hit(batch.found.count)
        return answer(keys, batch)
    }

    /// Returns the items that are cached on this machine, whatever their age. Nothing is fetched or counted.
    func cached(_ keys: [ItemKey]) async -> ManyAnswer {
        var batch = batch(keys, CacheControl(.localOnly))
        await engine.cache.read(Self.distinct(keys), within: .machine, promotes: false) {
            batch.take($0, $1, from: $2)
        }
        return answer(keys, batch)
    }

    /// Each key once, in their order.
    static func distinct(_ keys: [ItemKey]) -> [ItemKey] {
        var seen: Set<ItemKey> = []
        return keys.filter { seen.insert($0).inserted }
    }

    /// Returns the answer of the policy.
    ///
    /// - Parameters:
    ///   - isPart: whether some of the items are an answer too. The others are then missing.
    ///   - onProgress: called with the number of items that are settled.
    func answer(
        _ keys: [ItemKey], _ control: CacheControl, isPart: Bool = false,
        onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> ManyAnswer {
        let rule = control.policy.rule
        let wanted = Self.distinct(keys)
        var batch = batch(wanted, control)
        if rule.reads != .never {
            await engine.cache.read(wanted, within: rule.reach, promotes: rule.isAnsweredByCache) {
                batch.take($0, $1, from: $2)
            }
            engine.hit(batch.found.count)
        }
        let misses = wanted.filter { batch.found[$0] == nil }
        if rule.asks == .never {
            if !isPart, batch.found.isEmpty, !misses.isEmpty { throw .notCached(resource: engine.resource) }
            if !misses.isEmpty { batch.isWhole = nil }
        } else if !misses.isEmpty {
            let done = wanted.count - misses.count
            onProgress(done, wanted.count)
            try engine.beginAsking(misses.count)
            defer { engine.endAsking() }
            batch = await fetch(misses, control, isPart, batch) { onProgress(done + $0, wanted.count) }
            try settle(&batch, misses, control, isPart)
        }
        onProgress(wanted.count, wanted.count)
        return answer(keys, batch)
    }

    /// The keys of each request.
    func chunks(_ keys: [ItemKey]) -> [[ItemKey]] {
        stride(from: 0, to: keys.count, by: reader.maxIDs).map {
            Array(keys[$0..<min($0 + reader.maxIDs, keys.count)])
        }
    }

    /// The state of a call that has read nothing. New items are waited for: there are no refreshes in the background.
    private func batch(_ keys: [ItemKey], _ control: CacheControl) -> Batch {
        Batch(keys, engine.decision(control, .ifError))
    }

    /// Fetches items, several a request if the API can. After a failure no further request is made, unless a part of
    /// the items is an answer.
    private func fetch(
        _ keys: [ItemKey], _ control: CacheControl, _ isPart: Bool, _ batch: Batch, _ onProgress: (Int) -> Void
    ) async -> Batch {
        var batch = batch
        let requests = chunks(keys).map { chunk in
            engine.request(chunk.map { Wanted($0, known: batch.decisions[$0]?.known) }, control, fetchItems)
        }
        var waiting = requests[...]
        let found = batch.found.count
        return await withTaskGroup(of: (keys: [ItemKey], outcomes: [Outcome]).self) { group in
            func start(_ request: FetchRequest<ItemKey>) {
                group.addTask { (request.wanted.map(\.key), await fetches.outcomes(of: request)) }
            }
            for request in waiting.prefix(Self.maxConcurrentRequests) { start(request) }
            waiting = waiting.dropFirst(Self.maxConcurrentRequests)
            while let (keys, outcomes) = await group.next() {
                batch.take(keys, outcomes, skipsMismatches: reader.resource.skipsMismatches)
                onProgress(batch.found.count - found + batch.absent.count)
                if batch.failure == nil || isPart, let request = waiting.popFirst() { start(request) }
            }
            return batch
        }
    }

    /// Decides whether what was found is an answer if the remote failed.
    private func settle(
        _ batch: inout Batch, _ misses: [ItemKey], _ control: CacheControl, _ isPart: Bool
    ) throws(RepositoryError) {
        if let refusal = batch.refusal { throw refusal }
        guard let failure = batch.failure ?? batch.mismatch else { return }
        guard failure.fallsBackToCache || isPart && failure.kind != .cancelled else { throw .remote(failure) }
        batch.settle(misses, failure)
        // Some items are an answer. None is not; and if nothing is stored, those of a failed call would be lost.
        let isLost = batch.failure != nil && !control.policy.rule.keeps
        if !isPart, batch.found.isEmpty || isLost { throw .remote(failure) }
        batch.fallback = failure
    }

    private func answer(_ keys: [ItemKey], _ batch: Batch) -> ManyAnswer {
        var items: [[UInt8]] = []
        var missing: [String] = []
        var told: Set<ItemKey> = []
        var sources: [Source: Int] = [:]
        var oldest: Timestamp?
        for key in keys {
            if let found = batch.found[key] {
                items.append(found.value.json)
                sources[found.source, default: 0] += 1
                oldest = min(oldest ?? found.fetchedAt, found.fetchedAt)
            } else if told.insert(key).inserted {
                missing.append(key.id)
            }
        }
        return ManyAnswer(
            items: items, missing: missing, sources: sources, fallback: batch.fallback,
            isWhole: batch.isWhole, oldest: oldest)
    }
}
