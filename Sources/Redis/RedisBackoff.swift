import System

/// A pause that delays the first connection to the Redis server after an earlier process could not reach the server.
public struct RedisBackoff: Equatable, Sendable {
    /// The remaining time of the pause, in milliseconds.
    public let left: Milliseconds
    /// The reason why the server could not be reached.
    public let reason: String

    public init(left: Int, reason: String) {
        self.left = left
        self.reason = reason
    }
}
