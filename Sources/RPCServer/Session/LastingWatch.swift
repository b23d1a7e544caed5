import Repositories
import System

/// Watches a thing in whatever is served. Where another serving takes the place of the one before, it goes on with what
/// is the same thing there; it tells that the thing is gone, and ends, where there is none.
final class LastingWatch: Sendable {
    private struct State {
        /// Ends the watch in what is served.
        var stop: (@Sendable () -> Void)?
        /// Whether what is served may be another one than that in which it watches.
        var isOutdated = true
        /// Whether somebody sees to that, or will when it begins.
        var isFollowing = true
        var isStopped = false
    }

    private let thing: WatchedThing
    private let serving: CurrentServing
    private let known = KnownContents()
    private let tell: @Sendable (Observation, ResourceContext?) -> Void
    private let onEnd: @Sendable () -> Void
    private let state = Lock(State())

    /// A watch that has not begun.
    ///
    /// - Parameters:
    ///   - tell: called with each change, and with the resource in what is served; nil where it is there no more.
    ///   - onEnd: called once where it ends by itself, before that is told.
    init(
        _ thing: WatchedThing, in serving: CurrentServing,
        tell: @escaping @Sendable (Observation, ResourceContext?) -> Void, onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.thing = thing
        self.serving = serving
        self.tell = tell
        self.onEnd = onEnd
    }

    /// Begins to watch; returns when it does. To be called once.
    func begin() async { await follow() }

    /// Lets it go on in what is served now, soon. Before it has begun that does nothing: it begins in what is served
    /// then.
    func followServing() {
        let isMine = state.withLock { state in
            state.isOutdated = true
            defer { state.isFollowing = true }
            return !state.isFollowing
        }
        if isMine { Task(executorPreference: EventLoop.shared) { [self] in await follow() } }
    }

    /// Ends the watch: nothing is told after it returns, but for what is being told.
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
            // At most one tells: the next one begins with what this one has told.
            let former = state.withLock { state in
                defer { state.stop = nil }
                return state.stop
            }
            former?()
            guard let context = thing.context(in: serving.current),
                let stop = await thing.observe(in: context, since: known, tell: { [tell] in tell($0, context) })
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
        tell(.gone, nil)
    }
}
