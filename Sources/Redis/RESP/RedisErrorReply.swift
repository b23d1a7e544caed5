/// An error reply without the server's text, which may repeat a password or a secret.
///
/// The initializer alone reads that text. It keeps only words of its own lists, so that nothing else of an error can be
/// logged, shown or stored.
public struct RedisErrorReply: Equatable, Sendable {
    /// The causes that Larder explains, or that change what it does.
    package enum Cause: Equatable, Sendable {
        /// The user's ACL lacks this command; nil if the server does not name it.
        case lackOfCommand(String?)
        /// The user's ACL lacks the keys.
        case lackOfKeys
        case unknownCommand
        case tooManyClients
        case noDatabase
        case other
    }

    private static let maxSize = 500
    /// The codes that Redis and Valkey use.
    private static let codes: Set = [
        "ASK", "BUSY", "BUSYGROUP", "BUSYKEY", "CLUSTERDOWN", "CROSSSLOT", "DENIED", "ERR", "EXECABORT", "LOADING",
        "MASTERDOWN", "MISCONF", "MOVED", "NOAUTH", "NOGROUP", "NOPERM", "NOPROTO", "NOREPLICAS", "NOSCRIPT", "OOM",
        "READONLY", "TRYAGAIN", "UNBLOCKED", "UNKILLABLE", "WRONGPASS", "WRONGTYPE",
    ]
    /// The commands whose names are taken from a refusal.
    private static let commands: Set = [
        "del", "eval", "evalsha", "exists", "expire", "get", "getex", "hello", "mget", "mset", "persist", "pexpire",
        "ping", "psetex", "pttl", "select", "set", "setnx", "time", "ttl", "unlink", "xadd", "xlen", "xrange", "xread",
        "xrevrange", "xtrim",
    ]

    /// The first word of the text, such as `NOAUTH`; nil if Redis and Valkey have no such code.
    package let code: String?
    package let cause: Cause

    /// Reads an error's text, of which the beginning is enough.
    init(_ bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes.prefix(Self.maxSize), as: UTF8.self)
        let first = String(text.prefix { $0 != " " })
        code = Self.codes.contains(first) ? first : nil
        cause = Self.cause(first, text)
    }

    /// Whether the user lacks the right to the command, or to its keys.
    package var isLackOfRight: Bool {
        switch cause {
        case .lackOfCommand, .lackOfKeys: true
        case .unknownCommand, .tooManyClients, .noDatabase, .other: false
        }
    }

    private static func cause(_ code: String, _ text: String) -> Cause {
        // Redis 7.0 reports a missing right to scripts without a code of its own.
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
