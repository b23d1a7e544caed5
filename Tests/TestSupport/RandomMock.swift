import System

/// Draws the largest number that it may, or what it was told, and keeps the limits that it was given.
public final class RandomMock: Sendable {
    private let fixed: Int?
    private let asked = Lock<[Int]>([])

    /// A mock that draws the limit, or this number where that is smaller.
    public init(_ fixed: Int? = nil) { self.fixed = fixed }

    /// The limits so far.
    public var limits: [Int] { asked.withLock { $0 } }

    /// The number that was fixed, or the limit.
    public func number(upTo limit: Int) -> Int {
        asked.withLock { $0.append(limit) }
        return min(fixed ?? limit, limit)
    }
}
