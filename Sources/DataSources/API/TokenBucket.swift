import Model

/// A rate limit: so many requests in so many milliseconds. The tokens for them come back one by one, and no more are
/// kept than one period brings: that many requests may be made at once.
struct TokenBucket {
    /// What stands for any longer wait, in milliseconds: over 30,000 years.
    private static let longest = 1e15

    let limit: RateLimit
    /// A token has this many parts: as many parts come back each millisecond as the limit has requests. So no time is
    /// lost to rounding. They are floating-point numbers because they cannot overflow.
    private let size: Double
    private var parts: Double
    private var time: Int

    init(_ limit: RateLimit, at time: Int) {
        self.limit = limit
        self.time = time
        size = Double(limit.per)
        parts = size * Double(limit.requests)
    }

    /// In how many milliseconds there are so many tokens; 0 where they are there.
    func wait(for count: Int, at now: Int) -> Int {
        let missing = size * Double(count) - filled(at: now)
        return missing <= 0 ? 0 : Int(min((missing / Double(limit.requests)).rounded(.up), Self.longest))
    }

    /// Takes a token if there is one.
    ///
    /// - Returns: 0, or in how many milliseconds there will be one.
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
