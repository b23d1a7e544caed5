import Model
import System

/// Stores the synced lists (`SyncSet`) in the cache file.
///
/// Each call is one transaction: after a crash, the store contains either all of its effects or none. A call with a
/// ticket that another run has taken over changes nothing and returns nil.
public final class FileSyncStore: Sendable {
    private let writer: EntityWriter
    private let reader: EntityReader
    private let path: FilePath
    private let clock: any ClockContract

    init(_ source: EntityDataSource, clock: any ClockContract) {
        (writer, reader, path) = (source.writer, source.reader, source.context.file.path)
        self.clock = clock
    }

    /// Starts a run of a set, and adds the set if it is new. Returns nil if another run has the set. A run loses its
    /// set ten seconds after its last call.
    ///
    /// - Throws: `LocalDataError` if the store cannot be used.
    public func begin(_ set: SyncSet) async throws(LocalDataError) -> SyncTicket? {
        let holder = Int64.random(in: 1...Int64.max)
        return try await perform { [clock] (store) throws(SQLiteError) in
            try SyncSchema.prepare(store.connection)
            // The time is read within the transaction: waiting for another process's lock can take a while.
            return try store.connection.writing { () throws(SQLiteError) in
                try SyncTable(store).begin(set, holder: holder, now: clock.now())
            }
        }
    }

    /// Records that the run is still active, so that it keeps its set.
    public func beat(_ ticket: SyncTicket) async {
        _ = try? await change(ticket) { (_, _) in }
    }

    /// Stores a part of the list, and marks its items as seen by the run. Also removes the deleted items of the part,
    /// and stores its position and its mark.
    ///
    /// - Parameter isOutdated: whether entries of the cache were removed or became stale since the part was requested.
    ///   If so, nothing is stored. The closure is called within the transaction.
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

    /// Returns the number of items in the set that the run has seen.
    ///
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func seenCount(_ ticket: SyncTicket) async throws(LocalDataError) -> Int {
        try await perform { (store) throws(SQLiteError) in try SyncTable(store).seenCount(ticket) }
    }

    /// Returns the items of the set that the run has not seen and that were fetched before `start`, ordered by their
    /// number in the store.
    ///
    /// - Parameters:
    ///   - runs: the number of whole runs in which the items must be absent: 1 for this run, 2 for this and the last.
    ///   - limit: the maximum number of items to return.
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func absent(
        _ ticket: SyncTicket, from runs: Int, before start: Timestamp, limit: Int
    ) async throws(LocalDataError) -> (count: Int, keys: [ItemKey]) {
        try await perform { (store) throws(SQLiteError) in
            try SyncTable(store).absent(ticket, from: runs, before: start, limit: limit)
        }
    }

    /// Removes items from the set, unless the run has seen them or they were fetched at `start` or later.
    ///
    /// - Parameter deletes: whether the items are also removed from the cache. Otherwise they become stale.
    /// - Returns: the removed items.
    /// - Throws: `LocalDataError` if the store cannot be changed.
    public func remove(
        _ keys: [ItemKey], _ ticket: SyncTicket, before start: Timestamp, deletes: Bool
    ) async throws(LocalDataError) -> [ItemKey]? {
        try await change(ticket) { (table, _) throws(SQLiteError) in
            try table.remove(keys, ticket, before: start, deletes: deletes)
        }
    }

    /// Marks the items that the run has not seen, and that were fetched before `start`, as stale.
    ///
    /// - Throws: `LocalDataError` if the store cannot be changed.
    public func invalidateAbsent(_ ticket: SyncTicket, before start: Timestamp) async throws(LocalDataError) {
        _ = try await change(ticket) { (table, _) throws(SQLiteError) in
            try table.invalidateAbsent(ticket, before: start)
        }
    }

    /// Prepares a set for a run that reads the list from its first page. The run has then seen no item.
    ///
    /// - Throws: `LocalDataError` if the store cannot be changed.
    public func restart(_ ticket: SyncTicket) async throws(LocalDataError) {
        _ = try await change(ticket) { (table, _) throws(SQLiteError) in try table.restart(ticket) }
    }

    /// Ends a run, so that another run can start.
    ///
    /// - Returns: the new state of the set.
    /// - Throws: `LocalDataError` if the store cannot be changed.
    public func end(_ ticket: SyncTicket, _ end: SyncEnd) async throws(LocalDataError) -> SyncState? {
        try await change(ticket) { (table, _) throws(SQLiteError) in try table.end(ticket, end) } ?? nil
    }

    /// Returns the states of all sets.
    ///
    /// - Throws: `LocalDataError` if the store cannot be read.
    public func states() async throws(LocalDataError) -> [SyncState] {
        try await reader.read("read the sets") { (view) throws(SQLiteError) in
            try view.store.map { (store) throws(SQLiteError) in try SyncTable(store).states() } ?? []
        }
    }

    /// Changes a set in one transaction. Returns nil if the ticket is no longer valid.
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
    /// The sets of items that the cache file keeps as local copies of lists.
    public func syncStore(clock: any ClockContract) -> FileSyncStore { FileSyncStore(self, clock: clock) }
}
