import DataSources
import Model
import Synchronization
import System

/// Notifies observers that an item or a page may have changed.
public final class ChangeHub: Sendable {
    /// The item or page that an observer watches.
    public typealias Subject = EntryKey

    private struct State {
        var watchers: [Int: (subject: Subject, onChange: @Sendable () -> Void)] = [:]
        /// For each item or page, the numbers of the watchers to notify. The watchers of a page are also listed for
        /// each item that the page shows.
        var numbers: [Subject: Set<Int>] = [:]
        var shown: [Int: [ItemKey]] = [:]
        var next = 0
        var catchUp: (@Sendable () async -> Void)?
        var poll: Task<Void, Never>?

        mutating func remove(_ number: Int, from subject: Subject) {
            numbers[subject]?.remove(number)
            if numbers[subject]?.isEmpty == true { numbers[subject] = nil }
        }
    }

    /// A function that waits for a duration, or until its task is cancelled.
    public typealias Sleep = @Sendable (Duration) async -> Void

    /// The interval between checks for changes by other processes. There are no checks without watchers.
    private let interval: Duration
    /// The minimum time between two reads by the same observer.
    private let pause: Duration
    private let sleep: Sleep
    private let state = Lock(State())
    /// The number of watchers. It is atomic, so that a change without watchers needs no lock.
    private let count = Atomic<Int>(0)

    /// Creates a hub without watchers.
    ///
    /// - Parameters:
    ///   - interval: the time between two checks for changes by other processes. The hub checks only if there are
    ///     watchers.
    ///   - pause: the minimum time between two reads by the same observer.
    ///   - sleep: waits for a duration.
    public init(
        interval: Duration = .milliseconds(250), pause: Duration = .milliseconds(100),
        sleep: @escaping Sleep = { try? await EventLoop.shared.sleep(for: $0) }
    ) {
        self.interval = interval
        self.pause = pause
        self.sleep = sleep
    }

    /// Sets the function that loads changes by other processes. The hub calls this function at each interval if there
    /// are watchers.
    func follow(_ catchUp: @escaping @Sendable () async -> Void) { state.withLock { $0.catchUp = catchUp } }

    /// Whether the hub has watchers.
    var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

    /// Adds a watcher of an item or a page. The hub calls `onChange` after each change. `onChange` must not block.
    ///
    /// - Returns: the watcher's number, for a later call of `stop`.
    func watch(_ subject: Subject, onChange: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.watchers[state.next] = (subject, onChange)
            state.numbers[subject, default: []].insert(state.next)
            if state.poll == nil, let catchUp = state.catchUp { state.poll = poll(catchUp) }
            count.store(state.watchers.count, ordering: .relaxed)
            return state.next
        }
    }

    /// Waits after an observer's read, so that the same observer does not read again too soon.
    func rest() async { await sleep(pause) }

    /// Sets the items that a watched page shows. A change of one of these items counts as a change of the page.
    ///
    /// - Returns: whether the items differ from the previous items.
    func shows(_ items: [ItemKey], _ number: Int) -> Bool {
        state.withLock { state in
            guard state.watchers[number] != nil, state.shown[number] != items else { return false }
            for item in state.shown[number] ?? [] { state.remove(number, from: .item(item)) }
            state.shown[number] = items
            for item in items { state.numbers[.item(item), default: []].insert(number) }
            return true
        }
    }

    /// Removes a watcher by the number that `watch` returned.
    func stop(_ number: Int) {
        state.withLock { state in
            guard let watcher = state.watchers.removeValue(forKey: number) else { return }
            state.remove(number, from: watcher.subject)
            for item in state.shown.removeValue(forKey: number) ?? [] { state.remove(number, from: .item(item)) }
            count.store(state.watchers.count, ordering: .relaxed)
            guard state.watchers.isEmpty else { return }
            state.poll?.cancel()
            state.poll = nil
        }
    }

    deinit { state.withLock { $0.poll }?.cancel() }

    private func poll(_ catchUp: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: EventLoop.shared) { [interval, sleep] in
            while !Task.isCancelled {
                await catchUp()
                await sleep(interval)
            }
        }
    }

    /// Notifies the watchers of an item or a page that was written or removed.
    func changed(_ subject: Subject) {
        switch subject {
        case .item(let key): changed(items: [key])
        case .page(let key): changed(items: [], page: key)
        }
    }

    /// Notifies the watchers of items and a page that were written or removed.
    func changed(items: some Sequence<ItemKey>, page: PageKey? = nil) {
        changed(items: items, pages: page.map { [$0] } ?? [])
    }

    /// Notifies the watchers of items and pages that were written or removed.
    func changed(items: some Sequence<ItemKey>, pages: [PageKey]) {
        guard isWatched else { return }
        let handlers = state.withLock { state in
            var numbers: Set<Int> = []
            for item in items { numbers.formUnion(state.numbers[.item(item)] ?? []) }
            for page in pages { numbers.formUnion(state.numbers[.page(page)] ?? []) }
            return numbers.compactMap { state.watchers[$0]?.onChange }
        }
        for onChange in handlers { onChange() }
    }

    /// Notifies all watchers of the hub.
    func changedAll() {
        guard isWatched else { return }
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.onChange() }
    }
}

extension CacheKey {
    /// The key under which the hub registers the watchers of this entry.
    var subject: ChangeHub.Subject { name }
}
