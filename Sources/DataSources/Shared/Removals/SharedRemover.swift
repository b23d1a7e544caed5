import System

/// Carries removals to the server. What it may not know of is owed to it, and kept for the processes that come later.
final class SharedRemover: Sendable {
    typealias Removal = LocalRemovals.Removal

    private let space: SharedSpace
    private let index: (any SharedIndexContract)?
    private let timer: any TimerContract
    /// The notes of other processes whose removals are this one's now: what they say, and what that is.
    private let adopted = Lock<[String: (text: String, owed: Set<Removal>)]>([:])
    private let pause = Lock(RefusalPause())

    init(_ space: SharedSpace, index: (any SharedIndexContract)?, timer: any TimerContract) {
        self.space = space
        self.index = index
        self.timer = timer
    }

    /// Carries out removals, and returns when the server has acknowledged them, or is found not to be reached: then
    /// they are noted, and done when it is.
    func remove(_ removals: [Removal]) async {
        note(removals)
        await withCheckedContinuation { done in sendOwed(and: removals) { done.resume() } }
    }

    /// The same, and nobody waits.
    func post(_ removals: [Removal]) {
        note(removals)
        sendOwed(and: removals)
    }

    /// An entry that the remote has no longer. Where the level does not have it either, nobody need hear of it.
    func forget(_ key: EntryKey) {
        guard let entry = space.named(key) else { return }
        let noted = Removal(name: entry.name, marks: entry.marks, isRemoval: true)
        guard space.writes else { return note([noted]) }
        space.server.post([removal(of: entry.name, entry.marks, .removed, onlyIfThere: true)]) { [self] result in
            guard case .success(let replies) = result, space.condition.note(replies, of: .writing) else {
                return note([noted])
            }
        }
    }

    /// To be called when a connection stands, before anything is read over it: what was refused over another one may
    /// be taken now.
    func connected() {
        pause.withLock { $0.reset() }
        sendOwed()
    }

    /// Does what is owed, also what others have noted, as far as it is time.
    func carryOut() async {
        await readNotes()
        await withCheckedContinuation { done in sendOwed { done.resume() } }
    }

    /// Takes over what processes before this one, or beside it, have noted.
    func readNotes() async {
        guard let index else { return }
        let oldest = Timestamp(milliseconds: space.clock.now().milliseconds - Int64(SharedScript.markLife))
        for (name, text) in await index.notes(beginning: notes) where !name.hasSuffix(space.writer) {
            if adopted.withLock({ $0[name]?.text }) == text { continue }
            let owed = space.removals.note(text: text, since: oldest)
            if owed.isEmpty {
                index.keep(note: name, nil)
            } else {
                adopted.withLock { $0[name] = (text, owed) }
            }
        }
    }

    /// Notes removals of this moment, here and for the processes that come later.
    private func note(_ removals: [Removal]) {
        guard !removals.isEmpty else { return }
        space.removals.note(removals, at: space.clock.now())
        keepNotes()
    }

    /// Sends all that is owed. Until a pause is over in which the server is not asked for what it has refused, only
    /// what is new is sent.
    private func sendOwed(and new: [Removal] = [], then: @escaping @Sendable () -> Void = {}) {
        var owed = space.writes ? space.removals.all : [:]
        if !pause.withLock({ $0.isOver(at: timer.milliseconds) }) {
            let new = Set(new)
            owed = owed.filter { new.contains($0.key) }
        }
        guard !owed.isEmpty else { return then() }
        let sent = Array(owed)
        space.server.post(sent.map { command($0.key) }) { [self] result in
            if case .success(let replies) = result { acknowledge(sent, replies) }
            then()
        }
    }

    private func acknowledge(_ sent: [(key: Removal, value: Timestamp)], _ replies: [RESPValue]) {
        let done = zip(sent, replies).compactMap { $1.isRefusal ? nil : $0 }
        if !done.isEmpty {
            space.removals.acknowledge(Dictionary(done) { first, _ in first })
            keepNotes()
            forgetAdopted()
        }
        let isTaken = space.condition.note(replies, of: .writing)
        let mayTakeMore = pause.withLock { pause in
            let wasRefused = pause.isRefused
            if isTaken { pause.reset() } else { pause.refuse(at: timer.milliseconds) }
            return isTaken && wasRefused
        }
        if mayTakeMore { sendOwed() }
    }

    /// What other processes of this machine have noted is forgotten when nothing of it is owed any more.
    private func forgetAdopted() {
        let owed = Set(space.removals.all.keys)
        let done = adopted.withLock { adopted in
            let done = adopted.filter { $0.value.owed.isDisjoint(with: owed) }.map(\.key)
            for name in done { adopted[name] = nil }
            return done
        }
        for name in done { index?.keep(note: name, nil) }
    }

    private func keepNotes() { index?.keep(note: notes + space.writer, space.removals.text) }

    /// How the names begin under which the cache file keeps the removals that the server may not know of. Each process
    /// has one of its own.
    private var notes: String { "removals \(space.names.changes) " }

    private func command(_ removal: Removal) -> RedisCommand {
        guard removal.name == removal.marks else {
            return self.removal(of: removal.name, removal.marks, removal.isRemoval ? .removed : .stale)
        }
        let kind = removal.isRemoval ? ChangeEvent.Kind.resourceRemoved : .resourceStale
        return .eval(
            SharedScript.renewMarks, keys: [removal.marks.key, space.names.changes],
            [Array((removal.isRemoval ? "removed" : "stale").utf8)] + SharedSpace.newMarks
                + space.event(kind, [removal.marks.hash], fetchedAt: space.clock.now()))
    }

    private func removal(
        of name: SharedName, _ marks: SharedName, _ kind: ChangeEvent.Kind, onlyIfThere: Bool = false
    ) -> RedisCommand {
        .eval(
            SharedScript.removeEntry, keys: [marks.key, space.names.changes, name.key, space.names.lease(of: name)],
            SharedSpace.newMarks + space.event(kind, [name.hash], fetchedAt: space.clock.now())
                + [Array((onlyIfThere ? "1" : "0").utf8)])
    }
}
