import Model

/// A rate limit that several processes share.
public protocol RateBudgetContract: Sendable {
    /// Takes a token for one request.
    ///
    /// - Parameter milliseconds: the maximum wait of the caller.
    /// - Returns: the wait until the request may be sent, in milliseconds. A negative number if the wait is longer than
    ///   the maximum; no token was taken then. Nil if the shared limit is unknown: only the process's own limit
    ///   applies.
    func take(_ limit: RateLimit, within milliseconds: Int) async -> Int?
}
