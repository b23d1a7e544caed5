/// A clock for the current time. Tests can use a substitute.
public protocol ClockContract: Sendable {
    func now() -> Timestamp
}
