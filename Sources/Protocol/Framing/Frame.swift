/// What the decoder found on the stream.
public enum Frame {
    /// A whole message. The bytes are valid until the decoder is next asked for anything.
    case message(UnsafeRawBufferPointer)
    /// A message over the size limit; its bytes are skipped.
    case tooLong(limit: Int)
    /// Headers that cannot be followed, and why. Decoding goes on behind them where a next message can be found.
    case malformed(String)
}
