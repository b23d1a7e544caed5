import System

/// A clock whose time changes only when a test sets it.
public final class ClockMock: ClockContract {
    private let time: Lock<Timestamp>

    /// Creates a clock. The default time is 2026-01-31T09:05:00.250Z.
    public init(_ time: Timestamp = Timestamp(milliseconds: 1_769_850_300_250)) { self.time = Lock(time) }

    /// Returns the time that was set last.
    public func now() -> Timestamp { time.withLock { $0 } }

    public func set(_ time: Timestamp) { self.time.withLock { $0 = time } }

    /// Adds to the clock's time.
    public func advance(milliseconds: Int64) {
        time.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + milliseconds) }
    }
}
