import Model
import System

/// A rate limit that several processes share.
public protocol RateBudgetContract: Sendable {
    /// Takes a token for one request from the rate limit's bucket.
    ///
    /// - Parameter milliseconds: the maximum wait of the caller, in milliseconds.
    /// - Returns: the wait until the request may be sent, in milliseconds. If the caller cannot wait this long, takes
    ///   no token and returns the wait as a negative number. Nil if the shared limit cannot be read; only the process's
    ///   own limit then applies.
    func take(_ limit: RateLimit, within milliseconds: Milliseconds) async -> Milliseconds?
}
