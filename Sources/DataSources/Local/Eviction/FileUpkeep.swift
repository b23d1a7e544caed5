import System

/// What is done for the cache file beside its writes, on the writer's thread: the use of entries is written down, and
/// what was not used for the longest time goes when there is no more room.
final class FileUpkeep: Sendable {
    /// How often the use of entries is written down, in milliseconds, and how exactly.
    private static let interval: Int64 = 60_000

    /// How many entries are written down at the end: the process should not take long to end.
    private static let atEnd = 4096

    /// Takes what reads of the file find.
    let notes = UsageNotes()
    private let limit: Int
    private let clock: any ClockContract
    private let usedElsewhere: @Sendable () -> UsedKeys
    private let state: Lock<(noted: Timestamp, evictions: Int)>

    /// - Parameters:
    ///   - limit: How many bytes the file may take.
    ///   - usedElsewhere: Tells, and forgets, which entries were used without a read of the file.
    init(limit: Int, clock: any ClockContract, usedElsewhere: @escaping @Sendable () -> UsedKeys) {
        self.limit = limit
        self.clock = clock
        self.usedElsewhere = usedElsewhere
        state = Lock((noted: clock.now(), evictions: 0))
    }

    /// How many entries were dropped to stay within the limit.
    var evictions: Int { state.withLock { $0.evictions } }

    /// Called when the file was opened to be written.
    func begin(_ store: EntityStore) throws(SQLiteError) { try FileBudget(store, limit: limit).bindLog() }

    /// Called after each transaction, and before the file is closed. Mostly there is nothing to do but a look.
    ///
    /// While the file takes less than half of its limit nobody will ask for a long time which entries were used; then
    /// it is not written down.
    func turn(_ store: EntityStore, isLast: Bool = false) throws(SQLiteError) {
        let budget = FileBudget(store, limit: limit)
        let isExceeded = try budget.isExceeded()
        let now = clock.now()
        let last = state.withLock { $0.noted }
        // A clock that was set back does not silence it.
        let isDue = now < last || now.milliseconds - last.milliseconds >= Self.interval
        guard isExceeded || isLast || isDue else { return }
        var used = notes.takeAll() + usedElsewhere()
        if isLast { used = used.prefix(Self.atEnd) }
        state.withLock { $0.noted = now }
        let isNear = try budget.isNear()
        guard isExceeded || isNear else { return }
        let since = isExceeded ? now : Timestamp(milliseconds: now.milliseconds - Self.interval)
        try store.note(used, at: now, since: since)
        guard isExceeded else { return }
        let dropped = try budget.enforce()
        state.withLock { $0.evictions += dropped }
    }
}

extension EntityStore {
    /// How many entries are brought up to date in one transaction.
    private static let usageBatch = 500

    /// Notes when entries were used last; those that are said to have been used after `since` already are left alone.
    func note(_ used: UsedKeys, at now: Timestamp, since: Timestamp) throws(SQLiteError) {
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
