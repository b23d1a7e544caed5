import JSON
import Model
import System

/// Reads and changes the local copies of lists (`SyncSet`) in an open cache file. The functions that change the file
/// must be called inside a write transaction.
struct SyncTable {
    /// The time without activity after which another sync run may take over a local copy, in milliseconds.
    private static let maxSilence: Int64 = 10_000
    /// The maximum valid value of the columns for the item count, the generation and times. Sums of valid values do not
    /// overflow.
    private static let maxNumber: Int64 = 1 << 53

    let store: EntityStore
    var connection: SQLiteConnection { store.connection }

    init(_ store: EntityStore) { self.store = store }

    /// Starts a sync run for a local copy of a list. Returns nil if another run updates the copy.
    @_optimize(size)
    func begin(_ set: SyncSet, holder: Int64, now: Timestamp) throws(SQLiteError) -> SyncTicket? {
        let resource = try store.resources.makeNumber(of: set.resource)
        if let row = try row(of: set, resource) {
            // The clock may have been set back, so a record from the far future does not count.
            let (silence, isExtreme) = now.milliseconds.subtractingReportingOverflow(row.beatAt)
            let isSilent = isExtreme || silence < -Self.maxSilence || silence > Self.maxSilence
            guard row.holder == 0 || isSilent || SyncHolder.hasEnded(row.holder) else { return nil }
            try connection.run(
                "UPDATE syncs SET holder = ?, beat_at = ? WHERE key = ?", .integer(holder),
                .integer(now.milliseconds), .integer(row.number))
            return SyncTicket(state: row.state, number: row.number, holder: holder)
        }
        try connection.run(
            """
            INSERT INTO syncs (resource, list, mark, position, generation, whole_at, synced_at, partial, items, holder,
                beat_at, checksum) VALUES (?, ?, '', '', 0, 0, 0, 0, 0, ?, ?, ?)
            """, .integer(resource), .text(set.list), .integer(holder), .integer(now.milliseconds),
            .integer(RowChecksum.of(SyncState(set: set), position: "", mark: "", resource: resource)))
        let number = connection.lastInsertedRow
        return SyncTicket(state: SyncState(set: set), number: number, holder: holder)
    }

    /// Records that a sync run is still active. Returns false if another run has taken over the local copy, or if the
    /// copy was removed.
    func beat(_ ticket: SyncTicket, now: Timestamp) throws(SQLiteError) -> Bool {
        try connection.run(
            "UPDATE syncs SET beat_at = ? WHERE key = ? AND holder = ?", .integer(now.milliseconds),
            .integer(ticket.number), .integer(ticket.holder)) > 0
    }

    /// Stores the items and pages of one API answer that a sync run received. Returns the changes of the local copy.
    @_optimize(size)
    func store(_ part: SyncedPart, _ ticket: SyncTicket, now: Timestamp) throws(SQLiteError) -> SyncedChanges {
        var changes = SyncedChanges()
        let generation = Int64(ticket.state.generation + 1)
        for item in part.items {
            let old = try store.row(of: item.key)
            let isEqual = old?.item?.json == item.json
            let age = old?.item.map { item.fetchedAt.milliseconds - $0.fetchedAt.milliseconds } ?? 0
            // Another request may have stored a newer version after the API sent this answer.
            let isOutdated = old?.item.map { age < 0 && $0.fetchedAt <= now && !$0.isInvalidated } ?? false
            // A stored item must not become too old only because it never changes.
            let isTooOld = old?.item?.isInvalidated != false || age < 0 || age > part.maxAge
            if !isOutdated, !isEqual || isTooOld {
                try store.save(item, isNamed: true, now: now)
                changes.written.append(item)
            }
            // A new item is always saved.
            let number = old?.number ?? connection.lastInsertedRow
            let sight = try see(number, isNew: old == nil, generation, ticket)
            if sight == .added {
                changes.added.append(item.key)
            } else if !isEqual, !isOutdated {
                changes.changed.append(item.key)
            }
            if sight == .repeated { changes.repeated += 1 }
        }
        for key in part.removed { try remove(deleted: key, ticket, &changes) }
        for page in part.pages { try store.save(page, now: now) }
        var state = ticket.state
        (state.position, state.mark) = (part.position, part.mark)
        // A request for changes repeats items that were already seen.
        if changes.repeated > 0 { state.position?.totals.hasRepeated = true }
        try update(state, ticket, "items = min(items, \(Self.maxNumber)) + \(changes.added.count)")
        try store.changes.trim()
        return changes
    }

    /// Whether an item of an API's answer is new to the local copy, new to the sync run, or repeated.
    private enum Sight {
        /// The local copy did not contain the item.
        case added
        /// The local copy contained the item, but this sync run had not found it before.
        case found
        /// This sync run had already found the item.
        case repeated
    }

