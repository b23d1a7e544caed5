/// A timer that measures time and waits. Tests replace it.
public protocol TimerContract: Sendable {
    /// The milliseconds of a monotonic clock, counted from an arbitrary moment.
    var milliseconds: Milliseconds { get }

    /// Suspends the task for a number of milliseconds.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(milliseconds: Milliseconds) async throws(CancellationError)

    /// Calls `body` after a number of milliseconds.
    func run(after milliseconds: Milliseconds, _ body: @escaping @Sendable () -> Void)
}
