import Model
import TestSupport

/// A request as it arrived at the loopback server.
public struct LoopbackRequest: Sendable {
    /// The method as sent.
    public let method: String
    /// The request target: path and query.
    public let target: String
    /// The header fields in their order.
    public let headers: [HTTPHeader]
    /// The body.
    public let body: [UInt8]
    /// Which of the server's connections it came on, counted from 1.
    public let connection: Int
}

/// What the loopback server does with a request.
public enum LoopbackResponse: Sendable {
    /// A complete answer with its `Content-Length`; the connection stays open.
    case normal(status: Int = 200, headers: [HTTPHeader] = [], body: [UInt8] = [])
    /// These bytes as they are, then the end of the connection.
    case raw([UInt8])
    /// The end of the connection, before any byte.
    case close
    /// A complete header section that announces more than the body has, then the end of the connection.
    case truncated(announced: Int, body: [UInt8])
    /// A body in chunks (RFC 9112, section 7.1), with trailer fields; the connection stays open.
    case chunked(headers: [HTTPHeader] = [], chunks: [[UInt8]], trailers: [HTTPHeader] = [])
    /// A body without an end, until the client leaves.
    case endless(headers: [HTTPHeader] = [])
    /// Nothing, until the client leaves.
    case silence
    /// Another answer, once the gate is open.
    indirect case held(Gate, LoopbackResponse)

    /// A complete answer with status 200 and a text.
    public static func text(_ text: String) -> LoopbackResponse { .normal(body: Array(text.utf8)) }

    /// A redirect.
    public static func redirect(_ status: Int, to location: String) -> LoopbackResponse {
        .normal(status: status, headers: [HTTPHeader("Location", location)], body: Array("moved".utf8))
    }
}
