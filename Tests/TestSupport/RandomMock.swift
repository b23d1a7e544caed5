import System

/// A random number source with a fixed result. It records the limits of all calls.
public final class RandomMock: Sendable {
    private let fixed: Int?
    private let asked = Lock<[Int]>([])

    /// Creates a source that returns `fixed`, or the limit if `fixed` is nil or larger.
    public init(_ fixed: Int? = nil) { self.fixed = fixed }

    /// The limits of the calls so far.
    public var limits: [Int] { asked.withLock { $0 } }

    /// Returns the fixed number or the limit, and records the limit.
    public func number(upTo limit: Int) -> Int {
        asked.withLock { $0.append(limit) }
        return min(fixed ?? limit, limit)
    }
}
