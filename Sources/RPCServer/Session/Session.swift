import DataSources
import Synchronization
import System

/// The state of the connection to one client. A session does not contain the state of the process, such as the cache.
package final class Session: Sendable {
    let lifecycle = Lifecycle()
    let trace = Trace()
    let pending = PendingRequests()
    let observers = Observers()
    let mcp = MCPSession()
    /// The catalog that the server uses now.
    let serving: CurrentCatalog
    /// The ids of the watched processes, so that several `initialize` requests start only one watch of a process.
    private let watched = Lock<Set<pid_t>>([])
    private let onWatch: @Sendable (Session, Int32) -> Void

    /// Creates a session for a new client.
    ///
    /// - Parameter onWatch: a closure that gets the id of each process whose exit must end the session.
    init(_ serving: CurrentCatalog, onWatch: @escaping @Sendable (Session, Int32) -> Void = { _, _ in }) {
        self.serving = serving
        self.onWatch = onWatch
        serving.whenReplaced { [weak self] in
            self?.observers.followCatalog()
            self?.mcp.followCatalog()
        }
    }

    /// Stops the notifications that the client's protocol forbids after the end of the input.
    func endNotifications() {
        mcp.endListening()
        pending.endProgressAfterInput()
    }

    /// Watches a process, usually the client. The exit of the process ends the session.
    ///
    /// - Parameter process: the process id from the client's `initialize` request.
    func watch(_ process: Int) {
        guard let process = pid_t(exactly: process), watched.withLock({ $0.insert(process).inserted }) else { return }
        onWatch(self, process)
    }
}

/// The shutdown state of a session. After `shutdown`, the session accepts no further request, as in LSP.
final class Lifecycle: Sendable {
    private let shutDown = Atomic<Bool>(false)
    private let exiting = Atomic<Bool>(false)

    /// Whether the client has sent `shutdown`.
    var isShutDown: Bool { shutDown.load(ordering: .relaxed) }
    /// Whether the client has sent `exit`.
    var isExiting: Bool { exiting.load(ordering: .relaxed) }
    /// The process's exit code after `exit`: 0 if `shutdown` came before `exit`, otherwise 1.
    var exitCode: Int32 { isShutDown ? 0 : 1 }

    func beginShutdown() { shutDown.store(true, ordering: .relaxed) }
    func beginExit() { exiting.store(true, ordering: .relaxed) }
}
