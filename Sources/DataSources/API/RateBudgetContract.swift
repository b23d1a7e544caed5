import Model
import System

/// A rate limit that several processes share.
public protocol RateBudgetContract: Sendable {
    /// Takes a token for one request.
    ///
    /// - Parameter milliseconds: the maximum wait of the caller.
    /// - Returns: the wait until the request may be sent, in milliseconds. If that wait is longer than the maximum, no
    ///   token is taken and the wait is returned as a negative number. Nil if the shared limit cannot be read; only the
    ///   process's own limit applies then.
    func take(_ limit: RateLimit, within milliseconds: Milliseconds) async -> Milliseconds?
}
