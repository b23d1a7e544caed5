import Model
import System

/// Reads several items from the cache, and the missing items from the API with as few requests as possible.
struct BatchReader: Sendable {
    /// The maximum number of concurrent requests of one call.
    private static let maxConcurrentRequests = 8

    typealias Outcome = FetchCoordinator<ItemKey>.Outcome

    /// The state of one call for several items.
    // It contains keys instead of ids, because keys are compared byte by byte.
    private struct Batch {
        var decisions: [ItemKey: PolicyDecision<ItemEntity>]
        var found: [ItemKey: Answer<ItemEntity>] = [:]
        /// The keys of items that do not exist in the API.
        var absent: Set<ItemKey> = []
        /// The API's error that is the reason for missing items; nil if there was no error.
        var failure: APIError?
        /// The error for an item that was skipped because the item does not match the catalog.
        var mismatch: APIError?
        /// The reason why the call must not make a request; nil if requests are allowed.
        var refusal: RepositoryError?
        var fallback: APIError?
        /// Whether the call has found all requested items that exist in the API. Nil if this is unknown, because items
        /// are missing and no request was made.
        var isWhole: Bool? = true

        init(_ keys: [ItemKey], _ decision: PolicyDecision<ItemEntity>) {
            decisions = Dictionary(keys.map { ($0, decision) }) { first, _ in first }
        }

        /// Applies the cache policy to an item from one cache level. Returns true if the call accepts the item and need
        /// not read lower levels for this key.
        mutating func take(_ key: ItemKey, _ item: ItemEntity?, from source: Source) -> Bool {
            guard decisions[key]?.take(item, from: source) == true else { return false }
            found[key] = decisions[key]?.answer
            return true
        }

        /// Returns the keys of cached items that are too old to be fresh. A sync of a list may have confirmed such an
        /// item after its fetch, so the caller must check this.
        func aged(_ keys: [ItemKey]) -> [ItemKey] { keys.filter { decisions[$0]?.needsConfirmation == true } }

        /// Applies the cache policy to an item again, with the time at which a sync of a list confirmed the item.
        ///
        /// - Parameter time: the time of the confirmation; nil if no sync has confirmed the item.
        mutating func confirm(_ key: ItemKey, at time: Timestamp?) {
            decisions[key]?.confirm(at: time)
            found[key] = decisions[key]?.answer
        }

        /// Records the outcomes of a request, one for each key.
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

        /// Records an API error. Keeps the first error, with one exception: an error that forbids the use of cached
        /// entries replaces an error that permits it.
        private mutating func add(_ error: APIError) {
            if failure?.fallsBackToCache ?? true { failure = error.fallsBackToCache ? failure ?? error : error }
        }

        /// Uses cached entries for the items that the API did not return, if the policy permits this.
        mutating func settle(_ keys: [ItemKey], _ cause: APIError) {
            for key in keys where found[key] == nil && !absent.contains(key) {
                if case .success(let cached)? = decisions[key]?.settled(.failure(.remote(cause))) {
                    found[key] = cached
                } else {
                    isWhole = false
                }
            }
        }
    }

    let engine: PolicyEngine
    let reader: RemoteReader
    let fetches: FetchCoordinator<ItemKey>
    /// Fetches items with one request to the API.
    let fetchItems: FetchCoordinator<ItemKey>.Fetch

    init(engine: PolicyEngine, reader: RemoteReader, fetches: FetchCoordinator<ItemKey>) {
        self.engine = engine
        self.reader = reader
        self.fetches = fetches
        fetchItems = { await reader.fetch($0) }
    }

    /// Returns an answer from memory alone. Nil if memory lacks an item, or if the policy does not accept the item in
    /// memory.
    func answerAtOnce(_ keys: [ItemKey], _ control: CacheControl) -> BatchAnswer? {
        guard control.policy.rule.isAnsweredByCache, engine.cache.isCurrent else { return nil }
        var batch = batch(keys, control)
        let items = zip(keys, engine.cache.peek(keys))
        guard items.allSatisfy({ batch.take($0, $1, from: .memory) }),
            engine.cache.syncs == nil || batch.aged(keys).isEmpty
        else { return nil }
        engine.hit(batch.found.count)
        return answer(keys, batch)
    }

