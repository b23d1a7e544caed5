import Model
import System

/// Stores local copies of lists (`SyncSet`) in the cache file.
///
/// Each call is one transaction: after a crash, the store contains either all changes of the call or none. A sync run
/// passes its ticket (`SyncTicket`) to each call that changes its local copy. If another run has taken over the copy,
/// the call changes nothing, and returns nil instead of a result.
public final class FileSyncStore: Sendable {
    private let writer: EntityWriter
    private let reader: EntityReader
    private let path: FilePath
    private let clock: any ClockContract

    init(_ source: EntityDataSource, clock: any ClockContract) {
        (writer, reader, path) = (source.writer, source.reader, source.context.file.path)
        self.clock = clock
    }

    /// Starts a sync run for a local copy of a list. Adds the copy if it is new. Returns nil if another run is updating
    /// the copy. The new run takes over the copy if the process of the other run has exited, or if the other run has
    /// made no call for ten seconds.
    ///
    /// - Throws: `LocalDataError` if the store cannot be used.
    public func begin(_ set: SyncSet) async throws(LocalDataError) -> SyncTicket? {
        let holder = SyncHolder.make()
        return try await perform { [clock] (store) throws(SQLiteError) in
            try SyncSchema.prepare(store.connection)
            // The time is read within the transaction: waiting for another process's lock can take a while.
            return try store.connection.writing { () throws(SQLiteError) in
                try SyncTable(store).begin(set, holder: holder, now: clock.now())
            }
        }
    }

    /// Records that the sync run is still active, so that no other run takes over its local copy.
    public func beat(_ ticket: SyncTicket) async {
        _ = try? await change(ticket) { (_, _) in }
    }

    /// Stores the items and pages of one API answer. Marks the items as seen by the sync run, and removes the items
    /// that the API reports as deleted. Also stores where the next run continues.
    ///
    /// - Parameter isOutdated: whether cache entries were removed or became stale after the request. If so, nothing is
    ///   stored. The closure is called within the transaction.
    /// - Throws: `LocalDataError` if the store cannot be changed.
    public func store(
        _ part: SyncedPart, _ ticket: SyncTicket, unless isOutdated: @escaping @Sendable () -> Bool
    ) async throws(LocalDataError) -> SyncedChanges? {
        try await change(ticket) { (table, now) throws(SQLiteError) in
            if isOutdated() {
                var changes = SyncedChanges()
                changes.isOutdated = true
                return changes
            }
            return try table.store(part, ticket, now: now)
        }
    }

    /// Returns how many items of the local copy were seen by the sync run.
    ///
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func seenCount(_ ticket: SyncTicket) async throws(LocalDataError) -> Int {
        try await perform { (store) throws(SQLiteError) in try SyncTable(store).seenCount(ticket) }
    }

    /// Returns whether the local copy has lost items since the sync run started to read the list. Eviction and calls of
    /// `cache/remove` remove items from the cache file, and thereby from the copy.
    ///
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func hasLostItems(_ ticket: SyncTicket) async throws(LocalDataError) -> Bool {
        try await perform { (store) throws(SQLiteError) in try SyncTable(store).row(ticket.number)?.partial == 1 }
    }

    /// Finds the items of the local copy that the last `runs` sync runs have not seen. Returns the number of these
    /// items, and the keys of the first `limit` items.
    ///
    /// Skips items that were fetched since `start`. A fetch time in the future does not count, because it shows that
    /// the clock was set back.
    ///
    /// - Parameters:
    ///   - runs: the number of sync runs, including the current run. Earlier incomplete runs do not count.
    ///   - limit: the maximum number of keys to return.
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func absent(
        _ ticket: SyncTicket, from runs: Int, before start: Timestamp, limit: Int
    ) async throws(LocalDataError) -> (count: Int, keys: [ItemKey]) {
        try await perform { [clock] (store) throws(SQLiteError) in
            try SyncTable(store).absent(ticket, from: runs, before: start, limit: limit, now: clock.now())
        }
    }

    /// Removes items from the local copy of a list.
    ///
    /// Skips items that the sync run has seen, and items that were fetched since `start`. A fetch time in the future
    /// does not count, because it shows that the clock was set back.
    ///
    /// - Parameter deletes: whether the items are also removed from the cache. If not, they become stale.
    /// - Returns: the removed items.
    /// - Throws: `LocalDataError` if the store cannot be changed.
    public func remove(
        _ keys: [ItemKey], _ ticket: SyncTicket, before start: Timestamp, deletes: Bool
    ) async throws(LocalDataError) -> [ItemKey]? {
        try await change(ticket) { (table, now) throws(SQLiteError) in
            try table.remove(keys, ticket, before: start, deletes: deletes, now: now)
        }
    }

    /// Marks as stale the items of the local copy that the sync run has not seen.
    ///
    /// Skips items that were fetched since `start`. A fetch time in the future does not count, because it shows that
    /// the clock was set back.
    ///
    /// - Throws: `LocalDataError` if the store cannot be changed.
    public func invalidateAbsent(_ ticket: SyncTicket, before start: Timestamp) async throws(LocalDataError) {
        _ = try await change(ticket) { (table, now) throws(SQLiteError) in
            try table.invalidateAbsent(ticket, before: start, now: now)
        }
    }

