/// A dialect's rules for requests in flight.
struct RequestRules: Equatable, Sendable {
    /// Whether a request that its client cancels gets an error reply. A dialect's cancellation affects only requests
    /// with the same rule.
    var answersCancellation = true
    /// Whether progress may be sent after the end of the input.
    var reportsAfterInput = true
}
