import System

/// The reason why a command got no reply from the Redis server. Larder then uses the cache without the server.
public enum RedisError: Error, Equatable, Sendable {
    /// There is no connection to the server. Nothing was sent.
    case notConnected
    /// The connection was lost, or the server exceeded a limit. The associated value is the reason. The server may have
    /// executed the commands.
    case lost(String)
    /// The queue of unsent commands is full. The call sent nothing.
    case noRoom
    /// The replies did not arrive within the caller's time limit. The server may have executed the commands.
    case late
    /// The replies exceed the memory limit. The server has executed the commands.
    case tooLarge
    /// The client was closed.
    case closed
}

/// The health of a Redis server and of the connection to it.
public struct RedisHealth: Equatable, Sendable {
    /// The reason why Larder does not use the server, as a message for users. The message contains no secrets. Nil
    /// while Larder uses the server, and before the first use.
    public var reason: String?
    /// The time at which Larder stopped using the server; nil while `reason` is nil.
    public var since: Timestamp?
    /// Whether Larder pauses before the next connection attempt. Otherwise Larder reconnects immediately.
    public var isBackingOff = false
    /// Whether Larder has reached the server at least once.
    public var wasReached = false
    /// The number of connections that were lost or could not be opened.
    public var failures = 0
    /// The version that the server reports, such as `7.0.15`; nil before the first connection.
    public var version: String?
    /// Whether the server reports that it is a replica. Replicas refuse writes by default.
    public var isReplica = false

    public init() {}
}
