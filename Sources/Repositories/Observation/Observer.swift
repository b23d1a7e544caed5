import DataSources
import JSON
import Model
import System

/// A change that an observer reports: the item or page has new content, or is no longer cached.
public enum Observation: Sendable {
    case item(Answer<[UInt8]>)
    case page(Answer<Page>)
    /// The cache no longer contains the item or page.
    case gone
}

/// Observes an item or a page and reports each change once. If changes are frequent, reports the latest content at
/// intervals.
final class Observer: Sendable {
    /// The content of the observed item or page at one moment.
    struct Snapshot: Sendable {
        /// The content of the item or page as JSON; nil if the item or page is not cached.
        let contents: JSONTexts?
        let observation: Observation
    }

    private struct State {
        var number: Int?
        /// Whether the content may have changed since the last read.
        var isDirty = false
        /// Whether a read is running or scheduled.
        var isReading = true
        var isStopped = false
    }

    private let hub: ChangeHub
    private let read: @Sendable (Observer) async -> Snapshot
    private let tell: @Sendable (Observation) -> Void
    private let known: LastSeen
    private let state = Lock(State())

    /// Creates an observer that has not started.
    ///
    /// - Parameters:
    ///   - known: the last known content. If there is none, the first content from `read` is stored in `known` and not
    ///     reported.
    ///   - read: reads the current content.
    ///   - tell: called with each change.
    init(
        hub: ChangeHub, known: LastSeen = LastSeen(), read: @escaping @Sendable (Observer) async -> Snapshot,
        tell: @escaping @Sendable (Observation) -> Void
    ) {
        self.hub = hub
        self.known = known
        self.read = read
        self.tell = tell
    }

    /// Starts the observation. Reports the current content at once if it differs from `known`.
    func start(_ subject: ChangeHub.Subject) async {
        let number = hub.watch(subject) { [weak self] in self?.mayHaveChanged() }
        state.withLock { $0.number = number }
        take(await read(self))
        state.withLock { $0.isReading = false }
        if state.withLock({ $0.isDirty }) { mayHaveChanged() }
    }

    /// Ends the observation. After this call, no further report starts.
    func stop() {
        let number = state.withLock { state in
            state.isStopped = true
            return state.number
        }
        if let number { hub.stop(number) }
    }

    /// Sets the items that the observed page shows. Returns whether the items differ from the previous items.
    func shows(_ items: [ItemKey]) -> Bool {
        guard let number = state.withLock({ $0.number }) else { return false }
        return hub.shows(items, number)
    }

    private func mayHaveChanged() {
        let isMine = state.withLock { state in
            state.isDirty = true
            defer { state.isReading = true }
            return !state.isReading
        }
        if isMine { Task(executorPreference: EventLoop.shared) { [self] in await readUntilClean() } }
    }

    private func readUntilClean() async {
        while state.withLock({ state in
            guard state.isDirty, !state.isStopped else {
                state.isReading = false
                return false
            }
            state.isDirty = false
            return true
        }) {
            take(await read(self))
            await hub.rest()
        }
    }

    /// Calls `tell` if the content differs from the known content.
    // A stopped observer must not change `known`, because a new observer may already use `known`.
    private func take(_ now: Snapshot) {
        let isChanged = state.withLock { state in
            guard !state.isStopped else { return false }
            return known.take(now.contents)
        }
        if isChanged { tell(now.observation) }
    }
}
