/// The format that separates the messages on a stream.
public enum Framing: String, Equatable, Sendable {
    /// One JSON text on each line.
    case newline
    /// A `Content-Length` header before each JSON text, as in the Language Server Protocol.
    case contentLength
}

/// A result of the decoder: a message, or an error in the framing.
public enum Frame {
    /// A complete message. The bytes are valid until the next call of the decoder.
    case message(UnsafeRawBufferPointer)
    /// A message over the size limit. The decoder skips its bytes. `limit` is in bytes.
    case tooLong(limit: Int)
    /// Invalid headers, with the reason. The decoder continues at the next valid header.
    case malformed(String)
}
