import Redis

/// How the shared level of the cache is, and how often it helped this process.
public struct SharedStatistics: Equatable, Sendable {
    /// How the level is, in one word.
    public enum State: String, CaseIterable, Sendable {
        /// The server answers.
        case ok
        /// Nothing was asked of it yet, or the first connection is being made.
        case connecting
        /// The connection was just lost, and is made anew at once; or the server answers, and refuses something.
        case failing
        /// It failed several times in a row, or refuses this process: until it is reached again, it is asked from time
        /// to time only.
        case unavailable
    }

    /// The server's URL without its password.
    public var url: String
    public var mode: SharedMode
    public var namespace: String
    public var state = State.connecting
    /// Why it is not used now, or what it refuses, in words for a person and without secrets; nil where nothing is
    /// amiss, and before it was first needed.
    public var reason: String?
    /// What kind of fault that is, where that is known.
    public var fault: SharedFault?
    /// The rights that the user lacks, in the words of an ACL, as far as they are known.
    public var missing: [String] = []
    /// The version that the server reports, as numbers; nil before it was reached.
    public var version: String?
    /// Why the server refused the last write: a replica, a user without the right, no memory. Without secrets; nil
    /// where it took it, and where none was tried.
    public var writeRefusal: String?
    /// Whether values are read from it now.
    public var isRead = false
    /// Reads of an item or a page that found it.
    public var hits = 0
    /// Reads that did not.
    public var misses = 0
    /// Values that were stored.
    public var written = 0
    /// Values that were not: something was removed since they were asked for, or a newer one is there.
    public var refused = 0
    /// Values that were read and not used: a wrong tag, another version, no shape of a value, or from the future.
    public var rejected = 0
    /// Values that were given up, because the server was not reached or too much waited.
    public var lost = 0
    /// How often a connection was lost or could not be made, and a command stayed without a reply.
    public var failures = 0
    /// Fetches that were not made here, because another process made them.
    public var waited = 0

    /// Nothing has happened yet.
    public init(url: String, mode: SharedMode, namespace: String) {
        self.url = url
        self.mode = mode
        self.namespace = namespace
    }

    /// Takes over how the connection is, and what the server refuses over it.
    mutating func note(_ health: RedisHealth, _ refusals: ServerRefusals) {
        (version, failures) = (health.version, health.failures)
        reason = health.reason ?? refusals.first?.reason
        fault = health.reason.map { SharedFault(reason: $0) } ?? refusals.first?.fault
        missing = refusals.missing
        writeRefusal = refusals.ofWriting?.reason
        isRead = health.wasReached && health.reason == nil && refusals.ofReading == nil
        if health.reason != nil {
            state = health.isLeftAlone ? .unavailable : .failing
        } else if !health.wasReached {
            state = .connecting
        } else {
            state = reason == nil ? .ok : .failing
        }
    }
}
