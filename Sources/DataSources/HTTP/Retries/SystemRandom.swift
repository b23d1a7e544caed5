/// The machine's random numbers.
public struct SystemRandom: RandomContract {
    /// The machine's random numbers.
    public init() {}

    /// A number from 0 to a limit.
    public func number(upTo limit: Int) -> Int { Int.random(in: 0...max(0, limit)) }
}
