import System

/// Why a Redis server did not reply. The cache goes on without it.
public enum RedisError: Error, Equatable, Sendable {
    /// There is no connection now; nothing was sent.
    case notConnected
    /// The connection broke, or the server exceeded a limit; with the reason. The commands may have been executed.
    case lost(String)
    /// More waits to be sent than there is room for; nothing was sent.
    case noRoom
    /// The caller has waited for the replies as long as it may. The commands may have been executed.
    case late
    /// The replies take more memory together than they may. The commands were executed.
    case tooLarge
    /// Larder has ended.
    case closed
}

/// How a Redis server is.
public struct RedisHealth: Equatable, Sendable {
    /// Why it is not used now, in words for a person, without secrets; nil while it is, and before it was first needed.
    public var reason: String?
    /// Since when it is so.
    public var since: Timestamp?
    /// Whether it is not used until a probe reaches it, which are made after pauses; else it is connected to at once.
    public var isLeftAlone = false
    /// Whether it was ever reached.
    public var wasReached = false
    /// How often a connection was lost or could not be made, and commands stayed without a reply.
    public var failures = 0
    /// The version that it reports, as numbers: `7.0.15`.
    public var version: String?
    /// Whether it says that it is a replica, which refuses writes unless it is told otherwise.
    public var isReplica = false

    public init() {}
}
