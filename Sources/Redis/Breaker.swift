/// Says when a server is tried again that has failed: once at once, and then after pauses that double.
package struct Breaker: Equatable {
    /// After how many failures in a row it opens.
    static let limit = 2
    /// The first pause and the longest, in milliseconds.
    package static let pauses = 1000...60_000

    private var failures = 0
    private var lastPause = 0

    /// Takes a failure. Returns how many milliseconds the server is left alone for.
    ///
    /// - Parameter isRefusal: whether another try at once is of no use: the server refuses, or has taken too long.
    mutating func fail(isRefusal: Bool = false) -> Int {
        failures = min(Self.limit, failures + 1)
        guard failures == Self.limit || isRefusal else { return 0 }
        failures = Self.limit
        lastPause = max(Self.pauses.lowerBound, min(2 * lastPause, Self.pauses.upperBound))
        return lastPause
    }

    /// A command was answered.
    mutating func succeed() { self = Breaker() }
}
