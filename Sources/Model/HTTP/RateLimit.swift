import System

/// The rate limit of an API: a maximum number of requests per period.
public struct RateLimit: Equatable, Sendable {
    /// The maximum number of requests per period.
    public let requests: Int
    /// The length of the period, in milliseconds.
    public let per: Milliseconds

    /// Creates a limit. `requests` and `per` must be greater than 0.
    public init(requests: Int, per: Milliseconds) {
        self.requests = requests
        self.per = per
    }
}
