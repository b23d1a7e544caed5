/// One conversation: what belongs to a client, and to no other. What it is answered with belongs to the process.
final class Session: Sendable {
    let lifecycle = Lifecycle()
    let trace = Trace()
    let pending = PendingRequests()
    let observers = Observers()
    /// What answers it now.
    let serving: CurrentServing
    private let watchedProcesses = WatchedProcesses()
    private let onWatch: @Sendable (Session, Int32) -> Void

    /// A conversation that has not begun.
    ///
    /// - Parameter onWatch: called once with each process whose end is to end this one.
    init(_ serving: CurrentServing, onWatch: @escaping @Sendable (Session, Int32) -> Void = { _, _ in }) {
        self.serving = serving
        self.onWatch = onWatch
    }

    /// The client names a process whose end is to end the session.
    func watch(_ process: Int) {
        guard let process = Int32(exactly: process), watchedProcesses.insert(process) else { return }
        onWatch(self, process)
    }
}
