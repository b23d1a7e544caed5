import DataSources
import JSON
import Model
import System

/// The steps and requests that a call would make, determined without making the call.
public struct Explanation: Sendable {
    /// The cached state of the requested items or page, in the requested order.
    public var entries: [Entry]
    /// The steps of the call, each described in one sentence.
    public var steps: [String]
    /// The requests that the call would make.
    public var requests: [RemotePreview]
    /// The reason why a request could not be built; nil if there is none.
    public var refusal: APIError?

    public init(entries: [Entry], steps: [String], requests: [RemotePreview], refusal: APIError? = nil) {
        self.entries = entries
        self.steps = steps
        self.requests = requests
        self.refusal = refusal
    }

    /// An item or page that the call requests, and its cached entries.
    public struct Entry: Sendable {
        /// The name of the entry: the item's id, or the page's canonical request.
        public let name: String
        /// The levels of the cache that are read, from the upper to the lower.
        public let levels: [Source]
        /// The cached entry in each level that has one.
        public let kept: [Source: Kept]

        /// Creates the description of an item or page.
        public init(name: String, levels: [Source], kept: [Source: Kept]) {
            self.name = name
            self.levels = levels
            self.kept = kept
        }
    }

    /// The entry in one level of the cache.
    public struct Kept: Sendable {
        /// The time at which the remote returned the entry.
        public let fetchedAt: Timestamp
        /// The entry's age in milliseconds.
        public let age: Milliseconds
        /// Whether the entry is fresh; nil if it is older than `keepFor` and counts as absent.
        public let isFresh: Bool?
        /// Whether the entry has validators. If it has, the remote returns the entry only if it has changed.
        public let hasValidators: Bool

        public init(fetchedAt: Timestamp, age: Milliseconds, isFresh: Bool?, hasValidators: Bool) {
            self.fetchedAt = fetchedAt
            self.age = age
            self.isFresh = isFresh
            self.hasValidators = hasValidators
        }
    }
}
