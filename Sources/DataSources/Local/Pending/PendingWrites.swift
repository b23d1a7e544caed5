import Model
import System

/// The queue of pending writes to the cache file.
///
/// Reads do not wait for writes. A read sees each earlier write, either in this queue or in the file.
final class PendingWrites: Sendable {
    /// The maximum number of writes per transaction. A small number of writes keeps the file locked only briefly.
    private static let batch = 256
    /// The maximum size of the writes in one transaction, in bytes.
    static let batchBytes = 1 << 20

    /// Whether and when the caller of `append` must schedule the writer of the cache file.
    enum Schedule {
        /// The caller need not schedule the writer of the cache file. The writer is already scheduled, or the queue is
        /// closed.
        case none
        /// The caller must schedule the writer of the cache file after a short delay. Writes that are added during the
        /// delay become part of the same transaction.
        case soon
        /// The caller must schedule the writer of the cache file immediately.
        case now
    }

    /// The number of pending writes at which the writer of the cache file starts without further delay.
    private static let gatheringLimit = 64

    private struct Entry {
        let write: EntityStore.Write
        let number: Int
        let cost: Int
    }

    private struct State {
        var overlay = WriteOverlay()
        var entries: [Entry] = []
        /// The number of writes that the writer is storing now. These writes are at the front of the queue.
        var taken = 0
        var bytes = 0
        var next = 0
        var schedule = Schedule.none
        var isClosed = false
        /// The number of reads in progress. Until all reads have ended, completed writes stay in `written`, because a
        /// read may see the file as it was before these writes.
        var reads = 0
        var written: [Entry] = []
    }

    private let limit: Int
    private let batchBytes: Int
    private let state = Lock(State())

    /// Creates an empty queue of pending writes.
    ///
    /// - Parameters:
    ///   - limit: The maximum total size of the pending writes, in bytes.
    ///   - batchBytes: The maximum size of the writes in one transaction, in bytes. A larger write gets its own
    ///     transaction.
    init(limit: Int, batchBytes: Int = PendingWrites.batchBytes) {
        self.limit = limit
        self.batchBytes = batchBytes
    }

    var count: Int { state.withLock { $0.entries.count } }

    /// Whether no writes are pending. If so, the cache file contains all current entries.
    var isSettled: Bool { state.withLock { $0.entries.isEmpty && $0.overlay.isEmpty } }

    /// Adds a write to the queue.
    ///
    /// - Returns: When to schedule the writer of the cache file, and the number of old writes that were dropped to make
    ///   room.
    func append(_ write: EntityStore.Write) -> (schedule: Schedule, lost: Int) {
        state.withLock { state in
            guard !state.isClosed else { return (.none, 0) }
            let entry = Entry(write: write, number: state.next, cost: write.cost)
            state.next += 1
            state.entries.append(entry)
            state.bytes += entry.cost
            state.overlay.add(write, number: entry.number)
            let lost = state.bytes > limit ? shorten(&state) : 0
            return (schedule(&state), lost)
        }
    }

    private func schedule(_ state: inout State) -> Schedule {
        let isEnough = state.entries.count - state.taken >= Self.gatheringLimit || state.bytes >= batchBytes
        switch state.schedule {
        case .none: state.schedule = isEnough ? .now : .soon
        case .soon where isEnough: state.schedule = .now
        case .soon, .now: return .none
        }
        return state.schedule
    }

    /// Ends the short delay in which the queue collects writes for one transaction. Returns true if the caller must now
    /// schedule the writer of the cache file. Returns false if the writer has run or was scheduled during the delay.
    func endGathering() -> Bool {
        state.withLock { state in
            guard state.schedule == .soon else { return false }
            state.schedule = .now
            return true
        }
    }

    /// Records that the writer of the cache file has started to run. The next write schedules the writer again.
    func beginWriting() { state.withLock { $0.schedule = .none } }

    /// Prevents new writes from scheduling the writer of the cache file. The writer is already scheduled to retry a
    /// failed write, and will store the new writes in the same run.
    func suspendScheduling() { state.withLock { $0.schedule = .now } }

    /// Returns the writes of the next transaction. The writes stay in the queue until `finish` is called.
    func take() -> [EntityStore.Write] {
        state.withLock { state in
            var bytes = 0
            state.taken = 0
            for entry in state.entries.prefix(Self.batch) {
                bytes += entry.cost
                if state.taken > 0, bytes > batchBytes { break }
                state.taken += 1
            }
            return state.entries.prefix(state.taken).map(\.write)
        }
    }

