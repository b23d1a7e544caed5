import Redis

/// The kinds of faults of the shared level. `larder doctor` gives advice for each kind.
public enum SharedFault: CaseIterable, Sendable {
    /// The Redis server's certificate is not trusted, or the trusted certificates cannot be read.
    case certificate
    /// The Redis server does not use TLS, or uses only TLS versions that Larder does not support.
    case tls
    /// The user or the password is missing or wrong.
    case login
    /// The ACL of the Redis user denies a right that Larder needs.
    case right
    /// No process listens at the Redis server's address.
    case nobody
    /// The host name cannot be resolved.
    case unknownHost
    /// The Redis server does not answer within the time limit, or the network cannot reach it.
    case slow
    /// The server is too old, or is not a Redis or Valkey server.
    case noRedis
    /// The Redis server is in cluster mode.
    case cluster
    /// The Redis server is a read-only replica.
    case replica
    /// The Redis server has reached its memory limit, and its settings forbid it to evict keys.
    case memory
    /// The Redis server is in protected mode and accepts no connections from other machines.
    case closed

    /// Determines the kind of fault from the error message of a failed connection. The message comes from libcurl, the
    /// system or `RedisGreeting`. Returns nil for an unknown message.
    init?(reason: String) {
        let signs: [(SharedFault, [String])] = [
            // This kind is checked first, because its reason ends with the host name, which may contain the reason of a
            // different kind.
            (.unknownHost, ["resolve host", "Resolving timed out"]),
            (.right, ["user's ACL lacks"]),
            (.login, ["user or the password", "asks for a password"]),
            (.cluster, ["Redis Cluster"]),
            (.replica, ["is a replica"]),
            (.closed, ["protected mode"]),
            (.noRedis, ["not a Redis server", "is too old", "invalid Redis reply"]),
            (.certificate, ["certificate", "CAfile", "self-signed"]),
            (.tls, ["SSL", "TLS", "wrong version number"]),
            (.nobody, ["Connection refused", "No such file or directory"]),
            (.slow, [" within ", "No route to host", "Network is unreachable"]),
        ]
        guard let sign = signs.first(where: { $0.1.contains { reason.contains($0) } }) else { return nil }
        self = sign.0
    }

    /// Determines the kind of fault from an error reply of the Redis server. Returns nil for an unknown error.
    init?(_ error: RedisErrorReply) {
        if error.isLackOfRight {
            self = .right
            return
        }
        switch error.code {
        case "READONLY", "MASTERDOWN": self = .replica
        case "OOM": self = .memory
        case "NOAUTH", "WRONGPASS": self = .login
        case "MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN": self = .cluster
        default: return nil
        }
    }
}
