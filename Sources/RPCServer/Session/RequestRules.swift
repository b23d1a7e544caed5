/// The rules of a dialect for requests that are under way.
struct RequestRules: Equatable, Sendable {
    /// Whether a request that its client cancels gets an error as its reply. A dialect cancels only requests that have
    /// its own rule.
    var answersCancellation = true
    /// Whether progress may be sent after the end of the input.
    var reportsAfterInput = true
}