    /// Removes the writes of the last transaction from the queue, after the transaction has succeeded or failed.
    func finish() {
        state.withLock { state in
            if state.reads > 0 { state.written += state.entries.prefix(state.taken) }
            for index in 0..<state.taken {
                let entry = state.entries[index]
                state.bytes -= entry.cost
                if state.reads == 0 { state.overlay.remove(entry.write, number: entry.number) }
            }
            if state.taken == state.entries.count {
                state.entries.removeAll(keepingCapacity: state.taken <= Self.gatheringLimit)
            } else {
                state.entries.removeFirst(state.taken)
            }
            state.taken = 0
        }
    }

    /// Drops all pending writes, and returns their number.
    @discardableResult
    func removeAll() -> Int {
        state.withLock { state in
            let entries = state.entries
            forget(entries, &state)
            (state.entries, state.taken, state.bytes) = ([], 0, 0)
            return entries.count
        }
    }

    /// Drops all pending writes, and rejects later writes. Returns the number of dropped writes.
    func close() -> Int {
        state.withLock { $0.isClosed = true }
        return removeAll()
    }

    private func forget(_ entries: [Entry], _ state: inout State) {
        for entry in entries { state.overlay.remove(entry.write, number: entry.number) }
    }

    /// Drops the oldest pending writes, except the writes that the writer is storing now. Drops more than necessary, to
    /// make room for later writes.
    private func shorten(_ state: inout State) -> Int {
        var end = state.taken
        while end < state.entries.count - 1, state.bytes > limit - limit / 8 {
            state.bytes -= state.entries[end].cost
            end += 1
        }
        forget(Array(state.entries[state.taken..<end]), &state)
        state.entries.removeSubrange(state.taken..<end)
        return end - state.taken
    }
}

extension PendingWrites {
    /// Runs `body`, which reads the file and this queue. Writes that are completed meanwhile stay visible in the queue,
    /// because `body` may see the file as it was before them.
    func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        state.withLock { $0.reads += 1 }
        defer {
            state.withLock { state in
                state.reads -= 1
                if state.reads == 0, !state.written.isEmpty {
                    forget(state.written, &state)
                    state.written = []
                }
            }
        }
        return try body()
    }

    /// Returns the effect of the pending writes on an item: `known(item)` if they save it, `known(nil)` if they remove
    /// it, and `unknown` if no write has the item's key.
    func item(_ key: ItemKey) -> WriteOverlay.Found<ItemEntity> { state.withLock { $0.overlay.item(key) } }

    /// Returns the effect of the pending writes on a page: `known(page)` if they save it, `known(nil)` if they remove
    /// it, and `unknown` if no write has the page's key.
    func page(_ key: PageKey) -> WriteOverlay.Found<PageEntity> { state.withLock { $0.overlay.page(key) } }

    /// Returns the effect of the pending writes on a note (see `CacheNotesContract`): `known(note)` if they store it,
    /// `known(nil)` if they remove it, and `unknown` if no write has the note's name.
    func note(_ name: String) -> WriteOverlay.Found<String> { state.withLock { $0.overlay.note(name) } }

    /// Applies the pending removals and invalidations to an item that was read from the file. Returns nil if one of
    /// them removes the item.
    func amended(_ item: ItemEntity) -> ItemEntity? { state.withLock { $0.overlay.amended(item) } }

    /// Applies the pending removals and invalidations to a page that was read from the file. Returns nil if one of them
    /// removes the page.
    func amended(_ page: PageEntity) -> PageEntity? { state.withLock { $0.overlay.amended(page) } }
}

extension PackedItems {
    /// The memory that the items of a pending write use, in bytes. This includes the items' JSON, their ids, and a
    /// record for each item in `WriteOverlay`.
    fileprivate var pendingCost: Int { texts.size + keys.reduce(256) { $0 + 64 + $1.id.utf8.count } }
}

extension EntityStore.Write {
    /// The estimated size of the pending write in memory, in bytes.
    fileprivate var cost: Int {
        switch self {
        case .save(let change): change.items.pendingCost + (change.page?.cost ?? 0)
        case .removeItem(let key): 256 + key.id.utf8.count
        case .removePage(let key): 256 + key.request.utf8.count
        case .remove(let selection, _), .invalidate(let selection, _): 256 + 64 * (selection.ids?.count ?? 0)
        case .keep(let name, let value): 256 + name.utf8.count + (value?.utf8.count ?? 0)
        }
    }
}
