import Protocol

/// The rules of a protocol dialect for requests in flight.
struct RequestRules: Equatable, Sendable {
    /// Whether the server answers a cancelled request with an error. Only a cancel message of a dialect with the same
    /// value affects the request.
    var answersCancellation = true
    /// Whether the server may send progress notifications after the end of the input.
    var reportsAfterInput = true

    /// Returns an error with a code that this dialect allows. JSON-RPC reserves LSP's code for a cancelled request, so
    /// other dialects use a different code.
    func error(_ error: RPCError) -> RPCError {
        guard !answersCancellation, error.code == .requestCancelled else { return error }
        return RPCError(.internalError, error.message, data: error.data)
    }
}
