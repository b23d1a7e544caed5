import System

/// An error of a cache level or of the recent searches. Repositories continue without a cache level that fails.
public struct LocalDataError: Error, Equatable, Sendable {
    /// The operation that failed and the reason, such as SQLite's error message.
    public let message: String
    /// Whether the data source has no usable file.
    public let isUnavailable: Bool

    /// Creates an error for an operation that failed.
    public init(_ message: String, isUnavailable: Bool = false) {
        self.message = message
        self.isUnavailable = isUnavailable
    }
}

/// A degraded part of the service, with the reason and the time.
public struct DegradedPart: Equatable, Sendable {
    /// The name of the part:
    ///
    /// * `persistence`: the cache file.
    /// * `shared`: the Redis level of the cache.
    /// * `recents`: the file of recent searches.
    /// * `catalog`: a catalog that could not be found or reloaded.
    /// * `api NAME`: an API that receives no requests.
    public let part: String
    /// A description of the fault for people, with the path of the file if there is one.
    public let reason: String
    /// The time at which the fault was found.
    public let since: Timestamp

    /// Creates the description of a fault that was found at `since`.
    public init(part: String, reason: String, since: Timestamp) {
        self.part = part
        self.reason = reason
        self.since = since
    }
}
