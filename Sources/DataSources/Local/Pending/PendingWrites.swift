import Model
import System

/// The writes that wait for their turn, in the order of their calls, and what they will have done.
///
/// Reads need not wait for writes: what was called before a read is either found here or in the file.
final class PendingWrites: Sendable {
    /// One transaction does no more writes than this, so that other processes need not wait long to write.
    private static let batch = 256
    /// How many bytes one transaction writes at most.
    static let batchBytes = 1 << 20

    /// When what waits is to be written.
    enum Turn {
        /// When a turn that is coming, or under way, comes to it; or never.
        case none
        /// When more may have come that fits the same transaction.
        case soon
        /// As soon as can be.
        case now
    }

    /// So many writes need not wait for more.
    private static let gathered = 64

    private struct Entry {
        let write: EntityStore.Write
        let number: Int
        let cost: Int
    }

    private struct State {
        var overlay = WriteOverlay()
        var entries: [Entry] = []
        /// How many of the first entries are being written now.
        var taken = 0
        var bytes = 0
        var next = 0
        var turn = Turn.none
        var isClosed = false
        /// Reads that are under way, and what has come into the file since the first of them began: it stays visible
        /// here until they end, since what they see of the file may be older.
        var reads = 0
        var written: [Entry] = []
    }

    private let limit: Int
    private let batchBytes: Int
    private let state = Lock(State())

    /// - Parameters:
    ///   - limit: How many bytes may wait.
    ///   - batchBytes: How many bytes one transaction writes, unless a single write has more.
    init(limit: Int, batchBytes: Int = PendingWrites.batchBytes) {
        self.limit = limit
        self.batchBytes = batchBytes
    }

    /// How many writes wait.
    var count: Int { state.withLock { $0.entries.count } }

    /// Whether nothing waits, and nothing is told but by the file.
    var isSettled: Bool { state.withLock { $0.entries.isEmpty && $0.overlay.isEmpty } }

    /// Adds a write.
    ///
    /// - Returns: which turn of the writer has to be scheduled, and how many old writes had to be given up.
    func append(_ write: EntityStore.Write) -> (turn: Turn, lost: Int) {
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

    private func schedule(_ state: inout State) -> Turn {
        let isEnough = state.entries.count - state.taken >= Self.gathered || state.bytes >= batchBytes
        switch state.turn {
        case .none: state.turn = isEnough ? .now : .soon
        case .soon where isEnough: state.turn = .now
        case .soon, .now: return .none
        }
        return state.turn
    }

    /// Whether the turn that was to come soon is due: there was none meanwhile, and none is scheduled at once.
    func endGathering() -> Bool {
        state.withLock { state in
            guard state.turn == .soon else { return false }
            state.turn = .now
            return true
        }
    }

    /// From now on the next write schedules a turn again.
    func beginTurn() { state.withLock { $0.turn = .none } }

    /// No turn has to be scheduled until one begins: there will be one later.
    func holdTurns() { state.withLock { $0.turn = .now } }

    /// What the next transaction writes; it stays here until it is done.
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

    /// What was taken is in the file, or given up.
    func finish() {
        state.withLock { state in
            if state.reads > 0 { state.written += state.entries.prefix(state.taken) }
            for index in 0..<state.taken {
                let entry = state.entries[index]
                state.bytes -= entry.cost
                if state.reads == 0 { state.overlay.remove(entry.write, number: entry.number) }
            }
            if state.taken == state.entries.count {
                state.entries.removeAll(keepingCapacity: state.taken <= Self.gathered)
            } else {
                state.entries.removeFirst(state.taken)
            }
            state.taken = 0
        }
    }

    /// Gives up all that waits. Returns how many writes that were.
    @discardableResult
    func removeAll() -> Int {
        state.withLock { state in
            let entries = state.entries
            forget(entries, &state)
            (state.entries, state.taken, state.bytes) = ([], 0, 0)
            return entries.count
        }
    }

    /// Takes no more writes. Returns how many were waiting and are given up.
    func close() -> Int {
        state.withLock { $0.isClosed = true }
        return removeAll()
    }

    private func forget(_ entries: [Entry], _ state: inout State) {
        for entry in entries { state.overlay.remove(entry.write, number: entry.number) }
    }

    /// Gives the oldest writes up that are not being written, and some more, so that not each new one does so.
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
    /// Runs `body`, whose looks at the file and in here fit together.
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

    /// What is known of an item without the file.
    func item(_ key: ItemKey) -> WriteOverlay.Found<ItemEntity> { state.withLock { $0.overlay.item(key) } }

    /// What is known of a page without the file.
    func page(_ key: PageKey) -> WriteOverlay.Found<PageEntity> { state.withLock { $0.overlay.page(key) } }

    /// What is known of a note without the file.
    func note(_ name: String) -> WriteOverlay.Found<String> { state.withLock { $0.overlay.note(name) } }

    /// What becomes of an item that the file has.
    func amended(_ item: ItemEntity) -> ItemEntity? { state.withLock { $0.overlay.amended(item) } }

    /// What becomes of a page that the file has.
    func amended(_ page: PageEntity) -> PageEntity? { state.withLock { $0.overlay.amended(page) } }
}

extension PackedItems {
    /// The bytes that they take while they wait: their texts and ids, and an entry each in the overlay.
    fileprivate var waitingCost: Int { texts.size + keys.reduce(256) { $0 + 64 + $1.id.utf8.count } }
}

extension EntityStore.Write {
    /// The bytes it takes while it waits.
    fileprivate var cost: Int {
        switch self {
        case .save(let change): change.items.waitingCost + (change.page?.cost ?? 0)
        case .removeItem(let key): 256 + key.id.utf8.count
        case .removePage(let key): 256 + key.request.utf8.count
        case .remove(let selection, _), .invalidate(let selection, _): 256 + 64 * (selection.ids?.count ?? 0)
        case .keep(let name, let value): 256 + name.utf8.count + (value?.utf8.count ?? 0)
        }
    }
}
