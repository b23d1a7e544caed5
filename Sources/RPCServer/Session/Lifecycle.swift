import Synchronization

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
