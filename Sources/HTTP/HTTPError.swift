import Model

/// Why there is no usable answer. It stays below the data sources: above them there is `APIError` only.
public struct HTTPError: Error, Equatable, Sendable {
    /// What happened.
    public enum Reason: Equatable, Sendable {
        /// The URL cannot be built or is not `http` or `https`; the text says what is wrong.
        case invalidURL(String)
        /// What came back is not HTTP, or cannot be decoded as its headers say.
        case notHTTP(String)
        /// A successful answer without a body where one is needed.
        case emptyBody
        /// A status that is no success.
        case status(HTTPResponse)
        /// A redirect to a place that cannot be asked; the text says why not.
        case badRedirect(location: String, String)
        /// The server's certificate is refused, or those to check it with cannot be read; the text is the transport's.
        case untrusted(String)
        /// Name resolution, connection, TLS, reset or truncation; the text is the transport's own.
        case network(String)
        /// No complete answer within this many milliseconds.
        case timeout(Int)
        /// The decoded body is larger than this many bytes.
        case tooLarge(limit: Int)
        /// The decoded body is larger than this many bytes, which all bodies under way may have together.
        case tooLargeForAll(limit: Int)
        /// There was no room for the body among the bytes that all bodies under way may have together.
        case noRoom(limit: Int)
        /// More redirects than this.
        case tooManyRedirects(limit: Int)
        /// The API's `rateLimit` would be kept only by a request after this many milliseconds, which is past the
        /// deadline.
        case limited(RateLimit, wait: Int)
        /// The API has said that it takes the next request in so many milliseconds, which is past the deadline.
        case paused(wait: Int)
        /// Until the deadline, so many milliseconds, as many requests were under way as the API's `maxConcurrent`
        /// allows.
        case crowded(limit: Int, timeout: Int)
        /// There is nothing that would let the request in; the error says why, in words for a person.
        case noToken(APIError)
        /// The answer came, but its cassette cannot be saved; the text says why.
        case notRecorded(String)
        /// The task was cancelled.
        case cancelled
    }

    /// What happened; after several requests, to the last of them.
    public var reason: Reason
    /// How many requests were made; the redirects of one are not counted.
    public var attempts: Int

    /// An error of one request, or of more.
    public init(_ reason: Reason, attempts: Int = 1) {
        self.reason = reason
        self.attempts = attempts
    }

    /// The same of a request that was not made.
    public var unsent: HTTPError { HTTPError(reason, attempts: 0) }
}

/// The errors of one request, and of none where it cannot have been made.
extension HTTPError {
    /// The task was cancelled.
    public static let cancelled = HTTPError(.cancelled)
    /// The URL cannot be built or is not `http` or `https`; no request was made.
    public static func invalidURL(_ text: String) -> HTTPError { HTTPError(.invalidURL(text), attempts: 0) }
    /// What came back is not HTTP.
    public static func notHTTP(_ text: String) -> HTTPError { HTTPError(.notHTTP(text)) }
    /// An answer without a body where one is needed.
    public static func emptyBody(_ response: HTTPResponse) -> HTTPError {
        HTTPError(.emptyBody, attempts: response.attempts)
    }
    /// A status that is no success.
    public static func status(_ response: HTTPResponse) -> HTTPError {
        HTTPError(.status(response), attempts: response.attempts)
    }
    /// Name resolution, connection, TLS, reset or truncation.
    public static func network(_ text: String) -> HTTPError { HTTPError(.network(text)) }
    /// No complete answer within this many milliseconds.
    public static func timeout(_ milliseconds: Int) -> HTTPError { HTTPError(.timeout(milliseconds)) }
    /// The decoded body is larger than this many bytes.
    public static func tooLarge(limit: Int) -> HTTPError { HTTPError(.tooLarge(limit: limit)) }
    /// More redirects than this.
    public static func tooManyRedirects(limit: Int) -> HTTPError { HTTPError(.tooManyRedirects(limit: limit)) }
}

extension HTTPError {
    /// Whether a rule of the catalog declares that the answer means a page past the end of its list.
    package var isPastTheEnd: Bool {
        if case .status(let response) = reason { response.verdict?.isPastTheEnd == true } else { false }
    }
}
