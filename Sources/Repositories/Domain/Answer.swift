import DataSources
import JSON
import System

/// Where an answer came from, nearest first.
public enum Source: Int, Comparable, CaseIterable, Sendable {
    case memory, persistence, remote

    /// The order of distance.
    public static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
}

/// What a repository answers, and all that it knows of the answer.
public struct Answer<Value: Sendable>: Sendable {
    /// What was asked for.
    public let value: Value
    /// Where it came from; a page: the farthest place of any of its parts.
    public let source: Source
    /// When it came from the remote.
    public let fetchedAt: Timestamp
    /// Whether it is older than it should be.
    public let isStale: Bool
    /// Why the remote did not answer, where an entry stands in for it.
    public let fallback: APIError?

    /// An answer.
    public init(value: Value, source: Source, fetchedAt: Timestamp, isStale: Bool, fallback: APIError?) {
        self.value = value
        self.source = source
        self.fetchedAt = fetchedAt
        self.isStale = isStale
        self.fallback = fallback
    }

    func map<Other>(_ transform: (Value) -> Other) -> Answer<Other> {
        Answer<Other>(
            value: transform(value), source: source, fetchedAt: fetchedAt, isStale: isStale, fallback: fallback)
    }
}

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

/// A page as bytes: its items and its info as JSON.
public struct PageBytes: Equatable, Sendable {
    /// The items, each one JSON object.
    public let items: JSONTexts
    /// `{"current", "pages", "count", "next", "previous"}`.
    public let info: [UInt8]

    /// A page.
    public init(items: JSONTexts, info: [UInt8]) {
        self.items = items
        self.info = info
    }
}

/// Several items at once.
public struct ManyAnswer: Sendable {
    /// The items that there are, in the order asked, each one JSON object.
    public let items: [[UInt8]]
    /// The ids for which there is none.
    public let missing: [String]
    /// Where the items came from.
    public let sources: [Source: Int]
    /// Why the remote did not answer, where entries stand in for it.
    public let fallback: APIError?

    /// An answer.
    public init(items: [[UInt8]], missing: [String], sources: [Source: Int], fallback: APIError?) {
        self.items = items
        self.missing = missing
        self.sources = sources
        self.fallback = fallback
    }
}
