/// Counts the requests that go out.
public struct CountingHTTPClient: HTTPClientContract {
    private let client: any HTTPClientContract
    private let counters: RemoteCounters

    /// A client that counts what another one sends.
    public init(_ client: any HTTPClientContract, counters: RemoteCounters) {
        self.client = client
        self.counters = counters
    }

    /// Sends a request. No complete answer, and a status of 500 or more, is a failure.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        counters.countRequest()
        do throws(HTTPError) {
            let response = try await client.send(request)
            if response.status >= 500 { counters.countFailure() }
            if response.status == 304, request.isConditional { counters.countNotModified() }
            return response
        } catch {
            counters.countFailure()
            throw error
        }
    }
}
