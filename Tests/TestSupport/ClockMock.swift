import System

/// A clock that stands until it is set.
public final class ClockMock: ClockContract {
    private let time: Lock<Timestamp>

    /// A clock that stands at a moment, by default 2026-01-31T09:05:00.250Z.
    public init(_ time: Timestamp = Timestamp(milliseconds: 1_769_850_300_250)) { self.time = Lock(time) }

    /// The time it was set to.
    public func now() -> Timestamp { time.withLock { $0 } }

    /// Sets the clock.
    public func set(_ time: Timestamp) { self.time.withLock { $0 = time } }

    /// Moves the clock on.
    public func advance(milliseconds: Int64) {
        time.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + milliseconds) }
    }
}
