/// Measures time and lets it pass. Tests stand a timer of their own in its place.
public protocol TimerContract: Sendable {
    /// Milliseconds since some moment of the past; it never jumps.
    var milliseconds: Int { get }

    /// Waits so long.
    ///
    /// - Throws: `CancellationError`, at once when the task is cancelled.
    func sleep(milliseconds: Int) async throws(CancellationError)

    /// Calls back in so many milliseconds.
    func run(after milliseconds: Int, _ body: @escaping @Sendable () -> Void)
}
