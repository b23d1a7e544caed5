import Model

/// A token bucket that enforces a rate limit. Each request takes a token. The bucket refills at the rate of the limit,
/// up to the number of requests that the limit allows per period.
struct TokenBucket {
    /// The upper limit of the waits that the bucket returns, in milliseconds. It prevents an overflow of `Int`.
    private static let maxWait = 1e15

    let limit: RateLimit
    /// The number of `parts` that make up one token. It equals the period of the rate limit in milliseconds.
    // Each millisecond then adds a whole number of parts: the number of requests per period. A `Double` cannot
    // overflow.
    private let size: Double
    private var parts: Double
    private var time: Int

    init(_ limit: RateLimit, at time: Int) {
        self.limit = limit
        self.time = time
        size = Double(limit.per)
        parts = size * Double(limit.requests)
    }

    /// Returns the time until the bucket contains `count` tokens, in milliseconds.
    func wait(for count: Int, at now: Int) -> Int {
        let missing = size * Double(count) - filled(at: now)
        return missing <= 0 ? 0 : Int(min((missing / Double(limit.requests)).rounded(.up), Self.maxWait))
    }

    /// Takes a token if the bucket contains one.
    ///
    /// - Returns: 0 if a token was taken; otherwise the time until the bucket contains one, in milliseconds.
    mutating func take(at now: Int) -> Int {
        let wait = wait(for: 1, at: now)
        guard wait == 0 else { return wait }
        parts = filled(at: now) - size
        time = now
        return 0
    }

    private func filled(at now: Int) -> Double {
        min(parts + Double(max(0, now - time)) * Double(limit.requests), size * Double(limit.requests))
    }
}
