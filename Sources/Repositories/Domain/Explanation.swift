import DataSources
import JSON
import Model
import System

/// What a call would do, without doing it.
public struct Explanation: Sendable {
    /// What is kept of the things that are asked for, in the order asked.
    public var entries: [Entry]
    /// What would be done, step by step, in words.
    public var steps: [String]
    /// The requests that would be made.
    public var requests: [RemotePreview]
    /// Why a request could not even be built.
    public var refusal: APIError?

    /// What a call would do.
    public init(entries: [Entry], steps: [String], requests: [RemotePreview], refusal: APIError? = nil) {
        self.entries = entries
        self.steps = steps
        self.requests = requests
        self.refusal = refusal
    }

    /// One item or page.
    public struct Entry: Sendable {
        /// Under what it is kept: the item's id, or the page's canonical request.
        public let name: String
        /// The levels of the cache, nearest first.
        public let levels: [Source]
        /// What each level has that has anything.
        public let kept: [Source: Kept]

        /// One item or page.
        public init(name: String, levels: [Source], kept: [Source: Kept]) {
            self.name = name
            self.levels = levels
            self.kept = kept
        }
    }

    /// What one level has of a thing.
    public struct Kept: Sendable {
        /// When it came from the remote.
        public let fetchedAt: Timestamp
        /// Its age in milliseconds.
        public let age: Int
        /// How the policy takes it; nil for one that is past `keepFor` and counts as absent.
        public let isFresh: Bool?
        /// Whether the remote can be asked whether it has changed.
        public let hasValidators: Bool

        /// What one level has.
        public init(fetchedAt: Timestamp, age: Int, isFresh: Bool?, hasValidators: Bool) {
            self.fetchedAt = fetchedAt
            self.age = age
            self.isFresh = isFresh
            self.hasValidators = hasValidators
        }
    }
}
