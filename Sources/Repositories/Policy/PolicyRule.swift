import JSON
import Model

/// The cache policy of a call, and the largest age of an answer.
public struct CacheControl: Equatable, Sendable {
    /// Whether the cache and the remote are asked.
    public let policy: CachePolicy
    /// The largest age in milliseconds at which an entry is still fresh; nil for the resource's own rule alone.
    public let maxAge: Int?

    /// Without arguments, the default policy and the resource's own rule.
    public init(_ policy: CachePolicy = .localFirst, maxAge: Int? = nil) {
        self.policy = policy
        self.maxAge = maxAge
    }
}

/// The meaning of a cache policy.
struct PolicyRule: Equatable, Sendable {
    /// Which cached entry ends the search of the levels.
    enum Reads {
        case fresh, any, never
    }

    /// When the remote is asked.
    enum Asks {
        case whenNeeded, always, never
    }

    let reads: Reads
    let asks: Asks
    /// Whether the remote's answer is stored, and the request shared with concurrent calls for the same entry.
    let keeps: Bool

    /// Whether the cache may answer. Otherwise its entries are used only if the remote fails.
    var isAnsweredByCache: Bool { asks != .always }

    /// Which levels are read. The shared level is read only if the remote would be asked next.
    var reach: CacheReach { reads == .fresh ? .all : .machine }

    /// Judges an entry: nil if it counts as absent, or the policy reads nothing; else whether it is fresh.
    @inline(__always)
    func judge(_ entry: some AgedEntry, _ maxAge: Int?, _ freshness: FreshnessRule) -> Bool? {
        reads == .never ? nil : freshness.judge(entry, maxAge: maxAge)
    }

    /// Judges an entry of the first level that is read: nil if it is not the call's answer, else whether it is stale.
    @inline(__always)
    func judgeFirst(_ entry: some AgedEntry, _ maxAge: Int?, _ freshness: FreshnessRule) -> Bool? {
        guard isAnsweredByCache, let isFresh = judge(entry, maxAge, freshness), isEnough(isFresh) else { return nil }
        return !isFresh
    }

    /// Whether an entry ends the search.
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
    /// The table of the policies. Every call and every explanation uses it.
    var rule: PolicyRule {
        switch self {
        case .localFirst: PolicyRule(reads: .fresh, asks: .whenNeeded, keeps: true)
        case .remoteFirst: PolicyRule(reads: .any, asks: .always, keeps: true)
        case .none: PolicyRule(reads: .never, asks: .always, keeps: false)
        case .localOnly: PolicyRule(reads: .any, asks: .never, keeps: false)
        }
    }
}
