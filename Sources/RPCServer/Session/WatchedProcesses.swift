import DataSources
import System

/// The processes whose end ends this one: each is watched once, however often `initialize` names it.
final class WatchedProcesses: Sendable {
    private let known = Lock<Set<pid_t>>([])

    /// Notes a process. Returns whether it was not noted before.
    func insert(_ process: pid_t) -> Bool { known.withLock { $0.insert(process).inserted } }
}
