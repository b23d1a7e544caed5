import JSON
import Model

/// A complete HTTP answer with any status, including an error status.
public struct HTTPResponse: Sendable {
    /// The status code of the answer, 100 to 599.
    public var status: Int
    /// The header fields of the answer, in order of arrival.
    public var headers: [HTTPHeader]
    /// The body of the answer, with its `Content-Encoding` already decoded.
    public var body: [UInt8]
    /// The number of requests that were sent to get this answer. Redirects are not counted.
    public var attempts: Int
    /// The time after which the API accepts requests again. Nil unless the API refused the request temporarily, for
    /// example with the status 429 or 503.
    public var retryAfter: HTTPRetryAfter?
    /// The result of the catalog's first matching error rule; nil if no rule matched.
    public var verdict: ErrorVerdict?
    /// The URL that returned the answer after redirects; nil if there was no redirect.
    package var redirectedURL: String?
    /// The body as parsed JSON; nil if the body was not parsed yet.
    package var document: JSONDocument?
    /// The memory that the body has reserved in the memory budget. The answer must retain this reservation until the
    /// body is parsed.
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
    /// Returns the body as JSON. If the body was already parsed, returns the earlier result.
    ///
    /// - Throws: `JSONFault` if the body is not valid JSON.
    package func json() throws(JSONFault) -> JSONDocument {
        if let document { return document }
        return try JSONDocument(skippingBOM: body, with: lease)
    }
}

extension HTTPResponse: Equatable {
    /// Compares the contents of two answers. Ignores their memory reservations.
    public static func == (left: HTTPResponse, right: HTTPResponse) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body
            && left.attempts == right.attempts && left.retryAfter == right.retryAfter && left.verdict == right.verdict
    }
}
