import System

/// Maintains the cache file between writes, on the writer's thread. Records when entries were last used. If the file
/// exceeds its limit, removes the least recently used entries.
final class FileMaintenance: Sendable {
    /// The interval at which the last-use times of entries are written to the file, in milliseconds. It is also the
    /// precision of these times.
    private static let interval: Int64 = 60_000

    /// The maximum number of entries whose last-use times are written when the file is closed. A small number lets the
    /// process exit quickly.
    private static let maxKeysAtClose = 4096

    /// Collects the keys of entries that are read from the file. The function `run` later records when these entries
    /// were used.
    let notes = UsedKeyCollector()
    private let limit: Int
    private let clock: any ClockContract
    private let usedElsewhere: @Sendable () -> UsedKeys
    private let state: Lock<(noted: Timestamp, evictions: Int)>

    /// Creates the object that maintains a cache file.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of the file and its write-ahead log, in bytes.
    ///   - usedElsewhere: Returns the keys of the entries that were read from memory since the last call of this
    ///     closure. The file treats these entries as recently used.
    init(limit: Int, clock: any ClockContract, usedElsewhere: @escaping @Sendable () -> UsedKeys) {
        self.limit = limit
        self.clock = clock
        self.usedElsewhere = usedElsewhere
        state = Lock((noted: clock.now(), evictions: 0))
    }

    /// The number of entries that were removed to keep the cache file within its size limit.
    var evictions: Int { state.withLock { $0.evictions } }

    /// Limits the size of the write-ahead log of a file that was opened for writing.
    func begin(_ store: EntityStore) throws(SQLiteError) { try FileBudget(store, limit: limit).limitLog() }

    /// Does the maintenance that is due: records when entries were last used, and removes entries if the file exceeds
    /// its limit. Must be called after each transaction. Must also be called before the file is closed, with `isLast`
    /// set to true.
    // Below half of the size limit no times are written, because no entry will be removed soon.
    func run(_ store: EntityStore, isLast: Bool = false) throws(SQLiteError) {
        let budget = FileBudget(store, limit: limit)
        let isExceeded = try budget.isExceeded()
        let now = clock.now()
        let last = state.withLock { $0.noted }
        // If the clock was set back, the times are also written.
        let isDue = now < last || now.milliseconds - last.milliseconds >= Self.interval
        guard isExceeded || isLast || isDue else { return }
        var used = notes.takeAll() + usedElsewhere()
        if isLast { used = used.prefix(Self.maxKeysAtClose) }
        state.withLock { $0.noted = now }
        let isHalfFull = try budget.isHalfFull()
        guard isExceeded || isHalfFull else { return }
        let since = isExceeded ? now : Timestamp(milliseconds: now.milliseconds - Self.interval)
        try store.recordUse(used, at: now, since: since)
        guard isExceeded else { return }
        let dropped = try budget.enforce()
        state.withLock { $0.evictions += dropped }
    }
}

extension EntityStore {
    /// The maximum number of entries whose last-use times one transaction updates.
    private static let usageBatch = 500

    /// Writes `now` to the file as the last-use time of the given entries. Skips entries whose last-use time in the
    /// file is `since` or later.
    func recordUse(_ used: UsedKeys, at now: Timestamp, since: Timestamp) throws(SQLiteError) {
        let times: [SQLiteValue] = [.integer(now.milliseconds), .integer(since.milliseconds)]
        try inBatches(used.items) { (key) throws(SQLiteError) in
            guard let resource = try resources.number(of: key.resource) else { return }
            try connection.run(
                "UPDATE items SET used_at = ?1 WHERE used_at < ?2 AND resource = ?3 AND id = ?4 AND partial = ?5",
                times + [.integer(resource), .text(key.id), SQLiteValue(key.isPartial)])
        }
        try inBatches(used.pages) { (key) throws(SQLiteError) in
            guard let resource = try resources.number(of: key.resource) else { return }
            try connection.run(
                "UPDATE pages SET used_at = ?1 WHERE used_at < ?2 AND resource = ?3 AND request = ?4",
                times + [.integer(resource), .text(key.request)])
        }
    }

    private func inBatches<Element>(
        _ elements: [Element], _ body: (Element) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        var rest = elements[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.usageBatch)
            rest = rest.dropFirst(batch.count)
            try connection.writing { () throws(SQLiteError) in
                for element in batch { try body(element) }
            }
        }
    }
}
