/// Sends requests over HTTP. Any complete answer is a success here, whatever its status.
public protocol HTTPClientContract: Sendable {
    /// Sends a request, or several until one succeeds, and waits for the whole answer, for at most the request's
    /// `timeout`. Cancelling the task aborts the transfer.
    ///
    /// - Throws: `HTTPError` when no complete answer came; `.cancelled` when the task was cancelled.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}
