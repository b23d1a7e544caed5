import System

/// Why a local data source cannot answer. A repository goes on without it.
public struct LocalDataError: Error, Equatable, Sendable {
    /// What was being done and what the engine said of it.
    public let message: String
    /// Whether there is nothing to ask at all: the file cannot be used.
    public let isUnavailable: Bool

    /// An error with its message.
    public init(_ message: String, isUnavailable: Bool = false) {
        self.message = message
        self.isUnavailable = isUnavailable
    }
}

/// A part of the service that does not work as it should, and since when.
public struct DegradedPart: Equatable, Sendable {
    /// Which part: `persistence` (the cache file), `shared` (the shared level of the cache), `recents` (the file of
    /// recent searches), `catalog` (the place where one is looked for), or `api NAME` for an API that is not asked.
    public let part: String
    /// What happened, in words for a person, with the file's path.
    public let reason: String
    /// When it was found.
    public let since: Timestamp

    /// A part that was found degraded at a moment.
    public init(part: String, reason: String, since: Timestamp) {
        self.part = part
        self.reason = reason
        self.since = since
    }
}
