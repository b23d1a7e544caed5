import DataSources
import JSON
import Model
import System

/// The reason why a cached entry may be the answer: the API failed, or a sync of a list confirmed the entry. `none` if
/// the answer needs no such reason.
// The cases are indirect, so that an answer without a reason needs little memory.
private enum Cause: Sendable {
    case none
    /// The API failed.
    indirect case failure(APIError)
    /// A sync of a list confirmed the entry. The associated value is the time of the confirmation.
    indirect case synced(Timestamp)
}

/// A repository's answer: a value with its source and its age.
public struct Answer<Value: Sendable>: Sendable {
    /// The requested item, list of items, or page.
    public let value: Value
    /// The source of the value: a cache level or the API. For a page whose items were fetched separately, this is the
    /// slowest source of the page and its items.
    public let source: Source
    /// The time at which the API returned the value.
    public let fetchedAt: Timestamp
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

    /// The API's error that caused the repository to return a cached entry; nil if there was no such error.
    public var fallback: APIError? { if case .failure(let error) = cause { error } else { nil } }

    /// The time at which a sync confirmed the cached value; nil if no sync has confirmed the value since its fetch.
    public var syncedAt: Timestamp? { if case .synced(let time) = cause { time } else { nil } }

    /// Returns a copy of the answer in which complete items replace the page's partial items. The `source` of the copy
    /// is the slowest source of the page and the items.
    func with(_ whole: BatchAnswer) -> Answer<Page> where Value == Page {
        Answer<Page>(
            value: value.with(whole), source: max(source, whole.sources.keys.max() ?? source), fetchedAt: fetchedAt,
            isStale: isStale || whole.fallback != nil, fallback: fallback ?? whole.fallback)
    }

    /// Returns the answer with a transformed value.
    func map<Other>(_ transform: (Value) -> Other) -> Answer<Other> {
        Answer<Other>(value: transform(value), source: source, fetchedAt: fetchedAt, isStale: isStale, cause: cause)
    }

    /// Returns a copy of this cached answer for a call whose API request failed. The copy is marked as stale and
    /// contains the API's error.
    func asFallback(for cause: APIError) -> Answer {
        Answer(value: value, source: source, fetchedAt: fetchedAt, isStale: true, fallback: cause)
    }
}

extension Answer where Value: AgedEntry {
    /// Creates an answer from a cache entry.
    ///
    /// - Parameter syncedAt: the time of the sync that confirmed the entry; nil if there was none.
    init(_ entry: Value, from source: Source, isStale: Bool, syncedAt: Timestamp? = nil) {
        self.init(
            value: entry, source: source, fetchedAt: entry.fetchedAt, isStale: isStale,
            cause: syncedAt.map { .synced($0) } ?? .none)
    }
}

/// The answer of a repository to a call for several items.
public struct BatchAnswer: Sendable {
    /// The found items in the requested order, each as one JSON object.
    public let items: [[UInt8]]
    /// The requested ids for which the answer contains no item. Either the API has no such item, or the API failed and
    /// no cached item may be used.
    public let missing: [String]
    /// The number of items from each source.
    public let sources: [Source: Int]
    /// The API's error that caused missing items or the use of cached items; nil if there was none.
    public let fallback: APIError?
    /// Whether the answer contains all requested items that exist in the API. False if the API failed for an item. Nil
    /// if items are missing and no request was made.
    public let isWhole: Bool?
    /// The fetch time of the oldest item; nil if there are no items.
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

/// The result of a prefetch, which reads a list into the cache.
public struct PrefetchAnswer: Equatable, Sendable {
    /// The number of pages that the prefetch has read.
    public var pages = 0
    /// The total number of items on all pages of the prefetch.
    public var items = 0
    /// The number of pages that came from the API.
    public var fetched = 0
    /// The number of pages that were already cached and fresh.
    public var reused = 0
    /// Whether the prefetch has read all items of the list; nil if unknown.
    public var isComplete: Bool?

    /// Creates the result of a prefetch that has read nothing yet.
    public init() {}
}

/// The reason why a repository has no answer.
// The enum is indirect, so that a result without an error needs little memory.
public indirect enum RepositoryError: Error, Equatable, Sendable {
    /// The API failed, and no cached entry may be used instead.
    case remote(APIError)
    /// The requested page does not exist, or the API returned the previous page again. A read of the whole list treats
    /// this error as the end of the list.
    case noPage(APIError)
    /// The policy forbids a request, and nothing is cached.
    case notCached(resource: String)
    /// Too many calls are waiting for APIs. `limit` is the maximum number of waiting calls.
    case busy(limit: Int)

    /// The API's error; nil if the call failed without a request.
    public var cause: APIError? {
        switch self {
        case .remote(let error), .noPage(let error): error
        case .notCached, .busy: nil
        }
    }
}
