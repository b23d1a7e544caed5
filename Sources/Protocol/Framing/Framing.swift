/// How messages are told apart on a stream.
public enum Framing: String, Equatable, Sendable {
    /// One JSON text a line.
    case newline
    /// Headers with a `Content-Length` before each text, as in the Language Server Protocol.
    case contentLength
}
