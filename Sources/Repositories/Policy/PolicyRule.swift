import JSON
import Model
import System

/// The cache policy of a call, and the maximum age of a fresh answer.
public struct CacheControl: Equatable, Sendable {
    /// The cache policy of the call. It determines when the call uses the cache and when the call uses the API.
    public let policy: CachePolicy
    /// The age in milliseconds at which an entry becomes stale. Nil if only the catalog's `freshFor` applies.
    public let maxAge: Milliseconds?

    /// Creates the cache settings of a call. By default, the policy is `localFirst`, and the catalog's `freshFor`
    /// determines which entries are stale.
    public init(_ policy: CachePolicy = .localFirst, maxAge: Milliseconds? = nil) {
        self.policy = policy
        self.maxAge = maxAge
    }
}

/// The rules of a cache policy. They determine which entries a call reads, when it makes a request, and whether it
/// stores the answer.
struct PolicyRule: Equatable, Sendable {
    /// The cached entries that a call accepts: only fresh entries, entries of any freshness, or no entries. The call
    /// reads one cache level after another until it accepts an entry.
    enum Reads {
        case fresh, any, never
    }

    /// The cases in which a call makes a request to the API.
    enum Asks {
        case whenNeeded, always, never
    }

    let reads: Reads
    let asks: Asks
    /// Whether a call stores the API's answer. Such a call also shares its request with concurrent calls for the same
    /// entry.
    let keeps: Bool

    /// Whether the cache may answer a call without a request to the API.
    // Otherwise the call uses cached entries only if the API fails.
    var isAnsweredByCache: Bool { asks != .always }

    /// The cache levels that a call reads. The call reads the shared level only if it would otherwise ask the API.
    var reach: CacheReach { reads == .fresh ? .all : .machine }

    /// Returns whether an entry is fresh. Nil if the entry is older than `keepFor`, or if the policy reads no entries.
    @inline(__always)
    func judge(_ entry: some AgedEntry, _ maxAge: Milliseconds?, _ freshness: FreshnessRule) -> Bool? {
        reads == .never ? nil : freshness.judge(entry, maxAge: maxAge)
    }

    /// Returns whether an entry in memory is stale. Returns nil if the policy does not accept the entry.
    @inline(__always)
    func judgeFirst(_ entry: some AgedEntry, _ maxAge: Milliseconds?, _ freshness: FreshnessRule) -> Bool? {
        guard isAnsweredByCache, let isFresh = judge(entry, maxAge, freshness), isEnough(isFresh) else { return nil }
        return !isFresh
    }

    /// Returns whether a call accepts an entry. After an accepted entry, the call reads no further cache levels.
    ///
    /// - Parameter isFresh: whether the entry is fresh; nil if the entry is older than `keepFor`.
    func isEnough(_ isFresh: Bool?) -> Bool {
        switch reads {
        case .fresh: isFresh == true
        case .any: isFresh != nil
        case .never: false
        }
    }
}

extension CachePolicy {
    /// The rules of this cache policy. Calls and explanations use the same rules.
    var rule: PolicyRule {
        switch self {
        case .localFirst: PolicyRule(reads: .fresh, asks: .whenNeeded, keeps: true)
        case .remoteFirst: PolicyRule(reads: .any, asks: .always, keeps: true)
        case .none: PolicyRule(reads: .never, asks: .always, keeps: false)
        case .localOnly: PolicyRule(reads: .any, asks: .never, keeps: false)
        }
    }
}
