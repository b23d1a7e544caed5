/// The framing of messages on a stream.
public enum Framing: String, Equatable, Sendable {
    /// One JSON text on each line.
    case newline
    /// Headers with a `Content-Length` before each text, as in the Language Server Protocol.
    case contentLength
}

/// A unit that the decoder found on the stream.
public enum Frame {
    /// A complete message. The bytes are valid until the next call of the decoder.
    case message(UnsafeRawBufferPointer)
    /// A message over the size limit. Its bytes are skipped.
    case tooLong(limit: Int)
    /// Headers that cannot be used, with the reason. The decoder continues at the next usable header.
    case malformed(String)
}
