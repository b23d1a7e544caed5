import Model
import System

/// Stores the synced lists (`SyncSet`) in the cache file.
final class FileSyncStore: SyncStoreContract {
    private let writer: EntityWriter
    private let reader: EntityReader
    private let path: FilePath
    private let clock: any ClockContract

    init(_ source: EntityDataSource, clock: any ClockContract) {
        (writer, reader, path) = (source.writer, source.reader, source.context.file.path)
        self.clock = clock
    }

    func begin(_ set: SyncSet) async throws(LocalDataError) -> SyncTicket? {
        let holder = Int64.random(in: 1...Int64.max)
        return try await perform { [clock] (store) throws(SQLiteError) in
            try SyncSchema.prepare(store.connection)
            // The time is read within the transaction: waiting for another process's lock can take a while.
            return try store.connection.writing { () throws(SQLiteError) in
                try SyncTable(store).begin(set, holder: holder, now: clock.now())
            }
        }
    }

    func beat(_ ticket: SyncTicket) async {
        _ = try? await change(ticket) { (_, _) in }
    }

    func store(
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

    func seenCount(_ ticket: SyncTicket) async throws(LocalDataError) -> Int {
        try await perform { (store) throws(SQLiteError) in try SyncTable(store).seenCount(ticket) }
    }

    func absent(
        _ ticket: SyncTicket, from runs: Int, before start: Timestamp, limit: Int
    ) async throws(LocalDataError) -> (count: Int, keys: [ItemKey]) {
        try await perform { (store) throws(SQLiteError) in
            try SyncTable(store).absent(ticket, from: runs, before: start, limit: limit)
        }
    }

    func remove(
        _ keys: [ItemKey], _ ticket: SyncTicket, before start: Timestamp, deletes: Bool
    ) async throws(LocalDataError) -> [ItemKey]? {
        try await change(ticket) { (table, _) throws(SQLiteError) in
            try table.remove(keys, ticket, before: start, deletes: deletes)
        }
    }

    func invalidateAbsent(_ ticket: SyncTicket, before start: Timestamp) async throws(LocalDataError) {
        _ = try await change(ticket) { (table, _) throws(SQLiteError) in
            try table.invalidateAbsent(ticket, before: start)
        }
    }

    func restart(_ ticket: SyncTicket) async throws(LocalDataError) {
        _ = try await change(ticket) { (table, _) throws(SQLiteError) in try table.restart(ticket) }
    }

    func end(_ ticket: SyncTicket, _ end: SyncEnd) async throws(LocalDataError) -> SyncState? {
        try await change(ticket) { (table, _) throws(SQLiteError) in try table.end(ticket, end) } ?? nil
    }

    func states() async throws(LocalDataError) -> [SyncState] {
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
    public func syncStore(clock: any ClockContract) -> any SyncStoreContract { FileSyncStore(self, clock: clock) }
}
