import DataSources
import Model

/// Fetches entries of one kind together with all others who want the same now, and keeps what comes.
struct EntryFetches<Key: CacheKey>: Sendable {
    /// Asks the remote; with an entry, whether that has changed.
    typealias Fetch = @Sendable (_ known: Key.Entry?) async throws(APIError) -> Fetched<Key>
    /// What became of each key.
    typealias Outcomes = [Key: Result<Answer<Key.Entry>, APIError>]

    /// A key as it is fetched: fetches of different epochs are not shared.
    private struct Flight: Hashable, Sendable {
        let epoch: Int
        let key: Key
    }

    private let cache: Cache
    private let counters: ResourceCounters
    private let turns: FetchTurns<Key>
    private let shared = SharedFetches<Flight, Answer<Key.Entry>>()

    init(cache: Cache, counters: ResourceCounters) {
        self.cache = cache
        self.counters = counters
        turns = FetchTurns(cache: cache)
    }

    /// Whether a fetch of that key is under way.
    func isUnderWay(_ key: Key) -> Bool { shared.isUnderWay(Flight(epoch: cache.currentEpoch, key: key)) }

    /// Fetches an entry, or waits for who fetches it already.
    ///
    /// - Parameters:
    ///   - known: what is kept: the remote is asked whether it has changed.
    ///   - isEnough: which entry that came meanwhile is as good as a new one; nil where none is.
    func entry(
        _ key: Key, known: Key.Entry?, isEnough: (@Sendable (Key.Entry) -> Bool)?, _ fetch: @escaping Fetch
    ) async throws(APIError) -> Answer<Key.Entry> {
        let outcomes = await entries([key], isEnough: isEnough) { _ in
            do throws(APIError) {
                let fetched = try await fetch(known)
                var outcomes: Outcomes = fetched.others.mapValues {
                    .success(Answer($0, from: .remote, isStale: false))
                }
                outcomes[key] = .success(Answer(fetched.entry, from: .remote, isStale: false))
                return outcomes
            } catch {
                return [key: .failure(error)]
            }
        }
        return try (outcomes[key] ?? .failure(.absent)).get()
    }

    /// Several entries. What the remote has no longer is forgotten.
    ///
    /// - Parameter fetch: asks the remote for those that are neither on their way nor in memory.
    func entries(
        _ keys: [Key], isEnough: (@Sendable (Key.Entry) -> Bool)?,
        _ fetch: @escaping @Sendable ([Key]) async -> Outcomes
    ) async -> Outcomes {
        let epoch = cache.currentEpoch
        let outcomes = await shared.outcomes(
            of: keys.map { Flight(epoch: epoch, key: $0) }, onShared: counters.share
        ) { flight in
            guard let isEnough, let entry = cache.peek(flight.key), isEnough(entry) else { return nil }
            return Answer(entry, from: .memory, isStale: false)
        } transfer: { [turns] flights in
            let outcomes = await turns.outcomes(of: flights.map(\.key), askedIn: epoch, isEnough: isEnough, fetch)
            return Dictionary(uniqueKeysWithValues: outcomes.map { (Flight(epoch: epoch, key: $0.key), $0.value) })
        }
        return Dictionary(uniqueKeysWithValues: outcomes.map { ($0.key.key, $0.value) })
    }
}

/// What a remote was asked for, and what came with it.
struct Fetched<Key: CacheKey>: Sendable {
    let entry: Key.Entry
    /// Entries that the same answer has.
    var others: [Key: Key.Entry] = [:]
}
