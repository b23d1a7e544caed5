import JSON
import Model

/// What a call says of the cache: the policy, and how old an answer may be.
public struct CacheControl: Equatable, Sendable {
    /// Which of cache and remote is asked.
    public let policy: CachePolicy
    /// The largest age in milliseconds at which an entry is still fresh; nil for the resource's own rule alone.
    public let maxAge: Int?

    /// These words; the usual ones, where nothing is said.
    public init(_ policy: CachePolicy = .localFirst, maxAge: Int? = nil) {
        self.policy = policy
        self.maxAge = maxAge
    }
}

/// What a cache policy comes to.
struct PolicyRow: Equatable, Sendable {
    /// Which entry of the cache ends the search of its levels.
    enum Reads {
        case fresh, any, never
    }

    /// When the remote is asked.
    enum Asks {
        case whenNeeded, always, never
    }

    let reads: Reads
    let asks: Asks
    /// Whether what the remote says is kept, and the request shared with all who want the same now.
    let keeps: Bool

    /// Whether the cache may answer; else its entries can only stand in.
    var isAnsweredByCache: Bool { asks != .always }

    /// How far it is looked: only who would ask the remote next looks beyond this machine first.
    var reach: CacheReach { reads == .fresh ? .all : .machine }

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
    /// The table of the policies: everything that answers or explains a call goes by it.
    var row: PolicyRow {
        switch self {
        case .localFirst: PolicyRow(reads: .fresh, asks: .whenNeeded, keeps: true)
        case .remoteFirst: PolicyRow(reads: .any, asks: .always, keeps: true)
        case .none: PolicyRow(reads: .never, asks: .always, keeps: false)
        case .localOnly: PolicyRow(reads: .any, asks: .never, keeps: false)
        }
    }
}