    /// Marks the item in a row as seen by the sync run, and adds it to the local copy.
    ///
    /// - Parameter isNew: whether the row was just added. If true, the item is in no local copy yet.
    private func see(
        _ item: Int64, isNew: Bool, _ generation: Int64, _ ticket: SyncTicket
    ) throws(SQLiteError) -> Sight {
        let values: [SQLiteValue] = [.integer(ticket.number), .integer(item), .integer(generation)]
        if !isNew {
            let unseen = "UPDATE members SET seen = ?3 WHERE sync = ?1 AND item = ?2 AND seen <> ?3"
            if try connection.run(unseen, values) > 0 { return .found }
            let member = "SELECT 1 FROM members WHERE sync = ? AND item = ?"
            if try connection.first(member, values[0], values[1], read: { _ in }) != nil { return .repeated }
        }
        try connection.run("INSERT INTO members (sync, item, seen) VALUES (?, ?, ?)", values)
        return .added
    }

    /// Marks all items of the local copy as not yet seen by the sync run.
    func restart(_ ticket: SyncTicket) throws(SQLiteError) {
        let generation = Int64(ticket.state.generation)
        try connection.run(
            "UPDATE members SET seen = ? WHERE sync = ? AND seen > ?", .integer(generation),
            .integer(ticket.number), .integer(generation))
        try connection.run("UPDATE syncs SET partial = 2 WHERE key = ? AND partial <> 0", .integer(ticket.number))
        // If this run fails, too, the next run must not use a mark that the API has refused.
        guard ticket.state.mark == nil, var state = try row(ticket.number)?.state, state.mark != nil else { return }
        state.mark = nil
        try update(state, ticket, "holder = holder")
    }

    /// Ends a sync run. Returns the new state of the local copy; nil if the copy was removed.
    @_optimize(size)
    func end(_ ticket: SyncTicket, _ end: SyncEnd) throws(SQLiteError) -> SyncState? {
        guard let row = try row(ticket.number) else { return nil }
        var (state, partial) = (row.state, row.partial)
        if !end.continues { state.position = nil }
        state.isHeld = end.isHeld
        switch end.mark {
        case .keep: break
        case .remove: state.mark = nil
        case .set(let mark): state.mark = mark
        }
        // The time to count grows with the size of the copy, so a run that reads only a few changes does not count.
        if end.isWhole || state.isPartial { state.items = try count(ticket) }
        if let start = end.syncedAt {
            // Items that were lost while the run read the list are still missing.
            partial = partial == 1 ? 1 : 0
            (state.syncedAt, state.isPartial) = (start, partial == 1)
            if let wholeAt = end.wholeAt { state.wholeAt = wholeAt }
            if end.isWhole { (state.wholeAt, state.generation) = (start, ticket.state.generation + 1) }
        }
        try update(state, ticket, "items = \(state.items), holder = 0, partial = \(partial)")
        // This run removes old rows of the change log now, because the next run may write nothing.
        if end.isWhole { try store.changes.trim(isDue: true) }
        return state
    }

    /// Writes the row of a local copy, and its new checksum.
    ///
    /// - Parameter more: SQL assignments to further columns, which the checksum does not cover.
    @_optimize(size)
    private func update(_ state: SyncState, _ ticket: SyncTicket, _ more: String) throws(SQLiteError) {
        let resource = try store.resources.makeNumber(of: state.set.resource)
        let (position, mark) = (SyncPosition.text(of: state.position), state.markText)
        try connection.run(
            """
            UPDATE syncs SET mark = ?, position = ?, generation = ?, whole_at = ?, synced_at = ?, checksum = ?, \(more)
            WHERE key = ?
            """, .text(mark), .text(position), .integer(Int64(state.generation)),
            .integer(state.wholeAt?.milliseconds ?? 0),
            .integer(state.syncedAt?.milliseconds ?? 0),
            .integer(RowChecksum.of(state, position: position, mark: mark, resource: resource)),
            .integer(ticket.number))
    }
}

extension SyncTable {
    /// Returns the number of items of the local copy.
    private func count(_ ticket: SyncTicket) throws(SQLiteError) -> Int {
        try connection.first("SELECT count(*) FROM members WHERE sync = ?", .integer(ticket.number)) {
            Int($0.integer(0))
        } ?? 0
    }

