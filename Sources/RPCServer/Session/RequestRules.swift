/// The rules of a protocol dialect for requests in flight.
struct RequestRules: Equatable, Sendable {
    /// Whether a request that its client cancels gets an error reply. A cancel message in one dialect does not affect
    /// requests of a dialect with the other rule.
    var answersCancellation = true
    /// Whether progress notifications may be sent after the end of the input.
    var reportsAfterInput = true
}
