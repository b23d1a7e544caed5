import System

/// What this machine has removed or marked stale, as long as the shared level may not know of it: older values of that
/// level count as absent or stale.
///
/// What the server has acknowledged is forgotten, as the server knows of it. Where nothing is written, or the server is
/// not reached, it stays for as long as a value may live.
final class LocalRemovals: Sendable {
    /// How many are kept. With more, all entries of their resources count as stale instead.
    static let most = 10_000

    private let moments = Lock<[Removal: Timestamp]>([:])

    /// Notes removals of a moment.
    ///
    /// - Returns: what was noted before and is not kept any more, and what stands for it now.
    @discardableResult
    func note(_ removals: [Removal], at now: Timestamp) -> (dropped: [Removal], wide: [Removal: Timestamp]) {
        moments.withLock { moments in
            for removal in removals { moments[removal] = max(moments[removal] ?? now, now) }
            guard moments.count > Self.most else { return ([], [:]) }
            let wide = Self.widened(moments)
            let dropped = moments.keys.filter { wide[$0] == nil }
            moments = wide
            return (dropped, wide)
        }
    }

    /// The server knows of these: they are kept no longer, unless they were noted anew since.
    ///
    /// - Returns: those that are kept no longer.
    @discardableResult
    func acknowledge(_ acknowledged: [(key: Removal, value: Timestamp)]) -> [Removal] {
        moments.withLock { moments in
            acknowledged.compactMap { removal, moment in
                guard moments[removal] == moment else { return nil }
                moments[removal] = nil
                return removal
            }
        }
    }

    /// How many there are.
    var count: Int { moments.withLock { $0.count } }

    /// All, and when each was noted.
    var all: [Removal: Timestamp] { moments.withLock { $0 } }

    /// When these were noted, as far as they are kept.
    func moments(of removals: [Removal]) -> [(key: Removal, value: Timestamp)] {
        moments.withLock { moments in
            removals.compactMap { removal in moments[removal].map { (removal, $0) } }
        }
    }

    /// Whether a value that a remote was asked for at a moment is outranked: nil where it is not, else whether it is
    /// absent, and not only stale.
    func outranks(_ name: SharedName, marks: SharedName, askedAt: Timestamp) -> Bool? {
        moments.withLock { moments in
            if moments.isEmpty { return nil }
            func has(_ name: SharedName, _ kind: Removal.Kind) -> Bool {
                moments[Removal(name: name, marks: marks, kind: kind)].map { askedAt <= $0 } ?? false
            }
            if has(name, .removed) || has(name, .gone) || has(marks, .removed) { return true }
            return has(name, .stale) || has(name, .outdated) || has(marks, .stale) ? false : nil
        }
    }

    /// All entries of the resources as stale: what was removed is asked for anew, and who has another of them does not
    /// lose it. What nobody has asked to be removed or marked is left as it is.
    private static func widened(_ moments: [Removal: Timestamp]) -> [Removal: Timestamp] {
        var wide: [Removal: Timestamp] = [:]
        for (removal, moment) in moments where removal.kind == .removed || removal.kind == .stale {
            let whole = removal.isOfAll ? removal : Removal(name: removal.marks, marks: removal.marks, kind: .stale)
            wide[whole] = max(wide[whole] ?? moment, moment)
        }
        return wide
    }
}
