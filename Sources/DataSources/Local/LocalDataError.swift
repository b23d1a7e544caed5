import System

/// An error of a cache level or of the recent searches. If a cache level fails, repositories continue without it.
public struct LocalDataError: Error, Equatable, Sendable {
    /// The error message: the operation that failed, and the reason, such as SQLite's error message.
    public let message: String
    /// Whether the operation failed because there is no cache file, or because the cache file cannot be used.
    public let isUnavailable: Bool

    /// Creates an error from its message.
    public init(_ message: String, isUnavailable: Bool = false) {
        self.message = message
        self.isUnavailable = isUnavailable
    }
}

/// A fault of one part of the service, such as the cache file. Contains the reason and the time of detection.
public struct DegradedPart: Equatable, Sendable {
    /// The name of the part of the service that has the fault:
    ///
    /// * `persistence`: the cache file.
    /// * `shared`: the Redis level of the cache.
    /// * `recents`: the file of recent searches.
    /// * `catalog`: a catalog that could not be found or reloaded.
    /// * `api NAME`: an API that receives no requests.
    public let part: String
    /// The reason for the fault as a message for users. It contains the path of the file if a file is at fault.
    public let reason: String
    /// The time at which the fault was found.
    public let since: Timestamp

    /// Creates the description of a fault.
    ///
    /// - Parameter since: the time at which the fault was found.
    public init(part: String, reason: String, since: Timestamp) {
        self.part = part
        self.reason = reason
        self.since = since
    }
}
