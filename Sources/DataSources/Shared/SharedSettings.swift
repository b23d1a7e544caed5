import Redis

/// Which shared level of the cache a process uses, and how.
public struct SharedSettings: Sendable {
    /// The bytes that a secret must have at least.
    public static let shortestSecret = 16

    /// Where the server is, and who asks it.
    public let url: RedisURL
    /// Whether this process only reads.
    public let mode: SharedMode
    /// Which entries of the server are meant: those of one namespace know nothing of another's.
    public let namespace: String
    /// What the keys' names and the values' tags are made with; the same for all that share.
    public let secret: [UInt8]
    /// The password and the secret as texts, which are taken out of all that is shown.
    public let secrets: [String]

    /// Settings, with a password in the URL where one is needed.
    public init(url: RedisURL, mode: SharedMode, namespace: String, secret: [UInt8], secrets: [String]) {
        self.url = url
        self.mode = mode
        self.namespace = namespace
        self.secret = secret
        self.secrets = secrets
    }

    /// Whether something may be a namespace's name: 1 to 64 letters of ASCII, digits, `-`, `_` and `.`.
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
