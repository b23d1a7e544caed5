/// A reply of a Redis server (RESP3; what RESP2 has of it is the same).
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
    /// An error: the first word of its message, as `NOAUTH`, and the whole message.
    case error(code: String, message: String)
}
