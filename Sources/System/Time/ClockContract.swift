/// Tells the time of day. Tests stand a clock of their own in its place.
public protocol ClockContract: Sendable {
    func now() -> Timestamp
}
