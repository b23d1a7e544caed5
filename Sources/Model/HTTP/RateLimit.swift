/// The rate limit of an API: a number of requests in a period.
public struct RateLimit: Equatable, Sendable {
    /// The number of requests.
    public let requests: Int
    /// The period, in milliseconds.
    public let per: Int

    /// Both numbers are over 0.
    public init(requests: Int, per: Int) {
        self.requests = requests
        self.per = per
    }
}
