import System

/// A circuit breaker for a Redis server. It determines the pause before the next connection attempt. There is no pause
/// after the first failure. From the second failure on, each pause is twice as long as the one before.
package struct CircuitBreaker: Equatable {
    /// The number of consecutive failures that open the breaker.
    static let maxFailures = 2
    /// The range of pauses in milliseconds, from the first to the maximum.
    package static let pauses = 1000...60_000

    private var failures = 0
    private var lastPause = 0

    /// Records a failure. Returns the pause before the next attempt, in milliseconds.
    ///
    /// - Parameter isRefusal: whether an immediate retry is useless, because the server refused the connection or is
    ///   too slow.
    mutating func fail(isRefusal: Bool = false) -> Milliseconds {
        failures = min(Self.maxFailures, failures + 1)
        guard failures == Self.maxFailures || isRefusal else { return 0 }
        failures = Self.maxFailures
        lastPause = max(Self.pauses.lowerBound, min(2 * lastPause, Self.pauses.upperBound))
        return lastPause
    }

    /// Records that the server answered a command. This resets the breaker.
    mutating func succeed() { self = CircuitBreaker() }
}
