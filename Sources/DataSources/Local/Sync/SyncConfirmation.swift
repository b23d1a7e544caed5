import Model
import System

/// Finds the times at which the API last confirmed items or a list. The local copies of lists contain these times.
extension SyncTable {
    /// Returns for each item the last time at which a sync confirmed it: the item still existed in the API and was
    /// unchanged. The time is nil for an item that no local copy confirms.
    ///
    /// - Parameter declaration: the hash of the catalog's `sync` declaration. With a hash, each complete sync with the
    ///   same declaration confirms items, even if it requested only changes. With nil, only a complete sync of the
    ///   whole list confirms items. Callers must pass nil if the catalog declares no `sync`, or if the API does not
    ///   report deleted items in its answers to `sync`.
    @_optimize(size)
    func confirmations(of keys: [ItemKey], declaration: String?) throws(SQLiteError) -> [Timestamp?] {
        var known: [Int64: Timestamp?] = [:]
        var times: [Timestamp?] = []
        for key in keys {
            var latest: Timestamp?
            for copy in try copies(confirming: key) {
                let time: Timestamp?
                if let found = known[copy] {
                    time = found
                } else {
                    time = try confirmation(by: copy, declaration)
                    known[copy] = .some(time)
                }
                if let time { latest = max(latest ?? time, time) }
            }
            times.append(latest)
        }
        return times
    }

    /// Returns the row ids of the local copies in which the last complete sync run found the given item. Returns none
    /// if the item is stale.
    private func copies(confirming key: ItemKey) throws(SQLiteError) -> [Int64] {
        guard let resource = try store.resources.number(of: key.resource) else { return [] }
        var copies: [Int64] = []
        try connection.rows(
            """
            SELECT syncs.key FROM items CROSS JOIN syncs ON syncs.resource = items.resource
            CROSS JOIN members ON members.sync = syncs.key AND members.item = items.key
            WHERE items.resource = ? AND items.id = ? AND items.partial = ? AND invalidated = 0 AND seen >= generation
            """, [.integer(resource), .text(key.id), .integer(key.isPartial ? 1 : 0)]
        ) { copies.append($0.integer(0)) }
        return copies
    }

    /// Returns the row ids of the local copies of lists that a sync has confirmed after the given time.
    ///
    /// - Parameters:
    ///   - resources: the row ids of the resources whose copies are considered.
    ///   - declaration: the hash of the catalog's `sync` declaration. Nil if the catalog declares no `sync`, or if the
    ///     API does not report deleted items in its answers to `sync`.
    @_optimize(size)
    func copies(
        of resources: [Int64], confirmingAfter time: Timestamp, _ declaration: String?
    ) throws(SQLiteError) -> [Int64] {
        guard try SyncSchema.isPrepared(connection) else { return [] }
        var copies: [Int64] = []
        for resource in resources {
            try connection.rows("SELECT key FROM syncs WHERE resource = ?", [.integer(resource)]) {
                copies.append($0.integer(0))
            }
        }
        var confirming: [Int64] = []
        for copy in copies {
            if let confirmation = try confirmation(by: copy, declaration), confirmation > time {
                confirming.append(copy)
            }
        }
        return confirming
    }

    /// Returns an SQL condition for rows of the table `items`: the item is not stale, and the last complete sync run of
    /// one of the given local copies found it.
    static func isConfirmed(by copies: [Int64]) -> String {
        """
        items.invalidated = 0 AND EXISTS (
            SELECT 1 FROM syncs CROSS JOIN members ON sync = syncs.key AND item = items.key
            WHERE syncs.key IN (\(copies.map(String.init).joined(separator: ","))) AND seen >= generation)
        """
    }

    /// Returns the time of the last sync that confirmed the items of a local copy. Nil if there was no such sync, or if
    /// the row of the copy is damaged.
    private func confirmation(by copy: Int64, _ declaration: String?) throws(SQLiteError) -> Timestamp? {
        guard let state = try row(copy)?.state else { return nil }
        let isTold = declaration != nil && state.mark?.declaration == declaration && state.mark?.isComplete == true
        return isTold ? state.syncedAt : state.wholeAt
    }

    /// Returns the time of the last sync of a list; nil if the list has no local copy, or if the copy is incomplete.
    func syncedAt(of set: SyncSet) throws(SQLiteError) -> Timestamp? {
        guard let state = try state(of: set) else { return nil }
        return state.isWhole ? state.syncedAt : nil
    }
}
