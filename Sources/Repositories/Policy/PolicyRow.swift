import JSON

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