    /// Returns the items that are cached on this machine, of any age. Makes no requests, and does not change the
    /// statistics.
    func cached(_ keys: [ItemKey]) async -> BatchAnswer {
        var batch = batch(keys, CacheControl(.localOnly))
        await read(Self.distinct(keys), &batch, within: .machine, promotes: false)
        return answer(keys, batch)
    }

    /// Reads items from the cache.
    // Not inlined, because the compiler makes a copy of the cache's function for each closure.
    @inline(never)
    private func read(_ keys: [ItemKey], _ batch: inout Batch, within reach: CacheReach, promotes: Bool) async {
        let cache = engine.cache
        await cache.read(keys, within: cache.firstReach(of: reach), promotes: promotes) { batch.take($0, $1, from: $2) }
        let aged = batch.aged(keys)
        if !aged.isEmpty {
            for (key, time) in zip(aged, await engine.confirmations(of: aged)) { batch.confirm(key, at: time) }
        }
        guard let rest = cache.secondReach(of: reach) else { return }
        let missing = keys.filter { batch.found[$0] == nil }
        await cache.read(missing, within: rest, promotes: promotes) { batch.take($0, $1, from: $2) }
    }

    /// Returns the keys without duplicates, in the given order.
    static func distinct(_ keys: [ItemKey]) -> [ItemKey] {
        var seen: Set<ItemKey> = []
        return keys.filter { seen.insert($0).inserted }
    }

    /// Returns the items from the cache or the API, according to the policy.
    ///
    /// - Parameters:
    ///   - isPart: whether the caller accepts an answer with only some of the items. The answer then lists the
    ///     remaining items as missing.
    ///   - onProgress: called with the number of finished items, and the total.
    /// - Throws: `RepositoryError` if there is no answer.
    func answer(
        _ keys: [ItemKey], _ control: CacheControl, isPart: Bool = false,
        onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> BatchAnswer {
        let rule = control.policy.rule
        let wanted = Self.distinct(keys)
        var batch = batch(wanted, control)
        if rule.reads != .never {
            await read(wanted, &batch, within: rule.reach, promotes: rule.isAnsweredByCache)
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

    /// Divides the keys into groups of at most `maxIDs` keys, one group for each request.
    func chunks(_ keys: [ItemKey]) -> [[ItemKey]] {
        stride(from: 0, to: keys.count, by: reader.maxIDs).map {
            Array(keys[$0..<min($0 + reader.maxIDs, keys.count)])
        }
    }

    /// Returns the initial state of a call for several items.
    // Such a call waits until the API has answered. It never refreshes stale items in the background.
    private func batch(_ keys: [ItemKey], _ control: CacheControl) -> Batch {
        Batch(keys, engine.decision(control, .ifError))
    }

    /// Fetches items, several per request if possible.
    ///
    /// - Parameter isPart: whether the caller accepts an answer with only some of the items. If false, no further
    ///   requests start after a failure.
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

    /// Decides after a failed request whether the call still has an answer. If so, adds usable cached items to the
    /// batch. Otherwise, throws the error.
    private func settle(
        _ batch: inout Batch, _ misses: [ItemKey], _ control: CacheControl, _ isPart: Bool
    ) throws(RepositoryError) {
        if let refusal = batch.refusal { throw refusal }
        guard let failure = batch.failure ?? batch.mismatch else { return }
        guard failure.fallsBackToCache || isPart && failure.kind != .cancelled else { throw .remote(failure) }
        batch.settle(misses, failure)
        // An incomplete answer must contain at least one item. A policy that stores nothing permits no incomplete
        // answer, because a repeated call would fetch the same items again.
        let isLost = batch.failure != nil && !control.policy.rule.keeps
        if !isPart, batch.found.isEmpty || isLost { throw .remote(failure) }
        batch.fallback = failure
    }

    private func answer(_ keys: [ItemKey], _ batch: Batch) -> BatchAnswer {
        var items: [[UInt8]] = []
        var missing: [String] = []
        var reported: Set<ItemKey> = []
        var sources: [Source: Int] = [:]
        var oldest: Timestamp?
        for key in keys {
            if let found = batch.found[key] {
                items.append(found.value.json)
                sources[found.source, default: 0] += 1
                oldest = min(oldest ?? found.fetchedAt, found.fetchedAt)
            } else if reported.insert(key).inserted {
                missing.append(key.id)
            }
        }
        return BatchAnswer(
            items: items, missing: missing, sources: sources, fallback: batch.fallback,
            isWhole: batch.isWhole, oldest: oldest)
    }
}
