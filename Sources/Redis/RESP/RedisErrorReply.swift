/// An error reply of a Redis server. It does not contain the server's error text, because that text may repeat a
/// password or a secret.
///
/// The initializer reads that text, but stores only error codes and command names from fixed lists.
public struct RedisErrorReply: Equatable, Sendable {
    /// The causes of error replies that Larder distinguishes.
    package enum Cause: Equatable, Sendable {
        /// The user's ACL denies the command. The associated value is the command's name; nil if the server does not
        /// report the name.
        case lackOfCommand(String?)
        /// The user's ACL denies access to the keys of the command.
        case lackOfKeys
        case unknownCommand
        case tooManyClients
        case noDatabase
        case other
    }

    /// The maximum number of bytes that are read from the start of a server's error text.
    private static let maxSize = 500
    /// The error codes that Redis and Valkey use.
    private static let codes: Set = [
        "ASK", "BUSY", "BUSYGROUP", "BUSYKEY", "CLUSTERDOWN", "CROSSSLOT", "DENIED", "ERR", "EXECABORT", "LOADING",
        "MASTERDOWN", "MISCONF", "MOVED", "NOAUTH", "NOGROUP", "NOPERM", "NOPROTO", "NOREPLICAS", "NOSCRIPT", "OOM",
        "READONLY", "TRYAGAIN", "UNBLOCKED", "UNKILLABLE", "WRONGPASS", "WRONGTYPE",
    ]
    /// The command names that Larder recognizes in the error text of a denied command.
    private static let commands: Set = [
        "del", "eval", "evalsha", "exists", "expire", "get", "getex", "hello", "mget", "mset", "persist", "pexpire",
        "ping", "psetex", "pttl", "select", "set", "setnx", "time", "ttl", "unlink", "xadd", "xlen", "xrange", "xread",
        "xrevrange", "xtrim",
    ]

    /// The error code, such as `NOAUTH`; nil if the error text contains no known code of Redis or Valkey.
    package let code: String?
    package let cause: Cause

    /// Parses the beginning of a server's error text, such as `NOAUTH Authentication required.`.
    init(_ bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes.prefix(Self.maxSize), as: UTF8.self)
        let first = String(text.prefix { $0 != " " })
        code = Self.codes.contains(first) ? first : nil
        cause = Self.cause(first, text)
    }

    /// Whether the user's ACL denies the command or its keys.
    package var isLackOfRight: Bool {
        switch cause {
        case .lackOfCommand, .lackOfKeys: true
        case .unknownCommand, .tooManyClients, .noDatabase, .other: false
        }
    }

    private static func cause(_ code: String, _ text: String) -> Cause {
        // Redis 7.0 sends no error code if a script lacks a right.
        if code == "NOPERM" || text.contains("The user executing the script") {
            if let begin = text.firstRange(of: " run the '") {
                let name = String(text[begin.upperBound...].prefix { $0 != "'" })
                return .lackOfCommand(commands.contains(name) ? name : nil)
            }
            return text.contains("access") && text.contains("key") ? .lackOfKeys : .lackOfCommand(nil)
        }
        guard code == "ERR" else { return .other }
        if text.hasPrefix("ERR unknown command") { return .unknownCommand }
        if text.hasPrefix("ERR max number of clients") { return .tooManyClients }
        let isOfDatabase = text.hasPrefix("ERR DB index") || text.hasPrefix("ERR invalid DB index")
        return isOfDatabase ? .noDatabase : .other
    }
}
