import Model

/// A token bucket that enforces a rate limit. Each request takes a token. Tokens return one by one, at the rate of the
/// limit, up to the number of requests in one period.
struct TokenBucket {
    /// The maximum wait that is returned, in milliseconds: over 30,000 years.
    private static let maxWait = 1e15

    let limit: RateLimit
    /// The number of parts of a token. Each millisecond, as many parts return as the limit has requests, so that no
    /// time is lost to rounding. Floating-point numbers cannot overflow.
    private let size: Double
    private var parts: Double
    private var time: Int

    init(_ limit: RateLimit, at time: Int) {
        self.limit = limit
        self.time = time
        size = Double(limit.per)
        parts = size * Double(limit.requests)
    }

    /// Returns the time until the bucket has `count` tokens, in milliseconds.
    func wait(for count: Int, at now: Int) -> Int {
        let missing = size * Double(count) - filled(at: now)
        return missing <= 0 ? 0 : Int(min((missing / Double(limit.requests)).rounded(.up), Self.maxWait))
    }

    /// Takes a token if there is one.
    ///
    /// - Returns: 0 if a token was taken; otherwise the time until there is one, in milliseconds.
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
