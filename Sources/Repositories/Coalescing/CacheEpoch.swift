import DataSources
import System

/// Counts how often somebody removed entries or marked them stale. What was asked of a remote before that must not undo
/// it by being kept after it, and nobody who asks after it may be answered with it.
public final class CacheEpoch: Sendable {
    private let number = Lock(0)

    init() {}

    /// The number of the epoch now.
    var current: Int { number.withLock { $0 } }

    /// Begins a new epoch. It is called before entries are removed or marked.
    public func advance() { number.withLock { $0 += 1 } }

    /// Does what keeps an answer, unless the epoch in which it was asked for is over.
    func keep(askedIn epoch: Int, _ keep: () -> Void) {
        number.withLock { if $0 == epoch { keep() } }
    }
}

/// A key as it is fetched: fetches of different epochs are not shared.
struct Epoched<Key: Hashable & Sendable>: Hashable, Sendable {
    let epoch: Int
    let key: Key
}
