/// Why there is no usable answer. It stays below the data sources: above them there is `APIError` only.
public enum HTTPError: Error, Equatable, Sendable {
    /// The URL cannot be built or is not `http` or `https`; the text says what is wrong.
    case invalidURL(String)
    /// What came back is not HTTP, or cannot be decoded as its headers say.
    case notHTTP(String)
    /// A successful answer without a body where one is needed.
    case emptyBody
    /// A status that is no success.
    case status(HTTPResponse)
    /// Name resolution, connection, TLS, reset or truncation; the text is the transport's own.
    case network(String)
    /// No complete answer within this many milliseconds.
    case timeout(Int)
    /// The decoded body is larger than this many bytes.
    case tooLarge(limit: Int)
    /// More redirects than this.
    case tooManyRedirects(limit: Int)
    /// The task was cancelled.
    case cancelled
}
