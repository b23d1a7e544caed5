import Protocol

/// The rules for unanswered requests. Each dialect of the wire has its own rules.
struct RequestRules: Equatable, Sendable {
    /// Whether the server answers a cancelled request with an error. A cancel message affects only the requests of
    /// dialects with the same value.
    var answersCancellation = true
    /// Whether the server may send progress notifications after the end of the input.
    var reportsAfterInput = true

    /// Returns an error with a code that the dialect allows. The code for a cancelled request comes from LSP. A dialect
    /// without this code uses the code for an internal error.
    func error(_ error: RPCError) -> RPCError {
        guard !answersCancellation, error.code == .requestCancelled else { return error }
        return RPCError(.internalError, error.message, data: error.data)
    }
}
