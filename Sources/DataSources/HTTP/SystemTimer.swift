import System

/// The machine's timer.
public struct SystemTimer: TimerContract {
    /// The machine's timer.
    public init() {}

    /// Milliseconds of the machine's monotonic clock.
    public var milliseconds: Int { Monotonic.milliseconds }

    /// Waits so long, without a thread.
    public func sleep(milliseconds: Int) async throws(CancellationError) {
        try await EventLoop.shared.sleep(milliseconds: milliseconds)
    }
}
