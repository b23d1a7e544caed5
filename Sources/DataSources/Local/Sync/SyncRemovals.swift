import Model
import System

/// Functions that remove items from the local copies of lists. They must be called inside a write transaction.
extension SyncTable {
    /// Removes items from the local copy, and returns the removed items.
    ///
    /// Skips items that the sync run has seen, and items that were fetched since `start`. A fetch time in the future
    /// does not count, because it shows that the clock was set back.
    ///
    /// - Parameter deletes: whether the items are also deleted from the cache file. If not, they stay in the file as
    ///   stale items.
    @_optimize(size)
    func remove(
        _ keys: [ItemKey], _ ticket: SyncTicket, before start: Timestamp, deletes: Bool, now: Timestamp
    ) throws(SQLiteError) -> [ItemKey] {
        let resource = try store.resources.makeNumber(of: ticket.state.set.resource)
        var removed: [ItemKey] = []
        for key in keys {
            guard let row = try store.row(of: key), row.item.map({ $0.fetchedAt < start || $0.fetchedAt > now }) ?? true
            else { continue }
            let number = row.number
            let count = try connection.run(
                "DELETE FROM members WHERE sync = ? AND item = ? AND seen <= ?", .integer(ticket.number),
                .integer(number), .integer(Int64(ticket.state.generation)))
            guard count > 0 else { continue }
            removed.append(key)
            if deletes {
                for isPartial in [true, false] {
                    try delete(ItemKey(resource: key.resource, id: key.id, isPartial: isPartial), resource)
                }
            } else {
                try connection.run(
                    "UPDATE items SET \(EntitySelections.invalidation) WHERE key = ? AND invalidated = 0",
                    .integer(number))
                try store.changes.note(key, of: resource)
            }
        }
        try connection.run(
            "UPDATE syncs SET items = max(items, ?1) - ?1 WHERE key = ?2", .integer(Int64(removed.count)),
            .integer(ticket.number))
        try store.changes.trim()
        return removed
    }

    /// Removes an item from the cache file and from all local copies of lists, because the API reports it as deleted.
    @_optimize(size)
    func remove(
        deleted key: ItemKey, _ ticket: SyncTicket, _ changes: inout SyncedChanges
    ) throws(SQLiteError) {
        let resource = try store.resources.makeNumber(of: key.resource)
        for isPartial in [true, false] {
            let key = ItemKey(resource: key.resource, id: key.id, isPartial: isPartial)
            guard let number = try store.row(of: key)?.number else { continue }
            let isMember =
                try connection.first(
                    "SELECT 1 FROM members WHERE sync = ? AND item = ?", .integer(ticket.number), .integer(number)
                ) { $0.integer(0) } != nil
            if isMember { changes.removed.append(key) }
            try delete(key, resource)
            changes.deleted.append(key)
        }
    }

    /// Deletes an item from the cache file and from all local copies of lists. The copies stay complete, because the
    /// item no longer exists in the API.
    private func delete(_ key: ItemKey, _ resource: Int64) throws(SQLiteError) {
        guard let number = try store.row(of: key)?.number else { return }
        try connection.run(
            """
            UPDATE syncs SET items = max(items, 1) - 1 WHERE resource = ?1
            AND EXISTS (SELECT 1 FROM members WHERE sync = syncs.key AND item = ?2)
            """, .integer(resource), .integer(number))
        try connection.run(
            "DELETE FROM members WHERE sync IN (SELECT key FROM syncs WHERE resource = ?) AND item = ?",
            .integer(resource), .integer(number))
        try store.remove(key)
    }

    /// Marks as stale the items of the local copy that the sync run has not seen.
    ///
    /// Skips items that were fetched since `start`. A fetch time in the future does not count, because it shows that
    /// the clock was set back.
    func invalidateAbsent(_ ticket: SyncTicket, before start: Timestamp, now: Timestamp) throws(SQLiteError) {
        try store.changes.noteAll()
        try connection.run(
            """
            UPDATE items SET \(EntitySelections.invalidation) WHERE invalidated = 0 AND (fetched_at < ? OR fetched_at > ?)
            AND key IN (SELECT item FROM members WHERE sync = ? AND seen <= ?)
            """, .integer(start.milliseconds), .integer(now.milliseconds), .integer(ticket.number),
            .integer(Int64(ticket.state.generation)))
        try store.changes.trim()
    }
}
