import DataSources

/// The fixes that `larder doctor` suggests for faults of the shared cache level.
enum DoctorSharedHint {
    /// Returns the fix for the last fault of the shared cache level, without a final period. Nil for an unknown kind of
    /// fault.
    static func text(_ shared: SharedStatistics) -> String? {
        guard let fault = shared.fault else { return nil }
        switch fault {
        case .certificate:
            return "set SSL_CERT_FILE, SSL_CERT_DIR or CURL_CA_BUNDLE to the authority that signed the server's"
                + " certificate; the certificate must be for the host of --shared"
        case .tls: return "check that the server uses TLS on this port: rediss:// uses TLS, and redis:// does not"
        case .login:
            return "check the user in --shared (redis://USER@HOST), and the password in LARDER_SHARED_PASSWORD or in"
                + " the file that LARDER_SHARED_PASSWORD_FILE names; ACL LIST in redis-cli shows the server's users"
        case .right: return rights(shared.missing)
        case .nobody:
            return "check that the server is running, and that --shared has the correct host and port; to start a"
                + " server, run: redis-server --save '' --appendonly no --maxmemory 512mb"
                + " --maxmemory-policy allkeys-lru"
        case .unknownHost:
            return "check the spelling of the host in --shared (LARDER_SHARED), and that this machine can resolve it"
                + " (getent hosts NAME)"
        case .slow:
            // A server without TLS mistakes the TLS handshake for the start of a command, and waits for more data.
            let tls = shared.url.hasPrefix("rediss:") ? "check that the server uses TLS on this port; " : ""
            return tls + "check that the server is running and not overloaded, that the network to it is fast, that its"
                + " name resolves quickly (getent hosts NAME), and that no firewall drops the packets"
        case .noRedis: return "--shared must name a server with Redis 7 or newer, or Valkey; its usual port is 6379"
        case .cluster: return "--shared must name a server without cluster mode (cluster-enabled no)"
        case .replica:
            return "--shared must name the primary, which INFO replication in redis-cli shows; or use --shared-mode"
                + " read"
        case .memory:
            return "run CONFIG SET maxmemory-policy allkeys-lru in redis-cli, so that the server evicts the least"
                + " recently used keys, or give it more memory with CONFIG SET maxmemory"
        case .closed:
            return "set a password for the server's default user, or set protected-mode no if only trusted machines can"
                + " reach the server"
        }
    }

    private static func rights(_ missing: [String]) -> String {
        let line = missing.isEmpty ? "the rights that docs/shared.md lists" : missing.joined(separator: " ")
        return "to grant the missing rights, run ACL SETUSER in redis-cli with the user's name and \(line)"
    }
}
