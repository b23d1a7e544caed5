import Synchronization

/// How often remotes were asked.
public final class RemoteCounters: Sendable {
    private let requests = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)
    private let retries = Atomic<Int>(0)
    private let notModified = Atomic<Int>(0)

    /// The numbers at one moment.
    public struct Statistics: Equatable, Sendable {
        /// Requests that went out, each try counted.
        public let requests: Int
        /// Requests without a complete answer, or with a status of 500 or more.
        public let failures: Int
        /// Requests that repeated one that had failed.
        public let retries: Int
        /// Answers that confirmed what was cached (status 304).
        public let notModified: Int
    }

    /// Nothing counted.
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
