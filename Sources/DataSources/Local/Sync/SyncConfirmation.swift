import Model
import System

/// Reads from the local copies of lists when the API last confirmed an item or a list.
extension SyncTable {
    /// Returns for each item the time at which the API last confirmed it through a local copy of a list: the item still
    /// existed, and it had not changed. Nil if no local copy confirms the item.
    ///
    /// - Parameter declaration: the hash of the catalog's `sync` declaration, if the API reports deletions to it. A
    ///   complete run with this declaration confirms items even if it requested only changes. If nil, only a complete
    ///   run through the whole list confirms an item.
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

    /// Returns the numbers of the local copies whose last complete run has found an item.
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

    /// Returns the time at which a local copy confirms its items; nil if the row of the copy is damaged.
    private func confirmation(by copy: Int64, _ declaration: String?) throws(SQLiteError) -> Timestamp? {
        guard let state = try row(copy)?.state else { return nil }
        let isTold = declaration != nil && state.mark?.declaration == declaration && state.mark?.isComplete == true
        return isTold ? state.syncedAt : state.wholeAt
    }

    /// Returns the time of the last sync of a list; nil if the file has no copy that is known to be complete.
    func syncedAt(of set: SyncSet) throws(SQLiteError) -> Timestamp? {
        guard let resource = try store.resources.number(of: set.resource),
            let state = try row(of: set, resource)?.state
        else { return nil }
        return state.isWhole ? state.syncedAt : nil
    }
}
