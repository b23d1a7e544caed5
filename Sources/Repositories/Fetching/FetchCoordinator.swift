import DataSources
import Model
import System

/// Fetches items or pages from the API and stores them in the cache.
///
/// Concurrent requests of this process for the same key share one fetch. The leases of the shared cache level prevent
/// several processes from fetching the same entry at the same time.
final class FetchCoordinator<Key: CacheKey>: Sendable {
    typealias Outcome = Result<Answer<Key.Entry>, RepositoryError>
    /// A function that fetches entries from the API.
    typealias Fetch = @Sendable ([Wanted<Key>]) async -> Fetched<Key>

    /// The first and the longest pause between two reads of the shared cache level, in milliseconds. The reads look for
    /// an entry that another process is fetching.
    private static var pauses: (first: Milliseconds, longest: Milliseconds) { (5, 80) }

    private let cache: Cache
    private let counters: ResourceCounters
    private let timer: any TimerContract
    private let coalescer = RequestCoalescer<Key, Answer<Key.Entry>>()

    init(cache: Cache, counters: ResourceCounters, timer: any TimerContract = EventLoop.shared) {
        self.cache = cache
        self.counters = counters
        self.timer = timer
    }

    /// Returns whether a new request would share a running fetch of the key.
    func isUnderWay(_ key: Key) -> Bool { coalescer.isUnderWay(key, in: cache.currentEpoch) }

    /// Returns the outcomes of a fetch request, in the order of the requested entries. A request after a removal or
    /// invalidation never shares the fetch of an earlier request.
    // After a removal, no request may receive an entry from before the removal. The cache does not store an answer from
    // an earlier epoch either.
    func outcomes(of request: FetchRequest<Key>) async -> [Outcome] {
        guard request.isShared else { return await request.fetch(request.wanted).answers }
        let epoch = cache.currentEpoch
        return await coalescer.outcomes(of: request.wanted.lazy.map { $0.key }, in: epoch, onShared: counters.share) {
            key in
            guard let required = request.required, let entry = cache.peek(key), required.accepts(entry) else {
                return nil
            }
            return Answer(entry, from: .memory, isStale: false)
        } fetch: { [self] places in
            let isWhole = places.count == request.wanted.count
            return await fetch(isWhole ? request.wanted : places.map { request.wanted[$0] }, request, in: epoch)
        }
    }

    /// Fetches entries from the API and stores them in the cache.
    private func fetch(_ wanted: [Wanted<Key>], _ request: FetchRequest<Key>, in epoch: Int) async -> [Outcome] {
        guard cache.hasSharedLevel else { return await ask(wanted, request, in: epoch, nil) }
        return await fetchWithLeases(wanted, request, in: epoch)
    }

    /// Fetches and stores the entries for which this process gets a lease. Waits for the entries that other processes
    /// are fetching.
    // Not inlined, so that a fetch without a shared level needs no stack space for the variables of this function.
    @inline(never)
    private func fetchWithLeases(
        _ wanted: [Wanted<Key>], _ request: FetchRequest<Key>, in epoch: Int
    ) async -> [Outcome] {
        var outcomes: [Outcome?] = wanted.map { _ in nil }
        var left = Array(wanted.indices)
        let start = timer.milliseconds
        var pause = Self.pauses.first
        var isForced = request.required == nil
        while let lease = await cache.takeLease(left.map { wanted[$0].key }, isForced: isForced) {
            if lease.mustReread, let required = request.required {
                let stored = await cache.entriesOfOtherProcesses(left.map { wanted[$0].key }) { required.accepts($0) }
                for place in left {
                    guard let entry = stored[wanted[place].key] else { continue }
                    outcomes[place] = .success(Answer(entry, from: .shared, isStale: false))
                }
                left.removeAll { outcomes[$0] != nil }
            }
            let own = left.filter { lease.own.contains(wanted[$0].key.name) }
            if !own.isEmpty {
                let answers = await ask(own.map { wanted[$0] }, request, in: epoch, lease)
                for (place, answer) in zip(own, answers) { outcomes[place] = answer }
                left.removeAll { own.contains($0) }
            }
            lease.end()
            guard !left.isEmpty else { return outcomes.map { $0 ?? .failure(.absent) } }
            guard await wait(pause) else { return outcomes.map { $0 ?? .failure(.left) } }
            pause = min(2 * pause, Self.pauses.longest)
            isForced = timer.milliseconds - start >= lease.maxWait
        }
        // The lease is nil only if there is no shared level.
        let answers = await ask(left.map { wanted[$0] }, request, in: epoch, nil)
        for (place, answer) in zip(left, answers) { outcomes[place] = answer }
        return outcomes.map { $0 ?? .failure(.absent) }
    }

    /// Sends a request to the API and stores the answer. Returns one outcome for each requested entry.
    private func ask(
        _ wanted: [Wanted<Key>], _ request: FetchRequest<Key>, in epoch: Int, _ lease: FetchLease?
    ) async -> [Outcome] {
        let fetched = await request.fetch(wanted)
        store(fetched, of: wanted, in: epoch, lease.flatMap { $0.isHeld() ? $0.ticket : nil })
        var answers = fetched.answers
        while answers.count < wanted.count { answers.append(.failure(.absent)) }
        return answers
    }

    /// Waits for a duration. Returns false if the caller's task was cancelled.
    private func wait(_ milliseconds: Milliseconds) async -> Bool {
        do {
            try await timer.sleep(milliseconds: milliseconds)
            return true
        } catch {
            return false
        }
    }

    /// Stores the fetched entries, and removes entries that the API no longer has.
    private func store(
        _ fetched: Fetched<Key>, of wanted: [Wanted<Key>], in epoch: Int, _ ticket: FetchTicket?
    ) {
        var entries = fetched.others
        for (place, outcome) in fetched.outcomes.enumerated() {
            switch outcome {
            case .success(let entry): entries.append(entry)
            case .failure(let error): if error.cause?.kind == .notFound { cache.forget(wanted[place].key) }
            }
        }
        guard !entries.isEmpty else { return }
        for var change in Key.Entry.changes(keeping: entries) {
            (change.ticket, change.askedAt) = (ticket, fetched.askedAt)
            cache.save(change, askedIn: epoch)
        }
    }
}

extension Fetched {
    /// The outcomes of the fetch. Each fetched entry is wrapped in an `Answer` that names the API as its source.
    fileprivate var answers: [FetchCoordinator<Key>.Outcome] {
        outcomes.map { $0.map { Answer($0, from: .remote, isStale: false) } }
    }
}
