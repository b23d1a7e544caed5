import JSON
import Model

/// A complete HTTP answer. Its status may also be that of an error.
public struct HTTPResponse: Sendable {
    /// The status code, 100 to 599.
    public var status: Int
    /// The header fields, in order of arrival.
    public var headers: [HTTPHeader]
    /// The body after decoding its `Content-Encoding`.
    public var body: [UInt8]
    /// The number of requests that were sent to get this answer, without redirects.
    public var attempts: Int
    /// The time at which the API accepts requests again; nil unless the status is 429 or 503 and the answer contains
    /// this time.
    public var retryAfter: HTTPRetryAfter?
    /// The result of the catalog's first matching error rule; nil if no rule matched.
    public var verdict: ErrorVerdict?
    /// The URL that sent the answer, if redirects led away from the URL of the request; otherwise nil.
    package var redirectedURL: String?
    /// The body as JSON, if it was parsed before.
    package var document: JSONDocument?
    /// The memory that the body has reserved in the body budget. It must be retained until the body is parsed.
    package internal(set) var lease: BodyLease?

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
    /// Returns the body as JSON. A body that was parsed before is not parsed again.
    ///
    /// - Throws: `JSONFault` if the body is not valid JSON.
    package func json() throws(JSONFault) -> JSONDocument {
        if let document { return document }
        return try JSONDocument(skippingBOM: body, with: lease)
    }
}

extension HTTPResponse: Equatable {
    /// Compares the contents of two answers. Their memory leases are ignored.
    public static func == (left: HTTPResponse, right: HTTPResponse) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body
            && left.attempts == right.attempts && left.retryAfter == right.retryAfter && left.verdict == right.verdict
    }
}
