/// An HTTP client without retries and rate limits. Each request is exactly one exchange.
public protocol HTTPTransportContract: HTTPClientContract {
    /// Sends a request and returns the complete answer. Cancelling the task aborts the exchange.
    ///
    /// - Parameter deadline: the time at which the request fails, as monotonic time in milliseconds. The request's
    ///   `timeout` appears only in the error message.
    /// - Throws: `HTTPError` if no complete answer arrived; `.cancelled` if the task was cancelled.
    func send(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> HTTPResponse
}
