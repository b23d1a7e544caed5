import Model

/// The error of an HTTP request. Data sources map it to `APIError` before it reaches other layers.
public struct HTTPError: Error, Equatable, Sendable {
    /// The reason for an error.
    public enum Reason: Equatable, Sendable {
        /// The URL or a header field is invalid, or the scheme is not `http` or `https`; the text is the reason.
        case invalidURL(String)
        /// The answer is not HTTP or cannot be decoded; the text is the reason.
        case notHTTP(String)
        /// A successful answer has no body although one is required.
        case emptyBody
        /// The status of the answer is not a success.
        case status(HTTPResponse)
        /// The redirect cannot be followed; the text is the reason.
        case badRedirect(location: String, String)
        /// The server's certificate was rejected or the certificate authorities cannot be read; the text is libcurl's.
        case untrusted(String)
        /// The connection failed: name resolution, connecting, TLS, a reset or a truncated answer; the text is
        /// libcurl's.
        case network(String)
        /// No complete answer arrived within this many milliseconds.
        case timeout(Int)
        /// The decoded body is larger than this many bytes.
        case tooLarge(limit: Int)
        /// The decoded body alone is larger than the budget for all bodies, in bytes.
        case exceedsBodyBudget(limit: Int)
        /// The budget for all bodies, in bytes, was used up by other answers until the deadline.
        case noRoom(limit: Int)
        /// The answer redirected more often than this.
        case tooManyRedirects(limit: Int)
        /// The API's `rateLimit` allows the next request after this many milliseconds, which is past the deadline.
        case limited(RateLimit, wait: Int)
        /// The API asked for a pause of this many milliseconds, which is past the deadline.
        case paused(wait: Int)
        /// The number of concurrent requests stayed at `maxConcurrent` until the deadline. `timeout` is the wait in
        /// milliseconds.
        case crowded(limit: Int, timeout: Int)
        /// No access token could be obtained; the error contains the reason.
        case noToken(APIError)
        /// The answer arrived, but its cassette cannot be saved; the text is the reason.
        case notRecorded(String)
        /// The task was cancelled.
        case cancelled
    }

    /// The reason for the error; after several requests, that of the last.
    public var reason: Reason
    /// The number of requests that were made; redirects are not counted.
    public var attempts: Int

    public init(_ reason: Reason, attempts: Int = 1) {
        self.reason = reason
        self.attempts = attempts
    }

    /// The error with `attempts` set to 0, for a request that was not sent.
    public var unsent: HTTPError { HTTPError(reason, attempts: 0) }
}

/// Shorthands for errors of one request.
extension HTTPError {
    public static let cancelled = HTTPError(.cancelled)
    public static func invalidURL(_ text: String) -> HTTPError { HTTPError(.invalidURL(text), attempts: 0) }
    public static func notHTTP(_ text: String) -> HTTPError { HTTPError(.notHTTP(text)) }
    public static func emptyBody(_ response: HTTPResponse) -> HTTPError {
        HTTPError(.emptyBody, attempts: response.attempts)
    }
    public static func status(_ response: HTTPResponse) -> HTTPError {
        HTTPError(.status(response), attempts: response.attempts)
    }
    public static func network(_ text: String) -> HTTPError { HTTPError(.network(text)) }
    public static func timeout(_ milliseconds: Int) -> HTTPError { HTTPError(.timeout(milliseconds)) }
    public static func tooLarge(limit: Int) -> HTTPError { HTTPError(.tooLarge(limit: limit)) }
    public static func tooManyRedirects(limit: Int) -> HTTPError { HTTPError(.tooManyRedirects(limit: limit)) }
}

extension HTTPError {
    /// Whether a rule of the catalog identifies the error as a request for a page past the end of the list.
    package var isPastTheEnd: Bool {
        if case .status(let response) = reason { response.verdict?.isPastTheEnd == true } else { false }
    }
}