    /// Prepares the local copy for a sync run that reads the list from its first page. All items then count as not yet
    /// seen by this run.
    ///
    /// - Throws: `LocalDataError` if the store cannot be changed.
    public func restart(_ ticket: SyncTicket) async throws(LocalDataError) {
        _ = try await change(ticket) { (table, _) throws(SQLiteError) in try table.restart(ticket) }
    }

    /// Ends a sync run, so that another run can update the local copy.
    ///
    /// - Returns: the new state of the copy.
    /// - Throws: `LocalDataError` if the store cannot be changed.
    public func end(_ ticket: SyncTicket, _ end: SyncEnd) async throws(LocalDataError) -> SyncState? {
        try await change(ticket) { (table, _) throws(SQLiteError) in try table.end(ticket, end) } ?? nil
    }

    /// Returns the states of all local copies of lists.
    ///
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func states() async throws(LocalDataError) -> [SyncState] {
        try await reader.read("read the sets") { (view) throws(SQLiteError) in
            try view.store.map { (store) throws(SQLiteError) in try SyncTable(store).states() } ?? []
        }
    }

    /// Returns for each item the time of the last sync that confirmed it: the item still existed in the API and was
    /// unchanged. The time is nil for an item that no sync has confirmed.
    ///
    /// - Parameter declaration: the hash of the catalog's `sync` declaration; nil if there is none, or if the API does
    ///   not report deleted items. With a hash, each complete sync with the same declaration confirms items, even if it
    ///   requested only changes. With nil, only a sync of the whole list confirms items.
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func confirmations(
        of keys: [ItemKey], declaration: String?
    ) async throws(LocalDataError) -> [Timestamp?] {
        try await read { (table) throws(SQLiteError) in
            try table.confirmations(of: keys, declaration: declaration)
        } ?? keys.map { _ in nil }
    }

    /// Returns the time of the last sync of a list; nil if the list has no local copy, or if the copy is incomplete.
    ///
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func syncedAt(of set: SyncSet) async throws(LocalDataError) -> Timestamp? {
        try await read { (table) throws(SQLiteError) in try table.syncedAt(of: set) } ?? nil
    }

    /// Returns the state of the local copy of a list; nil if there is no copy.
    ///
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func state(of set: SyncSet) async throws(LocalDataError) -> SyncState? {
        try await read { (table) throws(SQLiteError) in try table.state(of: set) } ?? nil
    }

    /// Returns the keys of the items in the local copy of a list, in the order in which the cache file has stored them.
    /// The keys are empty if there is no copy.
    ///
    /// - Parameters:
    ///   - index: the number of items to skip.
    ///   - limit: the maximum number of keys.
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func items(of set: SyncSet, from index: Int, limit: Int) async throws(LocalDataError) -> [ItemKey] {
        try await read { (table) throws(SQLiteError) in
            try table.items(of: set, from: index, limit: limit)
        } ?? []
    }

    /// Calls `body` to read local copies of lists, and returns its result. Returns nil if the cache file has no tables
    /// for local copies.
    private func read<Result: Sendable>(
        _ body: @Sendable (SyncTable) throws(SQLiteError) -> Result
    ) async throws(LocalDataError) -> Result? {
        try await reader.read("read the copies of lists") { (view) throws(SQLiteError) -> Result? in
            guard let store = view.store, try SyncSchema.isPrepared(store.connection) else { return nil }
            return try body(SyncTable(store))
        }
    }

    /// Changes a local copy in one transaction. Returns nil if another sync run has taken over the copy, or if the copy
    /// was removed.
    private func change<Result: Sendable>(
        _ ticket: SyncTicket, _ body: @Sendable (SyncTable, Timestamp) throws(SQLiteError) -> Result
    ) async throws(LocalDataError) -> Result? {
        try await perform { [clock] (store) throws(SQLiteError) in
            do throws(SQLiteError) {
                return try store.connection.writing { () throws(SQLiteError) in
                    let (table, now) = (SyncTable(store), clock.now())
                    return try table.beat(ticket, now: now) ? try body(table, now) : nil
                }
            } catch {
                // The rollback also removed the resource numbers that this transaction assigned.
                store.resources.forget()
                throw error
            }
        }
    }

    private func perform<Result: Sendable>(
        _ body: @Sendable (EntityStore) throws(SQLiteError) -> Result
    ) async throws(LocalDataError) -> Result {
        let result: Result?
        do throws(SQLiteError) {
            result = try await writer.perform(body)
        } catch {
            throw LocalDataError("cannot sync: \(path): \(error)")
        }
        guard let result else {
            throw LocalDataError(
                "cannot sync: the cache file \(path) cannot be used; run 'larder doctor'", isUnavailable: true)
        }
        return result
    }
}

extension EntityDataSource {
    /// Returns the store for the local copies of lists in this cache file.
    public func syncStore(clock: any ClockContract) -> FileSyncStore { FileSyncStore(self, clock: clock) }
}
