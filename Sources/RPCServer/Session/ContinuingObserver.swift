import Repositories
import System

/// Observes an item or a page across catalog reloads. After a reload it continues with the same item or page of the new
/// catalog. If that no longer exists, it reports `gone` and ends.
final class ContinuingObserver: Sendable {
    private struct State {
        /// Stops the observation in the current catalog.
        var stop: (@Sendable () -> Void)?
        /// Whether the catalog may have been replaced since the observation started.
        var isOutdated = true
        /// Whether a task is following the catalog, or will when `begin` is called.
        var isFollowing = true
        var isStopped = false
    }

    private let thing: ObservedTarget
    private let serving: CurrentCatalog
    private let known = LastSeen()
    private let onChange: @Sendable (Observation, ResourceContext?) -> Void
    private let onEnd: @Sendable () -> Void
    private let state = Lock(State())

    /// Creates an observer that has not started.
    ///
    /// - Parameters:
    ///   - onChange: called with each change and the resource in the current catalog; nil if the resource no longer
    ///     exists.
    ///   - onEnd: called once if the observation ends by itself, before `onChange` reports `gone`.
    init(
        _ thing: ObservedTarget, in serving: CurrentCatalog,
        onChange: @escaping @Sendable (Observation, ResourceContext?) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.thing = thing
        self.serving = serving
        self.onChange = onChange
        self.onEnd = onEnd
    }

    /// Starts to observe, and returns once observing. Call it once.
    func begin() async { await follow() }

    /// Continues in the current catalog soon. Does nothing before `begin`, which uses the catalog of that time.
    func followCatalog() {
        let isMine = state.withLock { state in
            state.isOutdated = true
            defer { state.isFollowing = true }
            return !state.isFollowing
        }
        if isMine { Task(executorPreference: EventLoop.shared) { [self] in await follow() } }
    }

    /// Stops observing. No change is reported after it returns, except one that is being reported.
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
            // At most one observation reports at a time: the next one starts from the content that the former reported
            // last.
            let former = state.withLock { state in
                defer { state.stop = nil }
                return state.stop
            }
            former?()
            guard let context = thing.context(in: serving.current),
                let stop = await thing.observe(
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
