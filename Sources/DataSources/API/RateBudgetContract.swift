import Model

/// A rate limit that several processes keep to together.
public protocol RateBudgetContract: Sendable {
    /// Takes a place for one request.
    ///
    /// - Parameter milliseconds: the longest wait that is of use.
    /// - Returns: in how many milliseconds the request may be made; with a minus where that is longer, and no place was
    ///   taken; nil where nobody can tell, so that the process's own limit alone holds.
    func take(_ limit: RateLimit, within milliseconds: Int) async -> Int?
}
