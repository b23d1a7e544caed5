/// A reply of a Redis server, with the types of RESP3.
public enum RESPValue: Equatable, Sendable {
    /// The bytes of a simple string, a bulk string or a verbatim string.
    case text([UInt8])
    case integer(Int64)
    case double(Double)
    case bool(Bool)
    case null
    /// The elements of an array or a set.
    case array([RESPValue])
    /// The keys and values of a map. Each key is followed by its value.
    case map([RESPValue])
    case error(RedisErrorReply)

    /// Returns an error reply with a code and a message.
    static func error(code: String, message: String) -> RESPValue {
        .error(RedisErrorReply((message.hasPrefix(code) ? message : "\(code) \(message)").utf8))
    }
}

extension RESPValue {
    /// Whether the value is an error other than `WRONGTYPE`. A `WRONGTYPE` error does not count, because Larder treats
    /// a stored value of the wrong type as a missing value.
    package var isRefusal: Bool { if case .error(let reply) = self { reply.code != "WRONGTYPE" } else { false } }

    /// Whether the value is an error that the server sends if the user's ACL denies the command or its keys.
    package var isLackOfRight: Bool { if case .error(let reply) = self { reply.isLackOfRight } else { false } }

    /// Whether the value is the error of a command with keys to which the user's ACL denies access. The ACL allows the
    /// command itself.
    package var isLackOfKeys: Bool { if case .error(let reply) = self { reply.cause == .lackOfKeys } else { false } }
}
