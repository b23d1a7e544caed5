import DataSources

/// What to do about each kind of fault of the shared level.
enum DoctorSharedHint {
    /// In one sentence without its end; nil where nobody can tell.
    static func text(_ shared: SharedStatistics) -> String? {
        guard let fault = shared.fault else { return nil }
        switch fault {
        case .certificate:
            return "SSL_CERT_FILE, SSL_CERT_DIR or CURL_CA_BUNDLE names the authority that has signed the server's"
                + " certificate, and the certificate must be for the host of --shared"
        case .tls: return "does the server speak TLS on this port? rediss:// is with TLS, redis:// without it"
        case .login:
            return "is the user in --shared right (redis://USER@HOST), and the password in LARDER_SHARED_PASSWORD or"
                + " the file LARDER_SHARED_PASSWORD_FILE? ACL LIST in redis-cli shows the server's users"
        case .right: return rights(shared.missing)
        case .nobody:
            return "is a server running there, and are host and port of --shared right? This starts one:"
                + " redis-server --save '' --appendonly no --maxmemory 512mb --maxmemory-policy allkeys-lru"
        case .unknownHost:
            return "is the host of --shared (LARDER_SHARED) spelled right, and does this machine know it"
                + " (getent hosts NAME)?"
        case .slow:
            // A server without TLS waits for the end of what it takes for a command.
            let tls = shared.url.hasPrefix("rediss:") ? "does it speak TLS on this port, or " : ""
            return tls + "is the server far away, stopped or too busy, its name found slowly (getent hosts NAME), or"
                + " does a firewall drop what is sent to it?"
        case .noRedis: return "--shared must lead to Redis 7 or newer, or Valkey, whose usual port is 6379"
        case .cluster: return "--shared must name a server without cluster mode (cluster-enabled no)"
        case .replica:
            return "--shared must name the primary, which INFO replication in redis-cli tells, or use --shared-mode"
                + " read"
        case .memory:
            return "CONFIG SET maxmemory-policy allkeys-lru in redis-cli has it evict what was not used for longest;"
                + " CONFIG SET maxmemory gives it more memory"
        case .closed: return "give its users passwords, or set protected-mode no where nobody else can reach it"
        }
    }

    private static func rights(_ missing: [String]) -> String {
        let line = missing.isEmpty ? "the rights of docs/shared.md" : missing.joined(separator: " ")
        return "ACL SETUSER in redis-cli, with the user's name and \(line), gives them"
    }
}
