import DataSources
import Model
import Synchronization
import System

/// Notifies the watchers of an item or a page that it may have changed.
public final class ChangeHub: Sendable {
    /// What can be watched.
    public typealias Subject = EntryKey

    private struct State {
        var watchers: [Int: (subject: Subject, onChange: @Sendable () -> Void)] = [:]
        /// The same by what they watch. An item is also watched by those who watch a page that shows it.
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

    /// Waits for so long, or until the task is cancelled.
    public typealias Sleep = @Sendable (Duration) async -> Void

    /// How often it is looked for what other processes have changed, while anybody watches.
    private let interval: Duration
    /// How long an observer is left alone after it has looked.
    private let pause: Duration
    private let sleep: Sleep
    private let state = Lock(State())
    /// Kept apart, so that a change that nobody watches costs no lock.
    private let count = Atomic<Int>(0)

    /// Nobody watches yet.
    ///
    /// - Parameters:
    ///   - interval: how often it is looked for what other processes have changed, while anybody watches.
    ///   - pause: how long an observer is left alone after it has looked.
    ///   - sleep: how to wait.
    public init(
        interval: Duration = .milliseconds(250), pause: Duration = .milliseconds(100),
        sleep: @escaping Sleep = { try? await EventLoop.shared.sleep(for: $0) }
    ) {
        self.interval = interval
        self.pause = pause
        self.sleep = sleep
    }

    /// Says how to learn what other processes have changed. It is called now and then while anybody watches.
    func follow(_ catchUp: @escaping @Sendable () async -> Void) { state.withLock { $0.catchUp = catchUp } }

    /// Whether anybody watches anything.
    var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

    /// Calls `onChange` after each change of the subject from now on; it should return at once. Returns a number to
    /// stop by.
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

    /// Waits until an observer that has looked may look again.
    func rest() async { await sleep(pause) }

    /// Says which items a watched page shows by now: a change of one of them is a change of the page. Returns whether
    /// they are others than before.
    func shows(_ items: [ItemKey], _ number: Int) -> Bool {
        state.withLock { state in
            guard state.watchers[number] != nil, state.shown[number] != items else { return false }
            for item in state.shown[number] ?? [] { state.remove(number, from: .item(item)) }
            state.shown[number] = items
            for item in items { state.numbers[.item(item), default: []].insert(number) }
            return true
        }
    }

    /// Ends a watch.
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

    /// Says that this was written or removed.
    func changed(_ subject: Subject) {
        switch subject {
        case .item(let key): changed(items: [key])
        case .page(let key): changed(items: [], page: key)
        }
    }

    /// Says that these were written or removed.
    func changed(items: some Sequence<ItemKey>, page: PageKey? = nil) {
        changed(items: items, pages: page.map { [$0] } ?? [])
    }

    /// Says that these were written or removed.
    func changed(items: some Sequence<ItemKey>, pages: [PageKey]) {
        guard isWatched else { return }
        let told = state.withLock { state in
            var numbers: Set<Int> = []
            for item in items { numbers.formUnion(state.numbers[.item(item)] ?? []) }
            for page in pages { numbers.formUnion(state.numbers[.page(page)] ?? []) }
            return numbers.compactMap { state.watchers[$0]?.onChange }
        }
        for onChange in told { onChange() }
    }

    /// Says that anything may have changed.
    func changedAll() {
        guard isWatched else { return }
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.onChange() }
    }
}

extension CacheKey {
    /// What observers of the entry watch.
    var subject: ChangeHub.Subject { name }
}