    /// Returns how many items of the local copy were seen by the sync run.
    func seenCount(_ ticket: SyncTicket) throws(SQLiteError) -> Int {
        try connection.first(
            "SELECT count(*) FROM members WHERE sync = ? AND seen = ?", .integer(ticket.number),
            .integer(Int64(ticket.state.generation + 1))
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Finds the items of the local copy that the last `runs` sync runs have not seen. Returns the number of these
    /// items, and the keys of the first `limit` items.
    ///
    /// Skips items that were fetched between `start` and `now`. A fetch time after `now` is wrong, because the clock
    /// was set back. Items with such a time are not skipped.
    ///
    /// - Parameter runs: the number of sync runs, including the current run. Earlier incomplete runs do not count.
    @_optimize(size)
    func absent(
        _ ticket: SyncTicket, from runs: Int, before start: Timestamp, limit: Int, now: Timestamp
    ) throws(SQLiteError) -> (count: Int, keys: [ItemKey]) {
        let values: [SQLiteValue] = [
            .integer(ticket.number), .integer(Int64(ticket.state.generation + 2 - runs)),
            .integer(start.milliseconds), .integer(now.milliseconds),
        ]
        let rows = """
            FROM members JOIN items ON items.key = item
            WHERE sync = ? AND seen < ? AND (fetched_at < ? OR fetched_at > ?)
            """
        let count = try connection.first("SELECT count(*) \(rows)", values) { Int($0.integer(0)) } ?? 0
        var keys: [ItemKey] = []
        try connection.rows("SELECT id, partial \(rows) ORDER BY item LIMIT \(limit)", values) { row in
            keys.append(
                ItemKey(resource: ticket.state.set.resource, id: row.text(0), isPartial: row.integer(1) != 0))
        }
        return (count, keys)
    }

    /// Returns the states of all local copies of lists. Skips rows with an invalid resource.
    func states() throws(SQLiteError) -> [SyncState] {
        guard try SyncSchema.isPrepared(connection) else { return [] }
        var states: [SyncState] = []
        try connection.rows("\(Self.query) ORDER BY syncs.key", []) { row in
            if let state = Self.read(row)?.state { states.append(state) }
        }
        return states
    }

    /// Returns the state of the local copy of a list; nil if there is no copy.
    func state(of set: SyncSet) throws(SQLiteError) -> SyncState? {
        guard let resource = try store.resources.number(of: set.resource) else { return nil }
        return try row(of: set, resource)?.state
    }

    /// Returns the keys of up to `limit` items in the local copy of a list, after the first `index` items.
    @_optimize(size)
    func items(of set: SyncSet, from index: Int, limit: Int) throws(SQLiteError) -> [ItemKey] {
        guard let resource = try store.resources.number(of: set.resource), let row = try row(of: set, resource) else {
            return []
        }
        var keys: [ItemKey] = []
        try connection.rows(
            """
            SELECT id, items.partial FROM (SELECT item FROM members WHERE sync = ? ORDER BY item LIMIT ? OFFSET ?)
            JOIN items ON items.key = item ORDER BY item
            """, [.integer(row.number), .integer(Int64(limit)), .integer(Int64(index))]
        ) { keys.append(ItemKey(resource: set.resource, id: $0.text(0), isPartial: $0.integer(1) != 0)) }
        return keys
    }

    typealias Row = (state: SyncState, number: Int64, holder: Int64, beatAt: Int64, partial: Int64)

    private static let query = """
        SELECT syncs.key, resource, list, position, generation, whole_at, synced_at, partial, items, holder, beat_at,
            checksum, resources.name, fingerprint, mark
        FROM syncs JOIN resources ON resources.key = resource
        """

    func row(of set: SyncSet, _ resource: Int64) throws(SQLiteError) -> Row? {
        try connection.first(
            "\(Self.query) WHERE resource = ? AND list = ?", .integer(resource), .text(set.list)
        ) { Self.read($0) } ?? nil
    }

    func row(_ number: Int64) throws(SQLiteError) -> Row? {
        try connection.first("\(Self.query) WHERE syncs.key = ?", .integer(number)) { Self.read($0) } ?? nil
    }

    /// Reads the row of a local copy; nil if its resource is invalid. If the row is damaged, the state is as if no sync
    /// run had finished yet.
    @_optimize(size)
    private static func read(_ row: SQLiteStatement) -> Row? {
        guard let fingerprint = ResourceKey.Fingerprint(bytes: row.blob(13)) else { return nil }
        let resource = ResourceKey(name: row.text(12), fingerprint: fingerprint)
        func time(_ column: Int32) -> Timestamp? {
            row.integer(column) == 0 ? nil : Timestamp(milliseconds: row.integer(column))
        }
        var state = SyncState(set: SyncSet(resource: resource, list: row.text(2)))
        (state.wholeAt, state.syncedAt) = (time(5), time(6))
        state.generation = Int(clamping: row.integer(4))
        let position = row.text(3)
        state.position = SyncPosition(text: position)
        let mark = row.text(14)
        state.read(mark: mark)
        let isDamaged =
            row.integer(11) != RowChecksum.of(state, position: position, mark: mark, resource: row.integer(1))
            || !(4...6).allSatisfy { (0...maxNumber).contains(row.integer($0)) }
        if isDamaged {
            (state.wholeAt, state.syncedAt, state.position, state.generation, state.mark) = (nil, nil, nil, 0, nil)
        }
        state.items = Int(clamping: row.integer(8))
        state.isPartial = isDamaged || row.integer(7) != 0
        return (state, row.integer(0), row.integer(9), row.integer(10), row.integer(7))
    }
}
