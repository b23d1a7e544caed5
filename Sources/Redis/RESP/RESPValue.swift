/// A reply of a Redis server: the types of RESP3, of which RESP2 has some.
public enum RESPValue: Equatable, Sendable {
    /// A simple string, a bulk string or a verbatim string: its bytes.
    case text([UInt8])
    case integer(Int64)
    case double(Double)
    case bool(Bool)
    case null
    /// An array or a set.
    case array([RESPValue])
    /// A map: its keys and values, one after the other.
    case map([RESPValue])
    case error(RedisErrorReply)

    /// The reply to a command that failed with this code and this message.
    static func error(code: String, message: String) -> RESPValue {
        .error(RedisErrorReply((message.hasPrefix(code) ? message : "\(code) \(message)").utf8))
    }
}

extension RESPValue {
    /// Whether the server refused the command. A value of another type under a key is no fault of the server: it
    /// counts as missing.
    package var isRefusal: Bool { if case .error(let reply) = self { reply.code != "WRONGTYPE" } else { false } }

    /// Whether the user lacks the right to the command, or to its keys.
    package var isLackOfRight: Bool { if case .error(let reply) = self { reply.isLackOfRight } else { false } }

    /// Whether the user has the right to the command, and not to its keys.
    package var isLackOfKeys: Bool { if case .error(let reply) = self { reply.cause == .lackOfKeys } else { false } }
}
