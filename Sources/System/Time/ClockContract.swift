/// A clock for the time of day. Tests replace it.
public protocol ClockContract: Sendable {
    func now() -> Timestamp
}
