import Protocol

/// The rules of a dialect (protocol) for requests that have no answer yet.
struct RequestRules: Equatable, Sendable {
    /// Whether the server answers a cancelled request with an error; if false, the server sends no reply. The value
    /// also identifies the dialect of a request, because a cancel message affects only requests of its own dialect.
    var answersCancellation = true
    /// Whether the server may send progress notifications after the end of the input.
    var reportsAfterInput = true

    /// Returns the error to send to the client. If the dialect has no code for a cancelled request, the code becomes
    /// that of an internal error.
    func error(_ error: RPCError) -> RPCError {
        guard !answersCancellation, error.code == .requestCancelled else { return error }
        return RPCError(.internalError, error.message, data: error.data)
    }
}
