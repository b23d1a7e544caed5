import Synchronization

/// The counters of requests to all APIs.
public final class RemoteCounters: Sendable {
    private let requests = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)
    private let retries = Atomic<Int>(0)
    private let notModified = Atomic<Int>(0)

    /// The values of the request counters at one moment.
    public struct Statistics: Equatable, Sendable {
        /// The number of requests that were sent to APIs. Each retry counts as another request.
        public let requests: Int
        /// The number of failed requests. A request fails if no complete answer arrives, the status is 500 or more, or
        /// an error rule matches the answer.
        public let failures: Int
        /// The number of requests that were retries.
        public let retries: Int
        /// The number of answers that confirmed a cached entry (status 304).
        public let notModified: Int
    }

    /// Creates counters that start at 0.
    public init() {}

    public var statistics: Statistics {
        Statistics(
            requests: requests.load(ordering: .relaxed), failures: failures.load(ordering: .relaxed),
            retries: retries.load(ordering: .relaxed), notModified: notModified.load(ordering: .relaxed))
    }

    func countRequest() { requests.add(1, ordering: .relaxed) }
    func countFailure() { failures.add(1, ordering: .relaxed) }
    func countRetry() { retries.add(1, ordering: .relaxed) }
    func countNotModified() { notModified.add(1, ordering: .relaxed) }
}
