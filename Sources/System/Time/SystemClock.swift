/// The machine's clock.
public struct SystemClock: ClockContract {
    /// The machine's clock.
    public init() {}

    /// The time now.
    public func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
