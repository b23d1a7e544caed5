import Synchronization

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
            return response
        } catch {
            counters.countFailure()
            throw error
        }
    }
}

/// How often remotes were asked.
public final class RemoteCounters: Sendable {
    private let requests = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)

    /// The numbers at one moment.
    public struct Statistics: Equatable, Sendable {
        /// Requests that went out.
        public let requests: Int
        /// Requests without a complete answer, or with a status of 500 or more.
        public let failures: Int
    }

    /// Nothing counted.
    public init() {}

    /// The numbers now.
    public var statistics: Statistics {
        Statistics(requests: requests.load(ordering: .relaxed), failures: failures.load(ordering: .relaxed))
    }

    func countRequest() { requests.add(1, ordering: .relaxed) }
    func countFailure() { failures.add(1, ordering: .relaxed) }
}
