import JSON
import Model
import System

/// The cache policy of a call, and the largest age of an answer.
public struct CacheControl: Equatable, Sendable {
    /// When the cache and the remote are asked.
    public let policy: CachePolicy
    /// The age in milliseconds from which an entry is stale; nil if only the catalog's `freshFor` counts.
    public let maxAge: Milliseconds?

    /// Creates a control. By default, the policy is `localFirst`, and the catalog's `freshFor` decides what is stale.
    public init(_ policy: CachePolicy = .localFirst, maxAge: Milliseconds? = nil) {
        self.policy = policy
        self.maxAge = maxAge
    }
}

/// The rules of a cache policy: which entries are read, when the remote is asked, and whether its answer is stored.
struct PolicyRule: Equatable, Sendable {
    /// The kind of cached entry at which a lookup in the levels stops.
    enum Reads {
        case fresh, any, never
    }

    /// When the remote is asked.
    enum Asks {
        case whenNeeded, always, never
    }

    let reads: Reads
    let asks: Asks
    /// Whether the remote's answer is stored, and concurrent calls for the same entry share the request.
    let keeps: Bool

    /// Whether the cache may answer. If not, its entries are used only if the remote fails.
    var isAnsweredByCache: Bool { asks != .always }

    /// Which levels are read. The shared level is read only if the remote would be asked next.
    var reach: CacheReach { reads == .fresh ? .all : .machine }

    /// Judges an entry.
    ///
    /// - Returns: whether the entry is fresh; nil if it counts as absent, or the policy reads no entries.
    @inline(__always)
    func judge(_ entry: some AgedEntry, _ maxAge: Milliseconds?, _ freshness: FreshnessRule) -> Bool? {
        reads == .never ? nil : freshness.judge(entry, maxAge: maxAge)
    }

    /// Judges an entry in memory.
    ///
    /// - Returns: whether the answer is stale; nil if the entry cannot be the answer.
    @inline(__always)
    func judgeFirst(_ entry: some AgedEntry, _ maxAge: Milliseconds?, _ freshness: FreshnessRule) -> Bool? {
        guard isAnsweredByCache, let isFresh = judge(entry, maxAge, freshness), isEnough(isFresh) else { return nil }
        return !isFresh
    }

    /// Returns whether an entry ends the search of the levels.
    ///
    /// - Parameter isFresh: nil for an entry that counts as absent.
    func isEnough(_ isFresh: Bool?) -> Bool {
        switch reads {
        case .fresh: isFresh == true
        case .any: isFresh != nil
        case .never: false
        }
    }
}

extension CachePolicy {
    /// The table of the cache policies, used by every call and every explanation.
    var rule: PolicyRule {
        switch self {
        case .localFirst: PolicyRule(reads: .fresh, asks: .whenNeeded, keeps: true)
        case .remoteFirst: PolicyRule(reads: .any, asks: .always, keeps: true)
        case .none: PolicyRule(reads: .never, asks: .always, keeps: false)
        case .localOnly: PolicyRule(reads: .any, asks: .never, keeps: false)
        }
    }
}
