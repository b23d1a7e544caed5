/// How messages are told apart on a stream.
public enum Framing: String, Equatable, Sendable {
    /// One JSON text a line.
    case newline
    /// Headers with a `Content-Length` before each text, as in the Language Server Protocol.
    case contentLength
}

/// What the decoder found on the stream.
public enum Frame {
    /// A whole message. The bytes are valid until the decoder is next asked for anything.
    case message(UnsafeRawBufferPointer)
    /// A message over the size limit; its bytes are skipped.
    case tooLong(limit: Int)
    /// Headers that cannot be followed, and why. Decoding goes on behind them where a next message can be found.
    case malformed(String)
}
