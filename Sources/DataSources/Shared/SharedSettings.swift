import Redis

/// The settings of the shared level: server, mode, namespace and secret.
public struct SharedSettings: Sendable {
    /// The minimum size of a secret, in bytes.
    public static let minSecretSize = 16

    /// The address of the Redis server, including the user and the password.
    public let url: RedisURL
    /// Whether the process only reads entries, or also stores them.
    public let mode: SharedMode
    /// The namespace of Larder's keys in the Redis server. A process sees only the entries in its own namespace.
    public let namespace: String
    /// The secret from which the names of entries and the tags of values are computed. All machines that share entries
    /// have the same secret.
    public let secret: [UInt8]
    /// The password of the Redis server and the secret of the shared level. Larder redacts both in all messages.
    public let secrets: [String]

    /// Creates settings of the shared level. If the Redis server needs a password, the URL must contain it.
    public init(url: RedisURL, mode: SharedMode, namespace: String, secret: [UInt8], secrets: [String]) {
        self.url = url
        self.mode = mode
        self.namespace = namespace
        self.secret = secret
        self.secrets = secrets
    }

    /// Returns whether a string is a valid namespace: 1 to 64 ASCII letters, digits, `-`, `_` and `.`.
    public static func isNamespace(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
