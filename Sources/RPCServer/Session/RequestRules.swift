import Protocol

/// The rules of a protocol dialect for requests in flight.
struct RequestRules: Equatable, Sendable {
    /// Whether the server answers a cancelled request with an error. A cancel message only affects requests of dialects
    /// that have the same rule as its own dialect.
    var answersCancellation = true
    /// Whether the server may send progress notifications after the end of the input.
    var reportsAfterInput = true

    /// Returns the error for a reply in this dialect. The error code of LSP for a cancelled request must not appear in
    /// other dialects, because JSON-RPC reserves its range.
    func error(_ error: RPCError) -> RPCError {
        guard !answersCancellation, error.code == .requestCancelled else { return error }
        return RPCError(.internalError, error.message, data: error.data)
    }
}
