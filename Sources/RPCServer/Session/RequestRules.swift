import Protocol

/// The rules of a dialect (protocol) for requests that have no answer yet.
struct RequestRules: Equatable, Sendable {
    /// Whether the server answers a cancelled request with an error. If false, the server sends no reply.
    ///
    /// The value is true in the native dialect, and false in another dialect. The handler of `$/cancelRequest` compares
    /// this value, so that it cancels only requests of its own dialect.
    var answersCancellation = true
    /// Whether the server may send progress notifications after the end of the input.
    var reportsAfterInput = true

    /// Returns the error to send to the client. If the dialect sends no reply to a cancelled request, it does not
    /// define the code `requestCancelled`, so `internalError` replaces this code. Other errors stay unchanged.
    func error(_ error: RPCError) -> RPCError {
        guard !answersCancellation, error.code == .requestCancelled else { return error }
        return RPCError(.internalError, error.message, data: error.data)
    }
}
