import Repositories
import System

/// Observes an item or a page across catalog reloads. After a reload, the observer continues with the same item or page
/// of the new catalog. If the item or page no longer exists, the observer reports `gone` and ends.
final class ContinuingObserver: Sendable {
    private struct State {
        /// The function that stops the observation in the current catalog; nil if there is no observation.
        var stop: (@Sendable () -> Void)?
        /// Whether the catalog may have been replaced since the observation started.
        var isOutdated = true
        /// Whether a task is moving the observer to the current catalog. Also true before `begin`, so that
        /// `followCatalog` starts no task.
        var isFollowing = true
        var isStopped = false
    }

    private let target: ObservedTarget
    private let serving: CurrentCatalog
    private let known = LastSeen()
    private let onChange: @Sendable (Observation, ResourceContext?) -> Void
    private let onEnd: @Sendable () -> Void
    private let state = Lock(State())

    /// Creates an observer that has not started.
    ///
    /// - Parameters:
    ///   - onChange: called for each change, with the context of the observed resource. The context is nil if the item
    ///     or page no longer exists in the current catalog.
    ///   - onEnd: called once if the current catalog no longer has the item or page, before `onChange` reports `gone`.
    init(
        _ target: ObservedTarget, in serving: CurrentCatalog,
        onChange: @escaping @Sendable (Observation, ResourceContext?) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.target = target
        self.serving = serving
        self.onChange = onChange
        self.onEnd = onEnd
    }

    /// Starts the observation and returns when the observation is active. Call this method only once.
    func begin() async { await follow() }

    /// Moves the observation to the current catalog, in the background. Does nothing before `begin`.
    func followCatalog() {
        let isMine = state.withLock { state in
            state.isOutdated = true
            defer { state.isFollowing = true }
            return !state.isFollowing
        }
        if isMine { Task(executorPreference: EventLoop.shared) { [self] in await follow() } }
    }

    /// Stops the observation. If a report of a change has already started, the client may still receive that report.
    func stop() {
        let stop = state.withLock { state in
            state.isStopped = true
            defer { state.stop = nil }
            return state.stop
        }
        stop?()
    }

    private func follow() async {
        while isOutdated() {
            // The old observation stops before the new observation starts, so only one of them reports at a time. The
            // new observation compares with the content that the old observation reported last.
            let former = state.withLock { state in
                defer { state.stop = nil }
                return state.stop
            }
            former?()
            guard let context = target.context(in: serving.current),
                let stop = await target.observe(
                    in: context, since: known, onChange: { [onChange] in onChange($0, context) })
            else { return end() }
            let isWanted = state.withLock { state in
                if !state.isStopped { state.stop = stop }
                return !state.isStopped
            }
            if !isWanted { stop() }
        }
    }

    private func isOutdated() -> Bool {
        state.withLock { state in
            guard state.isOutdated, !state.isStopped else {
                state.isFollowing = false
                return false
            }
            state.isOutdated = false
            return true
        }
    }

    private func end() {
        let isMine = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isMine else { return }
        onEnd()
        onChange(.gone, nil)
    }
}
