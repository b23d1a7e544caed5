import System

/// A circuit breaker for a Redis server. It determines the pause before the next connection attempt.
///
/// There is no pause after the first failure. The second failure causes the shortest pause, and each later failure
/// doubles the pause.
package struct CircuitBreaker: Equatable {
    /// The number of consecutive failures after which Larder pauses before the next connection attempt.
    static let maxFailures = 2
    /// The shortest and the longest pause between two connection attempts, in milliseconds.
    package static let pauses = 1000...60_000

    private var failures = 0
    private var lastPause = 0

    /// Records a failure. Returns the pause before the next connection attempt, in milliseconds.
    ///
    /// - Parameter opensAtOnce: whether even the first failure causes a pause, because an immediate retry would be
    ///   useless. An example is a refused connection.
    mutating func fail(opensAtOnce: Bool = false) -> Milliseconds {
        failures = min(Self.maxFailures, failures + 1)
        guard failures == Self.maxFailures || opensAtOnce else { return 0 }
        failures = Self.maxFailures
        lastPause = max(Self.pauses.lowerBound, min(2 * lastPause, Self.pauses.upperBound))
        return lastPause
    }

    /// Resets the failures and the pause, because the server has answered a command.
    mutating func succeed() { self = CircuitBreaker() }
}
