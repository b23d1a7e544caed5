import Protocol

/// The rules of a dialect (protocol) for cancelled requests and for progress notifications.
struct RequestRules: Equatable, Sendable {
    /// Whether the server answers a cancelled request with an error. If false, the server sends no reply.
    ///
    /// True only for requests in the native dialect. `$/cancelRequest` cancels only these requests.
    var answersCancellation = true
    /// Whether the server may send progress notifications after the end of the input.
    var reportsAfterInput = true

    /// Returns the error to send to the client. If `answersCancellation` is false, the client's dialect does not define
    /// the code `requestCancelled`, so the function replaces it by `internalError`. All other errors stay unchanged.
    // A request can fail with this code although the client has not cancelled it, for example when the server exits.
    func error(_ error: RPCError) -> RPCError {
        guard !answersCancellation, error.code == .requestCancelled else { return error }
        return RPCError(.internalError, error.message, data: error.data)
    }
}
