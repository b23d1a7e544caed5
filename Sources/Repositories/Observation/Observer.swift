import DataSources
import JSON
import System

/// What an observer is told: what the thing has become.
public enum Observation: Sendable {
    case item(Answer<[UInt8]>)
    case page(Answer<Page>)
    /// It is not there any more.
    case gone
}

/// Watches an item or a page, and tells each change once. What changes often is told now and then, as it is then.
final class Observer: Sendable {
    /// What the thing was when it was looked at last.
    struct Look: Sendable {
        /// All of its contents; nil where it is not kept.
        let contents: JSONTexts?
        let observation: Observation
    }

    private struct State {
        var contents: JSONTexts?
        var number: Int?
        /// Whether something may have changed since the last look.
        var isDirty = false
        /// Whether somebody looks, or waits to look again.
        var isLooking = true
        var isStopped = false
    }

    private let hub: ChangeHub
    private let look: @Sendable (Observer) async -> Look
    private let tell: @Sendable (Observation) -> Void
    private let state = Lock(State())

    init(
        hub: ChangeHub, look: @escaping @Sendable (Observer) async -> Look,
        tell: @escaping @Sendable (Observation) -> Void
    ) {
        self.hub = hub
        self.look = look
        self.tell = tell
    }

    /// Begins to watch. What the thing is now is what changes are told from.
    func start(_ subject: ChangeHub.Subject) async {
        let number = hub.watch(subject) { [weak self] in self?.mayHaveChanged() }
        state.withLock { $0.number = number }
        let contents = await look(self).contents
        state.withLock { state in
            state.contents = contents
            state.isLooking = false
        }
        if state.withLock({ $0.isDirty }) { mayHaveChanged() }
    }

    /// Ends the watch: nothing is told after it returns, but for what is being told.
    func stop() {
        let number = state.withLock { state in
            state.isStopped = true
            return state.number
        }
        if let number { hub.stop(number) }
    }

    /// Says which items the watched page shows. Returns whether they are others than before.
    func shows(_ items: [ItemKey]) -> Bool {
        guard let number = state.withLock({ $0.number }) else { return false }
        return hub.shows(items, number)
    }

    private func mayHaveChanged() {
        let isMine = state.withLock { state in
            state.isDirty = true
            defer { state.isLooking = true }
            return !state.isLooking
        }
        if isMine { Task(executorPreference: EventLoop.shared) { [self] in await lookUntilClean() } }
    }

    private func lookUntilClean() async {
        while state.withLock({ state in
            guard state.isDirty, !state.isStopped else {
                state.isLooking = false
                return false
            }
            state.isDirty = false
            return true
        }) {
            let now = await look(self)
            let isChanged = state.withLock { state in
                defer { state.contents = now.contents }
                return state.contents != now.contents && !state.isStopped
            }
            if isChanged { tell(now.observation) }
            await hub.rest()
        }
    }
}
