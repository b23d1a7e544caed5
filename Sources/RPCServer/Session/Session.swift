import DataSources
import Synchronization
import System

/// One conversation: what belongs to a client, and to no other. What it is answered with belongs to the process.
package final class Session: Sendable {
    let lifecycle = Lifecycle()
    let trace = Trace()
    let pending = PendingRequests()
    let observers = Observers()
    let mcp = MCPSession()
    /// What answers it now.
    let serving: CurrentServing
    /// The processes whose end is to end the session; each is watched once, however often `initialize` names it.
    private let watched = Lock<Set<pid_t>>([])
    private let onWatch: @Sendable (Session, Int32) -> Void

    /// A conversation that has not begun.
    ///
    /// - Parameter onWatch: called once with each process whose end is to end this one.
    init(_ serving: CurrentServing, onWatch: @escaping @Sendable (Session, Int32) -> Void = { _, _ in }) {
        self.serving = serving
        self.onWatch = onWatch
        serving.whenReplaced { [weak self] in
            self?.observers.followServing()
            self?.mcp.followServing()
        }
    }

    /// Stops what must not be sent after the end of the input.
    func endNotifications() {
        mcp.endListening()
        pending.endProgressAfterInput()
    }

    /// The client names a process whose end is to end the session.
    func watch(_ process: Int) {
        guard let process = pid_t(exactly: process), watched.withLock({ $0.insert(process).inserted }) else { return }
        onWatch(self, process)
    }
}

/// Where a session stands (as in LSP: after `shutdown` only `exit` is heard).
final class Lifecycle: Sendable {
    private let shutDown = Atomic<Bool>(false)
    private let exiting = Atomic<Bool>(false)

    /// Whether `shutdown` has come.
    var isShutDown: Bool { shutDown.load(ordering: .relaxed) }
    /// Whether `exit` has come.
    var isExiting: Bool { exiting.load(ordering: .relaxed) }
    /// 0 after `shutdown`, else 1.
    var exitCode: Int32 { isShutDown ? 0 : 1 }

    func beginShutdown() { shutDown.store(true, ordering: .relaxed) }
    func beginExit() { exiting.store(true, ordering: .relaxed) }
}
