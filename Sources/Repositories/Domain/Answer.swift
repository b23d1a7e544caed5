import JSON
import DataSources
import System

/// What a repository answers, and all that it knows of the answer.
public struct Answer<Value: Sendable>: Sendable {
    /// Why the remote did not answer. It lies apart, so that an answer without it is small: a hit is one.
    private enum Cause: Sendable {
        case none
        indirect case failure(APIError)
    }

    /// What was asked for.
    public let value: Value
    /// Where it came from; a page: the farthest place of any of its parts.
    public let source: Source
    /// When it came from the remote.
    public let fetchedAt: Timestamp
    /// Whether it is older than it should be.
    public let isStale: Bool
    private let cause: Cause

    /// An answer.
    public init(value: Value, source: Source, fetchedAt: Timestamp, isStale: Bool, fallback: APIError?) {
        self.value = value
        self.source = source
        self.fetchedAt = fetchedAt
        self.isStale = isStale
        cause = fallback.map { .failure($0) } ?? .none
    }

    /// Why the remote did not answer, where an entry stands in for it.
    public var fallback: APIError? { if case .failure(let error) = cause { error } else { nil } }

    /// The same with a part of the value, or with another form of it.
    func map<Other>(_ transform: (Value) -> Other) -> Answer<Other> {
        Answer<Other>(
            value: transform(value), source: source, fetchedAt: fetchedAt, isStale: isStale, fallback: fallback)
    }
}

extension Answer where Value: CacheEntry {
    /// An entry as an answer.
    init(_ entry: Value, from source: Source, isStale: Bool) {
        self.init(value: entry, source: source, fetchedAt: entry.fetchedAt, isStale: isStale, fallback: nil)
    }

    /// The same in the place of what the remote did not say.
    func standingIn(for cause: APIError) -> Answer {
        Answer(value: value, source: source, fetchedAt: fetchedAt, isStale: true, fallback: cause)
    }
}
