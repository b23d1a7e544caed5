/// A monotonic clock with timers. Tests can use a substitute.
public protocol TimerContract: Sendable {
    /// The current time of a monotonic clock, in milliseconds after an arbitrary moment.
    var milliseconds: Milliseconds { get }

    /// Suspends the task for a number of milliseconds.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(milliseconds: Milliseconds) async throws(CancellationError)

    /// Calls `body` after a number of milliseconds.
    func run(after milliseconds: Milliseconds, _ body: @escaping @Sendable () -> Void)
}
