import JSON
import Model

/// A complete answer, whatever its status.
public struct HTTPResponse: Sendable {
    /// The status code, 100 to 599.
    public var status: Int
    /// The header fields in the order of arrival.
    public var headers: [HTTPHeader]
    /// The decoded body (a `Content-Encoding` is undone).
    public var body: [UInt8]
    /// How many requests were made for it; the redirects of one are not counted.
    public var attempts: Int
    /// When the API takes requests again, where it said so with a 429 or a 503.
    public var retryAfter: HTTPRetryAfter?
    /// What the catalog's rules say of it; nil where none fits.
    public var verdict: ErrorVerdict?
    /// The body, where it was read already.
    package var document: JSONDocument?
    /// The body's share of the memory for all bodies. The reader of the body holds it until it has read the body.
    package internal(set) var lease: BodyLease?

    /// An answer; to one request, where nothing else is said.
    public init(
        status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], attempts: Int = 1,
        retryAfter: HTTPRetryAfter? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.attempts = attempts
        self.retryAfter = retryAfter
    }
}

extension HTTPResponse {
    /// The body as JSON; it is read once.
    package func json() throws(JSONFault) -> JSONDocument {
        if let document { return document }
        return try JSONDocument(passingMark: body, with: lease)
    }
}

extension HTTPResponse: Equatable {
    /// Whether all that came is the same, wherever its bytes are counted.
    public static func == (left: HTTPResponse, right: HTTPResponse) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body
            && left.attempts == right.attempts && left.retryAfter == right.retryAfter && left.verdict == right.verdict
    }
}
