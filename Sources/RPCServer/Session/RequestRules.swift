import Protocol

/// The rules of a protocol dialect for requests in flight.
struct RequestRules: Equatable, Sendable {
    /// Whether a request that its client cancels gets an error reply. A cancel message in one dialect does not affect
    /// requests of a dialect with the other rule.
    var answersCancellation = true
    /// Whether progress notifications may be sent after the end of the input.
    var reportsAfterInput = true

    /// Returns the error for a reply in this dialect. LSP defines the code of a cancelled request. Other dialects must
    /// not use it: it is in the range that JSON-RPC reserves.
    func error(_ error: RPCError) -> RPCError {
        guard !answersCancellation, error.code == .requestCancelled else { return error }
        return RPCError(.internalError, error.message, data: error.data)
    }
}
