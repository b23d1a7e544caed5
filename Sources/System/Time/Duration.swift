extension Duration {
    /// A limit that never passes: about 31 years.
    package static let unlimited = Duration.seconds(1_000_000_000)

    /// The duration in whole milliseconds, rounded up. It is between 0 and `unlimited`.
    package var milliseconds: Milliseconds {
        Int((Swift.max(.zero, Swift.min(self, .unlimited)) / .milliseconds(1)).rounded(.up))
    }
}

/// A time span in whole milliseconds. The wire, the catalog and hot paths use it; all other code uses `Duration`.
public typealias Milliseconds = Int
