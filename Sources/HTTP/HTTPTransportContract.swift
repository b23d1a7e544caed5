/// Makes one exchange for a request: it holds none back and repeats none.
public protocol HTTPTransportContract: HTTPClientContract {
    /// Sends a request and waits for the whole answer. Cancelling the task aborts the exchange.
    ///
    /// - Parameter deadline: when it must be over, in milliseconds of the monotonic clock. The request's `timeout` only
    ///   says what an error names.
    /// - Throws: `HTTPError` when no complete answer came; `.cancelled` when the task was cancelled.
    func send(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> HTTPResponse
}
