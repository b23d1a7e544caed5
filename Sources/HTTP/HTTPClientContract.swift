/// An HTTP client that returns every complete answer, even one with an error status.
public protocol HTTPClientContract: Sendable {
    /// Sends a request and returns the complete answer. Implementations may retry within the request's `timeout`.
    /// Cancelling the task aborts the transfer.
    ///
    /// - Throws: `HTTPError` if no complete answer arrived; `.cancelled` if the task was cancelled.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}
