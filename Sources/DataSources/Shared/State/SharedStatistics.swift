import Redis

/// The state of the shared level and the counters of its use by this process.
public struct SharedStatistics: Equatable, Sendable {
    /// The state of the level.
    public enum State: String, CaseIterable, Sendable {
        /// The server answers.
        case ok
        /// The level was not used yet, or the first connection is being opened.
        case connecting
        /// The connection was just lost and is being reopened, or the server refuses some commands.
        case failing
        /// The server failed several times in a row or refuses this process. Larder tries to connect again after
        /// pauses.
        case unavailable
    }

    /// The server's URL without its password.
    public var url: String
    public var mode: SharedMode
    public var namespace: String
    public var state = State.connecting
    /// The current fault as a message for users: why the level is not used, or what the server refuses. It contains no
    /// secrets. Nil if there is no fault, and before the first use.
    public var reason: String?
    /// The kind of the current fault; nil if it is not known.
    public var fault: SharedFault?
    /// The rights that the user is known to lack, in the syntax of an ACL.
    public var missing: [String] = []
    /// The version of the server, such as `7.0.15`; nil before the first connection.
    public var version: String?
    /// The reason why the server refused the last write, such as missing memory. It contains no secrets. Nil if the
    /// server accepted the last write, and before the first write.
    public var writeRefusal: String?
    /// Whether entries are currently read from the level.
    public var isRead = false
    /// The number of reads of an item or a page that found an entry.
    public var hits = 0
    /// The number of reads of an item or a page that found no entry.
    public var misses = 0
    /// The number of entries that were stored.
    public var written = 0
    /// The number of entries that were not stored, because the level has a newer one, or because they were removed
    /// during the fetch.
    public var refused = 0
    /// The number of stored values that were rejected: wrong tag, other version, invalid format, or from the future.
    public var rejected = 0
    /// The number of entries that could not be sent, because the server was unreachable or the queue was full.
    public var lost = 0
    /// The number of connections that were lost or could not be opened.
    public var failures = 0
    /// The number of entries that this process needed and another process fetched.
    public var waited = 0

    /// Creates the statistics of a level that was not used yet.
    public init(url: String, mode: SharedMode, namespace: String) {
        self.url = url
        self.mode = mode
        self.namespace = namespace
    }

    /// Sets the state from the health of the connection and the server's refusals.
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
