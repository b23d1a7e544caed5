import DataSources
import JSON
import Model
import System

/// The steps and requests that a call would need. The call itself is not executed.
public struct Explanation: Sendable {
    /// An element for each requested item, in order. If a page is requested, a single element for the page.
    public var entries: [Entry]
    /// The steps of the call, with one sentence each.
    public var steps: [String]
    /// The requests that the call would make.
    public var requests: [RemotePreview]
    /// The reason why a request of the call is impossible; nil if all requests are possible.
    public var refusal: APIError?

    public init(entries: [Entry], steps: [String], requests: [RemotePreview], refusal: APIError? = nil) {
        self.entries = entries
        self.steps = steps
        self.requests = requests
        self.refusal = refusal
    }

    /// A requested item or page, and its cached entry in each cache level.
    public struct Entry: Sendable {
        /// The item's id, or the page's parameters as in `PageRequest.canonical`.
        public let name: String
        /// The cache levels that the call reads, from the upper to the lower.
        public let levels: [Source]
        /// The cached entry in each cache level. The dictionary omits levels without an entry.
        public let kept: [Source: Kept]

        public init(name: String, levels: [Source], kept: [Source: Kept]) {
            self.name = name
            self.levels = levels
            self.kept = kept
        }
    }

    /// The cached entry of an item or page in one cache level.
    public struct Kept: Sendable {
        /// The time at which the API returned the entry.
        public let fetchedAt: Timestamp
        /// The entry's age in milliseconds.
        public let age: Milliseconds
        /// Whether the entry is fresh; nil if the entry is older than `keepFor` and therefore counts as absent.
        public let isFresh: Bool?
        /// Whether the entry has validators. With validators, the API can confirm an unchanged entry without sending
        /// the entry again.
        public let hasValidators: Bool

        public init(fetchedAt: Timestamp, age: Milliseconds, isFresh: Bool?, hasValidators: Bool) {
            self.fetchedAt = fetchedAt
            self.age = age
            self.isFresh = isFresh
            self.hasValidators = hasValidators
        }
    }
}
