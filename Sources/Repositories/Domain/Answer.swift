import DataSources
import JSON
import Model
import System

/// The remote's error. It is stored in a box, so that an answer without an error, such as a hit, is small.
private enum Cause: Sendable {
    case none
    indirect case failure(APIError)
}

/// A repository's answer, with its source and its age.
public struct Answer<Value: Sendable>: Sendable {
    /// The requested item, items or page.
    public let value: Value
    /// The level or remote that the value came from. For a page with separately fetched items: the slowest source of
    /// the page and its items.
    public let source: Source
    /// The time at which the remote returned the value.
    public let fetchedAt: Timestamp
    /// Whether the value is no longer fresh.
    public let isStale: Bool
    private let cause: Cause

    public init(value: Value, source: Source, fetchedAt: Timestamp, isStale: Bool, fallback: APIError?) {
        self.value = value
        self.source = source
        self.fetchedAt = fetchedAt
        self.isStale = isStale
        cause = fallback.map { .failure($0) } ?? .none
    }

    private init(value: Value, source: Source, fetchedAt: Timestamp, isStale: Bool, cause: Cause) {
        self.value = value
        self.source = source
        self.fetchedAt = fetchedAt
        self.isStale = isStale
        self.cause = cause
    }

    /// The remote's error, if a cached entry is returned because of it.
    public var fallback: APIError? { if case .failure(let error) = cause { error } else { nil } }

    /// Returns the page with its items replaced by complete items. The source is the slowest source of the page and the
    /// items.
    func with(_ whole: BatchAnswer) -> Answer<Page> where Value == Page {
        Answer<Page>(
            value: value.with(whole), source: max(source, whole.sources.keys.max() ?? source), fetchedAt: fetchedAt,
            isStale: isStale || whole.fallback != nil, fallback: fallback ?? whole.fallback)
    }

    /// Returns the answer with a transformed value.
    func map<Other>(_ transform: (Value) -> Other) -> Answer<Other> {
        Answer<Other>(value: transform(value), source: source, fetchedAt: fetchedAt, isStale: isStale, cause: cause)
    }

    /// Returns the same value as a stale answer, which is used because the remote failed.
    func asFallback(for cause: APIError) -> Answer {
        Answer(value: value, source: source, fetchedAt: fetchedAt, isStale: true, fallback: cause)
    }
}

extension Answer where Value: AgedEntry {
    /// Creates an answer from a cache entry.
    init(_ entry: Value, from source: Source, isStale: Bool) {
        self.init(value: entry, source: source, fetchedAt: entry.fetchedAt, isStale: isStale, cause: .none)
    }
}

/// The answer to a call for several items.
public struct BatchAnswer: Sendable {
    /// The items that were found, in the requested order, each as one JSON object.
    public let items: [[UInt8]]
    /// The ids without an item. For each of them, the remote has no item, or it failed and no cached item may be used.
    public let missing: [String]
    /// The number of items from each source.
    public let sources: [Source: Int]
    /// The remote's error, if cached items are returned or items are missing because of it.
    public let fallback: APIError?
    /// Whether the answer contains every requested item that the remote has. False if the remote failed for one of
    /// them. Nil if items are missing and the remote was not asked.
    public let isWhole: Bool?
    /// The time at which the remote returned the oldest item; nil if there are no items.
    public let oldest: Timestamp?

    public init(
        items: [[UInt8]], missing: [String], sources: [Source: Int], fallback: APIError?, isWhole: Bool? = true,
        oldest: Timestamp? = nil
    ) {
        self.isWhole = isWhole
        self.items = items
        self.missing = missing
        self.sources = sources
        self.fallback = fallback
        self.oldest = oldest
    }
}

/// The result of caching a list.
public struct PrefetchAnswer: Equatable, Sendable {
    /// The number of pages read.
    public var pages = 0
    /// The number of items on these pages.
    public var items = 0
    /// The number of pages that were fetched from the remote.
    public var fetched = 0
    /// The number of pages that were cached and fresh.
    public var reused = 0
    /// Whether all items of the list were read; nil if unknown.
    public var isComplete: Bool?

    /// Creates an empty result.
    public init() {}
}

/// The reason why a repository has no answer. It is stored in a box, so that a result without an error is small.
public indirect enum RepositoryError: Error, Equatable, Sendable {
    /// The remote failed, and no cached entry may be used.
    case remote(APIError)
    /// The list has no such page, or the API returned the previous page again. A caller that requested this page gets
    /// the error. A read of the whole list ends at the previous page instead.
    case noPage(APIError)
    /// The policy forbids a request, and nothing is cached.
    case notCached(resource: String)
    /// Too many requests are waiting for remotes.
    case busy(limit: Int)

    /// The remote's error; nil if the remote was not asked.
    public var cause: APIError? {
        switch self {
        case .remote(let error), .noPage(let error): error
        case .notCached, .busy: nil
        }
    }
}
