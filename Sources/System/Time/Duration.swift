extension Duration {
    /// The duration that means "no limit": about 32 years.
    package static let unlimited = Duration.seconds(1_000_000_000)

    /// The duration in whole milliseconds, rounded up. The value is between 0 and `unlimited`.
    package var milliseconds: Milliseconds {
        Int((Swift.max(.zero, Swift.min(self, .unlimited)) / .milliseconds(1)).rounded(.up))
    }
}

/// A time span in whole milliseconds. JSON-RPC messages, the catalog and performance-critical code use this type; all
/// other code uses `Duration`.
public typealias Milliseconds = Int
