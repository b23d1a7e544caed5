import Protocol

/// The rules of a protocol dialect for requests in flight.
struct RequestRules: Equatable, Sendable {
    /// Whether the server answers a cancelled request with an error. A cancel message affects only requests whose
    /// dialect has the same value as the dialect of the cancel message.
    var answersCancellation = true
    /// Whether the server may send progress notifications after the end of the input.
    var reportsAfterInput = true

    /// Returns the error for a reply in this dialect. Replaces LSP's error code for a cancelled request in other
    /// dialects, because this code is in the range that JSON-RPC reserves.
    func error(_ error: RPCError) -> RPCError {
        guard !answersCancellation, error.code == .requestCancelled else { return error }
        return RPCError(.internalError, error.message, data: error.data)
    }
}
