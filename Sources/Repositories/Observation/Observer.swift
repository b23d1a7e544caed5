import DataSources
import JSON
import Model
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
    private let known: KnownContents
    private let state = Lock(State())

    /// - Parameter known: what changes are told from; where nobody has looked before, that is what the thing is when
    ///   the watch begins.
    init(
        hub: ChangeHub, known: KnownContents = KnownContents(), look: @escaping @Sendable (Observer) async -> Look,
        tell: @escaping @Sendable (Observation) -> Void
    ) {
        self.hub = hub
        self.known = known
        self.look = look
        self.tell = tell
    }

    /// Begins to watch. It tells at once what has changed since another observer looked.
    func start(_ subject: ChangeHub.Subject) async {
        let number = hub.watch(subject) { [weak self] in self?.mayHaveChanged() }
        state.withLock { $0.number = number }
        take(await look(self))
        state.withLock { $0.isLooking = false }
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
            take(await look(self))
            await hub.rest()
        }
    }

    /// Tells what the thing is now, if that is a change. Who was stopped meanwhile has nothing to say, nor to remember:
    /// another one may have begun in its place.
    private func take(_ now: Look) {
        let isChanged = state.withLock { state in
            guard !state.isStopped else { return false }
            return known.take(now.contents)
        }
        if isChanged { tell(now.observation) }
    }
}
