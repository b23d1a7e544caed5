import Redis

/// What kind of fault keeps a shared level from being used as it should be: for who says what to do.
public enum SharedFault: CaseIterable, Sendable {
    /// The server's certificate is not believed, or there is none to judge it by.
    case certificate
    /// What is there does not speak TLS, or not as Larder does.
    case tls
    /// The user or the password is missing or wrong.
    case login
    /// The user's ACL does not give all rights.
    case right
    /// Nothing listens there.
    case nobody
    /// The host's name leads nowhere.
    case unknownHost
    /// It does not answer in time.
    case slow
    /// What answers is something else, or too old.
    case noRedis
    case cluster
    case replica
    /// It is full, and evicts nothing.
    case memory
    /// It takes no connections from other machines.
    case closed

    /// What the reason means for which a connection cannot be made or was lost; nil where nobody can tell. The reasons
    /// are those of libcurl, of the system and of `RedisGreeting`.
    init?(reason: String) {
        let signs: [(SharedFault, [String])] = [
            // First, since it ends with a name that may be anything.
            (.unknownHost, ["resolve host", "Resolving timed out"]),
            (.right, ["user's ACL lacks"]),
            (.login, ["the user or the password", "asks for a password"]),
            (.cluster, ["Redis Cluster"]),
            (.replica, ["is a replica"]),
            (.closed, ["protected mode"]),
            (.noRedis, ["no Redis server", "is too old", "no reply of a Redis server"]),
            (.certificate, ["certificate", "CAfile", "self-signed"]),
            (.tls, ["SSL", "TLS", "wrong version number"]),
            (.nobody, ["Connection refused", "No such file or directory"]),
            (.slow, [" within ", "No route to host", "Network is unreachable"]),
        ]
        guard let sign = signs.first(where: { $0.1.contains { reason.contains($0) } }) else { return nil }
        self = sign.0
    }

    /// The fault of a server that refuses a command; nil if the error does not tell.
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
