import Model
import System

/// The error of an HTTP request. Data sources convert it to an `APIError`.
public struct HTTPError: Error, Equatable, Sendable {
    /// The reason why an HTTP request failed.
    // Reasons are stored on the heap to keep errors small.
    public indirect enum Reason: Equatable, Sendable {
        /// The request is invalid: its URL, its scheme or a header field. The associated value is the reason.
        case invalidURL(String)
        /// The answer is not HTTP, or its body cannot be decoded. The associated value is the reason.
        case notHTTP(String)
        /// A successful answer has no body although one is required.
        case emptyBody
        /// The answer has an error status, or an error rule of the catalog matches the answer.
        case status(HTTPResponse)
        /// The redirect to `location` cannot be followed. The second value is the reason.
        case badRedirect(location: String, String)
        /// The server's certificate was rejected, or the certificate authorities cannot be read. The associated value
        /// is libcurl's error message.
        case untrusted(String)
        /// The connection failed: name resolution, connecting, TLS, a reset or a truncated answer. The associated value
        /// is libcurl's error message.
        case network(String)
        /// `--replay` has no cassette (recorded answer) for the request, or cannot read the cassettes. The associated
        /// value is the reason.
        case notReplayed(String)
        /// No complete answer arrived within the timeout. The associated value is the timeout in milliseconds.
        case timeout(Milliseconds)
        /// The decoded body is larger than the request allows. `limit` is the maximum size in bytes.
        case tooLarge(limit: Int)
        /// The body can never be received, because it is larger than the memory limit for all bodies. `limit` is in
        /// bytes.
        case exceedsBodyBudget(limit: Int)
        /// Other response bodies used all available memory until the deadline. `limit` is the memory limit for all
        /// bodies, in bytes.
        case noRoom(limit: Int)
        /// The server redirected the request more than `limit` times.
        case tooManyRedirects(limit: Int)
        /// The catalog's `rateLimit` permits no request before the deadline. `wait` is the time until the next
        /// permitted request, in milliseconds.
        case limited(RateLimit, wait: Milliseconds)
        /// The API asked Larder to wait until after the deadline. `wait` is the remaining waiting time, in
        /// milliseconds.
        case paused(wait: Milliseconds)
        /// The request waited until its deadline, because the maximum number of requests to the API (`maxConcurrent`)
        /// was already running. `timeout` is the time that this request waited, in milliseconds.
        case crowded(limit: Int, timeout: Milliseconds)
        /// No access token could be fetched. The associated error contains the reason.
        case noToken(APIError)
        /// The answer arrived, but its cassette cannot be saved. The associated value is the reason.
        case notRecorded(String)
        /// The task was cancelled.
        case cancelled
    }

    /// The reason why the last attempt to get an answer failed.
    public var reason: Reason
    /// The number of requests that were sent. Redirects are not counted.
    public var attempts: Int

    public init(_ reason: Reason, attempts: Int = 1) {
        self.reason = reason
        self.attempts = attempts
    }

    /// A copy of the error with `attempts` set to 0, for a request that was not sent.
    public var unsent: HTTPError { HTTPError(reason, attempts: 0) }
}

/// Constants and functions that create HTTP errors.
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
    public static func notReplayed(_ text: String) -> HTTPError { HTTPError(.notReplayed(text)) }
    public static func timeout(_ milliseconds: Milliseconds) -> HTTPError { HTTPError(.timeout(milliseconds)) }
    public static func tooLarge(limit: Int) -> HTTPError { HTTPError(.tooLarge(limit: limit)) }
    public static func tooManyRedirects(limit: Int) -> HTTPError { HTTPError(.tooManyRedirects(limit: limit)) }
}

extension HTTPError {
    /// Whether an error rule of the catalog identified the answer as a page past the end of the list.
    package var isPastTheEnd: Bool {
        if case .status(let response) = reason { response.verdict?.isPastTheEnd == true } else { false }
    }
}
