import System

/// Hears what other processes change in the shared level, and tells the levels of this machine.
///
/// It looks at the stream of changes twice a second and more, from the last place on, which the cache file keeps for
/// the processes that come later and serve the same resources: what concerns others it has passed by. Where that place
/// is gone, as after a long absence or when the server has lost it, all that this machine has counts as stale.
final class SharedChanges: Sendable {
    typealias Tell = @Sendable (ForeignChange) async -> Void

    /// How long it rests between two looks, in milliseconds: others hear of a change within a second.
    private static let interval = 400
    private static let firstLook = 20

    private struct State {
        var tell: Tell?
        var isStarted = false
        var hasEnded = false
        /// The note of the place, for which the cache file was asked.
        var note: String?
        var place: String?
    }

    private let space: SharedSpace
    private let stream: ChangeStream
    private let index: (any SharedIndexContract)?
    private let timer: any TimerContract
    /// What is done before each look but the first.
    private let beforeLook: @Sendable () async -> Void
    private let state = Lock(State())

    init(
        _ space: SharedSpace, index: (any SharedIndexContract)?, timer: any TimerContract,
        beforeLook: @escaping @Sendable () async -> Void = {}
    ) {
        self.beforeLook = beforeLook
        self.space = space
        self.index = index
        self.timer = timer
        stream = ChangeStream(space: space)
    }

    /// Says whom to tell.
    func tell(_ tell: @escaping Tell) { state.withLock { $0.tell = tell } }

    /// Looks from now on. It returns after a first look.
    func start() async {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.hasEnded
        }
        guard isFirst else { return }
        // Whoever waits for it needs to know whether the place is still there, and not all that came since.
        _ = await look(atMost: Self.firstLook)
        lookSoon()
    }

    private func lookSoon() {
        timer.run(after: Self.interval) { [weak self] in
            guard let self, !state.withLock({ $0.hasEnded }) else { return }
            Task(executorPreference: EventLoop.shared) { [self] in
                space.rights.lookAgain()
                await beforeLook()
                await lookAtAll()
                lookSoon()
            }
        }
    }

    /// Looks no more.
    func end() { state.withLock { $0.hasEnded = true } }

    /// Looks until there is nothing new.
    func lookAtAll() async {
        while await look(), !state.withLock({ $0.hasEnded }) {}
    }

    /// Returns whether there may be more.
    private func look(atMost count: Int = ChangeStream.batch) async -> Bool {
        let note = space.noteOfPlace
        if state.withLock({ $0.note != note }) {
            let kept = await index?.note(note)
            state.withLock { ($0.note, $0.place) = (note, kept) }
        }
        let place = state.withLock { $0.place }
        switch await stream.look(after: place, atMost: count) {
        case nil: return false
        case .broken(let last)?:
            if last == nil, space.writes {
                await stream.start()
                guard case .broken(let begun?)? = await stream.look(after: nil) else { return false }
                await markAllStale(from: begun)
            } else {
                await markAllStale(from: last ?? ChangeStream.begin)
            }
            return false
        case .entries(let entries)?:
            guard let last = entries.last else { return false }
            space.counters.rejected.count(entries.count { $0.event == nil })
            await apply(entries.compactMap(\.event).filter { $0.writer != space.writer })
            keep(last.id)
            return entries.count >= count
        }
    }

    private func keep(_ place: String) {
        let note = state.withLock { state in
            state.place = place
            return state.note
        }
        if let note { index?.keep(note: note, place) }
    }

    /// Nobody can tell what was changed until now: all that is kept here is stale.
    private func markAllStale(from place: String) async {
        let now = space.clock.now()
        for resource in space.resources.all {
            await told(
                .selection(
                    CacheSelection(resource: String(resource.key.resourceName), fetchedBefore: now), isRemoval: false))
        }
        keep(place)
    }

    private func apply(_ events: [ChangeEvent]) async {
        space.counters.changes.count(events.count { $0.kind != .begun })
        let hashes = Set(events.flatMap(\.hashes))
        guard !hashes.isEmpty else { return }
        let found = await entries(of: Array(hashes))
        for event in events {
            switch event.kind {
            case .begun: break
            case .resourceRemoved, .resourceStale: await apply(toResource: event)
            case .changed:
                let older = event.hashes.compactMap { found[$0] }.filter { $0.fetchedAt < event.fetchedAt }
                await told(older) { .renewed(items: $0, pages: $1) }
            case .removed: await told(event.hashes.compactMap { found[$0] }) { .removed(items: $0, pages: $1) }
            case .stale: await told(event.hashes.compactMap { found[$0] }) { .stale(items: $0, pages: $1) }
            }
        }
    }

    private func apply(toResource event: ChangeEvent) async {
        for resource in space.resources.all where event.hashes.contains(space.marks(of: resource).hash) {
            let selection = CacheSelection(resource: String(resource.key.resourceName))
            await told(.selection(selection, isRemoval: event.kind == .resourceRemoved))
        }
    }

    /// Which entries of this machine have these names.
    private func entries(of hashes: [[UInt8]]) async -> [[UInt8]: IndexedEntry] {
        var found = await index?.entries(of: hashes) ?? [:]
        for hash in hashes where found[hash] == nil {
            guard let key = space.known.key(of: hash) else { continue }
            found[hash] = IndexedEntry(key: key, fetchedAt: Timestamp(milliseconds: .min))
        }
        // Where no file knows the names, and some were forgotten, any entry may be concerned.
        if index == nil, !space.known.isWhole, found.count < hashes.count {
            // Before memory is emptied, so that none is missed that is forgotten meanwhile.
            space.known.beginAnew()
            await told(.everything)
        }
        return found
    }

    private func told(_ change: ForeignChange) async {
        await state.withLock { $0.tell }?(change)
    }

    private func told(
        _ entries: [IndexedEntry], as change: ([ItemKey], [PageKey]) -> ForeignChange
    ) async {
        var (items, pages): ([ItemKey], [PageKey]) = ([], [])
        for entry in entries {
            switch entry.key {
            case .item(let key): items.append(key)
            case .page(let key): pages.append(key)
            }
        }
        if !entries.isEmpty { await told(change(items, pages)) }
    }
}
