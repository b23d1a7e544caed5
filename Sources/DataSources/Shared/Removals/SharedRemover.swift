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
        /// What the server was told of, and did not answer yet; and what it does not have, as long as a fetch that was
        /// under way may bring it.
        var underWay: Set<Removal> = []
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
        follow(space.removals.note([gone], at: now))
        state.withLock { _ = $0.underWay.insert(gone) }
        let command = space.writes ? self.command(gone) : RedisCommand("MGET", entry.name.key)
        space.outbox.post([command], isUrgent: true) { [self] result in
            let purpose: ServerRefusals.Purpose = space.writes ? .writing : .reading
            guard case .success(let replies) = result, space.condition.note(replies, of: purpose),
                space.writes || replies == [.array([.null])]
            else {
                end([gone])
                return notes.keep(space.removals.moments(of: [gone]).map(\.key), at: now)
            }
            let end: @Sendable () -> Void = { [self] in
                notes.forget(space.removals.acknowledge([(gone, now)]))
                self.end([gone])
            }
            // Where there was none, nothing keeps a fetch from storing it that is under way elsewhere.
            if replies == [.integer(1)] { end() } else { timer.run(after: 2 * entry.resource.patience, end) }
        }
    }

    /// What this machine has fetched and could not share, since the connection was just lost: the others may have
    /// something older. Where the server is away for longer, or it is much, each machine is for itself.
    func tellOutdated(_ removals: [Removal]) {
        let health = space.server.health
        guard health.wasReached, !health.isLeftAlone, space.removals.count + removals.count <= Self.many else { return }
        space.removals.note(removals, at: space.clock.now())
        send(removals[...])
    }

    /// To be called when a connection stands, before anything is read over it: what was refused over another one may
    /// be taken now.
    func connected() {
        state.withLock { $0.pause.reset() }
        sendOwed()
    }

    /// Does what is owed, also what others have noted, as far as it is time. It does not wait for the server.
    func carryOut() async {
        await readNotes()
        sendOwed()
    }

    /// Takes over what processes before this one, or beside it, have noted.
    func readNotes() async {
        let oldest = Timestamp(milliseconds: space.clock.now().milliseconds - Int64(SharedScript.markLife))
        for (removal, moment) in await notes.adopt(since: oldest) {
            follow(space.removals.note([removal], at: moment))
        }
    }

    /// Notes removals of this moment, here and for the processes that come later.
    private func note(_ removals: [Removal]) {
        let now = space.clock.now()
        let change = space.removals.note(removals, at: now)
        if change.dropped.isEmpty { notes.keep(removals, at: now) } else { follow(change) }
    }

    /// What was too much to be kept is forgotten in the notes, too, and what stands for it noted.
    private func follow(_ change: (dropped: [Removal], wide: [Removal: Timestamp])) {
        notes.forget(change.dropped)
        for (removal, moment) in change.wide { notes.keep([removal], at: moment) }
    }

    // MARK: Sending

    /// Sends all that is owed, unless that is under way, or it is not time for it: what the server has refused it is
    /// not asked for again and again.
    private func sendOwed() {
        guard space.writes, space.server.isReady else { return }
        let underWay = state.withLock { state -> Set<Removal>? in
            guard !state.isSending, state.pause.isOver(at: timer.milliseconds) else { return nil }
            state.isSending = true
            return state.underWay
        }
        guard let underWay else { return }
        let owed = space.removals.all.filter { !underWay.contains($0.key) }.sorted { $0.value < $1.value }.map(\.key)
        send(owed[...]) { [self] in state.withLock { $0.isSending = false } }
    }

    /// Sends removals, the next ones when the server has taken those before. What it does not take is owed still.
    private func send(_ removals: ArraySlice<Removal>, then: @escaping @Sendable () -> Void = {}) {
        guard space.writes else { return then() }
        // What others have sent meanwhile is owed no longer.
        let piece = space.removals.moments(of: Array(removals.prefix(Self.piece)))
        let rest = removals.dropFirst(Self.piece)
        if piece.isEmpty { return rest.isEmpty ? then() : send(rest, then: then) }
        state.withLock { $0.underWay.formUnion(piece.map(\.key)) }
        // What was asked for before a removal is not stored after it, so that it may go before what waits.
        space.outbox.post(piece.map { command($0.key) }, isUrgent: true) { [self] result in
            end(piece.map(\.key))
            guard case .success(let replies) = result, acknowledge(piece, replies), !rest.isEmpty else { return then() }
            send(rest, then: then)
        }
    }

    private func end(_ removals: [Removal]) { state.withLock { $0.underWay.subtract(removals) } }

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
        let isRemoval = removal.kind == .removed || removal.kind == .gone
        let kind = isRemoval ? ChangeEvent.Kind.removed : .stale
        let flag = removal.kind == .gone || removal.kind == .stale ? "1" : "0"
        return .eval(
            isRemoval ? SharedScript.removeEntry : SharedScript.markStale, keys: keys,
            SharedSpace.newMarks + space.event(kind, [removal.name.hash], fetchedAt: now) + [Array(flag.utf8)])
    }
}
