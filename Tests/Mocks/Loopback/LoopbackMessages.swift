import Model
import TestSupport

/// A request to the loopback server.
public struct LoopbackRequest: Sendable {
    public let method: String
    /// The request target: path and query.
    public let target: String
    /// The header fields in the order of the request.
    public let headers: [HTTPHeader]
    public let body: [UInt8]
    /// The number of the connection, starting at 1.
    public let connection: Int
}

/// The reaction of the loopback server to a request.
public enum LoopbackResponse: Sendable {
    /// Sends a complete response with its `Content-Length`. The connection stays open.
    case normal(status: Int = 200, headers: [HTTPHeader] = [], body: [UInt8] = [])
    /// Sends the given bytes and closes the connection.
    case raw([UInt8])
    /// Closes the connection without a response.
    case close
    /// Sends a response with a `Content-Length` that is larger than the body, and closes the connection.
    case truncated(announced: Int, body: [UInt8])
    /// Sends a chunked body (RFC 9112, section 7.1) with trailer fields. The connection stays open.
    case chunked(headers: [HTTPHeader] = [], chunks: [[UInt8]], trailers: [HTTPHeader] = [])
    /// Sends body bytes until the client disconnects.
    case endless(headers: [HTTPHeader] = [])
    /// Sends nothing and waits until the client disconnects.
    case silence
    /// Waits until the gate is open, then sends the associated response.
    indirect case held(Gate, LoopbackResponse)

    /// Returns a complete response with status 200 and a text.
    public static func text(_ text: String) -> LoopbackResponse { .normal(body: Array(text.utf8)) }

    /// Returns a redirect.
    public static func redirect(_ status: Int, to location: String) -> LoopbackResponse {
        .normal(status: status, headers: [HTTPHeader("Location", location)], body: Array("moved".utf8))
    }
}
