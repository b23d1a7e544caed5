import DataSources
import JSON
import Model
import System

/// The error of the remote. It is boxed, so that an answer without an error is small: a hit is one.
private enum Cause: Sendable {
    case none
    indirect case failure(APIError)
}

/// What a repository answers, and all that it knows of the answer.
public struct Answer<Value: Sendable>: Sendable {
    /// What was asked for.
    public let value: Value
    /// The source of the value. For a page: the most distant source of any of its parts.
    public let source: Source
    /// When it came from the remote.
    public let fetchedAt: Timestamp
    /// Whether it is older than it should be.
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

    /// The error of the remote, if a cached entry is used instead of its answer.
    public var fallback: APIError? { if case .failure(let error) = cause { error } else { nil } }

    /// Returns the page with whole items. Its source is the most distant one of the page and the items.
    func with(_ whole: ManyAnswer) -> Answer<Page> where Value == Page {
        Answer<Page>(
            value: value.with(whole), source: max(source, whole.sources.keys.max() ?? source), fetchedAt: fetchedAt,
            isStale: isStale || whole.fallback != nil, fallback: fallback ?? whole.fallback)
    }

    /// The same with a part of the value, or with another form of it.
    func map<Other>(_ transform: (Value) -> Other) -> Answer<Other> {
        Answer<Other>(value: transform(value), source: source, fetchedAt: fetchedAt, isStale: isStale, cause: cause)
    }

    /// Returns the answer as a stale one, which is used because the remote failed.
    func standingIn(for cause: APIError) -> Answer {
        Answer(value: value, source: source, fetchedAt: fetchedAt, isStale: true, fallback: cause)
    }
}

extension Answer where Value: AgedEntry {
    /// An entry as an answer.
    init(_ entry: Value, from source: Source, isStale: Bool) {
        self.init(value: entry, source: source, fetchedAt: entry.fetchedAt, isStale: isStale, cause: .none)
    }
}

/// Several items at once.
public struct ManyAnswer: Sendable {
    /// The items that there are, in the order asked, each one JSON object.
    public let items: [[UInt8]]
    /// The ids for which there is none: the remote has none, or it did not answer and nothing is kept.
    public let missing: [String]
    /// Where the items came from.
    public let sources: [Source: Int]
    /// Why the remote did not answer, where entries stand in for it or are missing.
    public let fallback: APIError?
    /// Whether all are there that the remote has: false where it did not answer for one, nil where it was not asked.
    public let isWhole: Bool?
    /// When the oldest of the items came from the remote; nil for none.
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

/// What a walk over a list came to.
public struct PrefetchAnswer: Equatable, Sendable {
    /// Pages that were walked over.
    public var pages = 0
    /// Items on them.
    public var items = 0
    /// Pages that were fetched.
    public var fetched = 0
    /// Pages that were kept and fresh.
    public var reused = 0
    /// Whether all items of the list were read; nil if that is not known.
    public var isComplete: Bool?

    /// Nothing yet.
    public init() {}
}

/// Why a repository has no answer. It is boxed, so that an outcome without an error is small.
public indirect enum RepositoryError: Error, Equatable, Sendable {
    /// The remote failed, and no cached entry may be used.
    case remote(APIError)
    /// The list has no such page, or its API returned the page before it again. The error is the one for a caller who
    /// asked for the page by its name; a walk over the list ends there.
    case noPage(APIError)
    /// The policy forbids a request, and the cache has nothing.
    case notCached(resource: String)
    /// Too many requests wait for remotes.
    case busy(limit: Int)

    /// The remote's error; nil if the remote was not asked.
    public var cause: APIError? {
        switch self {
        case .remote(let error), .noPage(let error): error
        case .notCached, .busy: nil
        }
    }
}
