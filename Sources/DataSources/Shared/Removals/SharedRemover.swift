import System

/// Carries removals to the server. What it may not know of is owed to it, and kept for the processes that come later.
final class SharedRemover: Sendable {
    /// How many are sent together: what is acknowledged is done with, however the rest goes.
    private static let piece = 50
    /// How many of those that somebody waits for are noted at once: fewer than are kept.
    private static let many = 1000

    private struct State {
        var pause = RefusalPause()
        /// Whether all that is owed is being sent.
        var isSending = false
    }

    private let space: SharedSpace
    private let notes: RemovalNotes
    private let timer: any TimerContract
    private let state = Lock(State())

    init(_ space: SharedSpace, index: (any SharedIndexContract)?, timer: any TimerContract) {
        self.space = space
        self.timer = timer
        notes = RemovalNotes(index, stream: space.names.changes, writer: space.writer)
    }

    /// Carries out removals, and returns when the server has acknowledged them, or is found not to be reached: then
    /// they are noted, and done when it is.
    func remove(_ removals: [Removal]) async {
        for start in stride(from: 0, to: removals.count, by: Self.many) {
            let some = Array(removals[start..<min(start + Self.many, removals.count)])
            note(some)
            await withCheckedContinuation { done in send(some[...]) { done.resume() } }
        }
    }

    /// The same, and nobody waits.
    func post(_ removals: [Removal]) {
        note(removals)
        send(removals[...])
    }

    /// An entry that the remote has no longer. It is noted for those that come later only where the server may have it
    /// and does not take the removal.
    func forget(_ key: EntryKey) {
        guard let entry = space.named(key) else { return }
        let gone = Removal(name: entry.name, marks: entry.marks, kind: .gone)
        let now = space.clock.now()
        follow(space.removals.note([gone], at: now), at: now)
        let command = space.writes ? self.command(gone) : RedisCommand("MGET", entry.name.key)
        space.outbox.post([command]) { [self] result in
            let purpose: ServerRefusals.Purpose = space.writes ? .writing : .reading
            guard case .success(let replies) = result, space.condition.note(replies, of: purpose),
                space.writes || replies == [.array([.null])]
            else { return notes.keep(space.removals.moments(of: [gone]).map(\.key), at: now) }
            space.removals.acknowledge([(gone, now)])
        }
    }

    /// To be called when a connection stands, before anything is read over it: what was refused over another one may
    /// be taken now.
    func connected() {
        state.withLock { $0.pause.reset() }
        sendOwed()
    }

    /// Does what is owed, also what others have noted, as far as it is time.
    func carryOut() async {
        await readNotes()
        await withCheckedContinuation { done in sendOwed { done.resume() } }
    }

    /// Takes over what processes before this one, or beside it, have noted.
    func readNotes() async {
        let oldest = Timestamp(milliseconds: space.clock.now().milliseconds - Int64(SharedScript.markLife))
        for (removal, moment) in await notes.adopt(since: oldest) {
            follow(space.removals.note([removal], at: moment), at: moment)
        }
    }

    /// Notes removals of this moment, here and for the processes that come later.
    private func note(_ removals: [Removal]) {
        let now = space.clock.now()
        let change = space.removals.note(removals, at: now)
        if change.wide.isEmpty { notes.keep(removals, at: now) } else { follow(change, at: now) }
    }

    /// What was too much to be kept is forgotten in the notes, too, and what stands for it noted.
    private func follow(_ change: (dropped: [Removal], wide: [Removal: Timestamp]), at now: Timestamp) {
        notes.forget(change.dropped)
        for (removal, moment) in change.wide { notes.keep([removal], at: moment) }
    }

    // MARK: Sending

    /// Sends all that is owed, unless that is under way, or it is not time for it: what the server has refused it is
    /// not asked for again and again.
    private func sendOwed(then: @escaping @Sendable () -> Void = {}) {
        guard space.writes, space.server.isReady else { return then() }
        let begins = state.withLock { state in
            guard !state.isSending, state.pause.isOver(at: timer.milliseconds) else { return false }
            state.isSending = true
            return true
        }
        guard begins else { return then() }
        let owed = space.removals.all.sorted { $0.value < $1.value }.map(\.key)
        send(owed[...]) { [self] in
            state.withLock { $0.isSending = false }
            then()
        }
    }

    /// Sends removals, the next ones when the server has taken those before. What it does not take is owed still.
    private func send(_ removals: ArraySlice<Removal>, then: @escaping @Sendable () -> Void = {}) {
        guard space.writes else { return then() }
        // What others have sent meanwhile is owed no longer.
        let piece = space.removals.moments(of: Array(removals.prefix(Self.piece)))
        let rest = removals.dropFirst(Self.piece)
        if piece.isEmpty { return rest.isEmpty ? then() : send(rest, then: then) }
        space.outbox.post(piece.map { command($0.key) }) { [self] result in
            guard case .success(let replies) = result, acknowledge(piece, replies), !rest.isEmpty else { return then() }
            send(rest, then: then)
        }
    }

    /// Returns whether the server takes what it is sent.
    private func acknowledge(_ sent: [(key: Removal, value: Timestamp)], _ replies: [RESPValue]) -> Bool {
        notes.forget(space.removals.acknowledge(zip(sent, replies).compactMap { $1.isRefusal ? nil : $0 }))
        let isTaken = space.condition.note(replies, of: .writing)
        let mayTakeMore = state.withLock { state in
            let wasRefused = state.pause.isRefused
            if isTaken { state.pause.reset() } else { state.pause.refuse(at: timer.milliseconds) }
            return isTaken && wasRefused
        }
        if mayTakeMore { sendOwed() }
        return isTaken
    }

    private func command(_ removal: Removal) -> RedisCommand {
        let changes = space.names.changes
        let now = space.clock.now()
        if removal.isOfAll {
            let kind = removal.kind == .stale ? ChangeEvent.Kind.resourceStale : .resourceRemoved
            return .eval(
                SharedScript.renewMarks, keys: [removal.marks.key, changes],
                [Array((removal.kind == .stale ? "stale" : "removed").utf8)] + SharedSpace.newMarks
                    + space.event(kind, [removal.marks.hash], fetchedAt: now))
        }
        let keys = [removal.marks.key, changes, removal.name.key, space.names.lease(of: removal.name)]
        let kind = removal.kind == .stale ? ChangeEvent.Kind.stale : .removed
        let arguments = SharedSpace.newMarks + space.event(kind, [removal.name.hash], fetchedAt: now)
        if removal.kind == .stale { return .eval(SharedScript.markStale, keys: keys, arguments) }
        return .eval(
            SharedScript.removeEntry, keys: keys, arguments + [Array((removal.kind == .gone ? "1" : "0").utf8)])
    }
}
