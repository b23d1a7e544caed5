import JSON
import Model

/// A complete HTTP answer with any status.
public struct HTTPResponse: Sendable {
    /// The status code, 100 to 599.
    public var status: Int
    /// The header fields, in order of arrival.
    public var headers: [HTTPHeader]
    /// The body after decoding its `Content-Encoding`.
    public var body: [UInt8]
    /// The number of requests that were made for the answer; redirects are not counted.
    public var attempts: Int
    /// The time after which the API accepts requests again, if a 429 or 503 contained one.
    public var retryAfter: HTTPRetryAfter?
    /// The result of the catalog's error rules; nil if none matched.
    public var verdict: ErrorVerdict?
    /// The parsed body, if it was parsed already.
    package var document: JSONDocument?
    /// The body's share of the memory for all bodies. It must be retained until the body is parsed.
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
    /// Returns the body as JSON and reuses an earlier result.
    ///
    /// - Throws: `JSONFault` if the body is not valid JSON.
    package func json() throws(JSONFault) -> JSONDocument {
        if let document { return document }
        return try JSONDocument(skippingBOM: body, with: lease)
    }
}

extension HTTPResponse: Equatable {
    /// Compares the content of two answers, but not their memory leases.
    public static func == (left: HTTPResponse, right: HTTPResponse) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body
            && left.attempts == right.attempts && left.retryAfter == right.retryAfter && left.verdict == right.verdict
    }
}
