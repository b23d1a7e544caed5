import Redis

/// The state of the shared level, and counters of what this process has read and written there.
public struct SharedStatistics: Equatable, Sendable {
    /// The state of the shared level.
    public enum State: String, CaseIterable, Sendable {
        /// The Redis server answers commands.
        case ok
        /// No connection exists yet. The first connection is opened at the first use.
        case connecting
        /// The connection was just lost and is being reopened, or the Redis server refuses some commands.
        case failing
        /// The Redis server failed several times in a row, or refuses this process. Larder pauses before each
        /// connection attempt.
        case unavailable
    }

    /// The Redis server's URL without its password.
    public var url: String
    public var mode: SharedMode
    public var namespace: String
    public var state = State.connecting
    /// The error message for the current fault, without secrets. Nil if there is no fault, and before the first use.
    public var reason: String?
    /// The kind of the current fault. Nil if there is no fault, or if the kind of the fault is unknown.
    public var fault: SharedFault?
    /// The rights that the Redis user is known to lack, in the syntax of a Redis ACL.
    public var missing: [String] = []
    /// The version of the Redis server, such as `7.0.15`; nil before the first connection.
    public var version: String?
    /// The reason why the Redis server refused the last write, such as an exhausted memory limit. It contains no
    /// secrets. Nil if no write has failed since the last success.
    public var writeRefusal: String?
    /// Whether this process currently reads entries from the shared level.
    public var isRead = false
    /// The number of reads that found an item or a page.
    public var hits = 0
    /// The number of reads that found no item or page.
    public var misses = 0
    /// The number of entries that this process stored in the shared level.
    public var written = 0
    /// The number of entries that the shared level refused to store. The reason is a newer entry there, or a removal or
    /// invalidation during the fetch.
    public var refused = 0
    /// The number of values that this process read and rejected. Such a value has a wrong tag, an invalid or
    /// unsupported format, or a fetch time in the future.
    public var rejected = 0
    /// The number of entries that could not be sent, because the Redis server was unreachable or the queue was full.
    public var lost = 0
    /// The number of connections that were lost or could not be opened.
    public var failures = 0
    /// The number of entries that another process fetched while this process waited for them.
    public var waited = 0

    /// Creates the statistics of a shared level that has not been used yet.
    public init(url: String, mode: SharedMode, namespace: String) {
        self.url = url
        self.mode = mode
        self.namespace = namespace
    }

    /// Updates these statistics from the health of the connection, and from the commands that the Redis server refuses.
    mutating func note(_ health: RedisHealth, _ refusals: ServerRefusals) {
        (version, failures) = (health.version, health.failures)
        reason = health.reason ?? refusals.first?.reason
        fault = health.reason.map { SharedFault(reason: $0) } ?? refusals.first?.fault
        missing = refusals.missing
        writeRefusal = refusals.ofWriting?.reason
        isRead = health.wasReached && health.reason == nil && refusals.ofReading == nil
        if health.reason != nil {
            state = health.isBackingOff ? .unavailable : .failing
        } else if !health.wasReached {
            state = .connecting
        } else {
            state = reason == nil ? .ok : .failing
        }
    }
}
