/// Sends HTTP requests without retries and rate limits: exactly one exchange per request.
public protocol HTTPTransportContract: HTTPClientContract {
    /// Sends a request and returns the complete answer. Cancelling the task aborts the exchange.
    ///
    /// - Parameter deadline: the deadline as monotonic time in milliseconds. The request's `timeout` only appears in
    ///   error messages.
    /// - Throws: `HTTPError` if no complete answer arrived; `.cancelled` if the task was cancelled.
    func send(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> HTTPResponse
}
