import DataSources
import System

/// An item that memory alone answers with. It knows less than an `Answer`, and costs less.
public struct MemoryHit: Equatable, Sendable {
    /// The item as one JSON object.
    public let json: [UInt8]
    /// When it came from the remote.
    public let fetchedAt: Timestamp
    /// Whether it is older than it should be.
    public let isStale: Bool

    /// A hit.
    public init(json: [UInt8], fetchedAt: Timestamp, isStale: Bool) {
        self.json = json
        self.fetchedAt = fetchedAt
        self.isStale = isStale
    }
}
