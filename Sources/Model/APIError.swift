/// The only error that leaves a remote data source, and all that is known of it. No secret stands in any of its texts.
public struct APIError: Error, Equatable, Sendable {
    /// What happened.
    public enum Kind: String, CaseIterable, Sendable {
        /// The endpoint cannot be built, or the API refuses the request (400, 422).
        case invalidRequest
        /// Not HTTP, empty, GraphQL `errors`, or `data` is missing.
        case invalidResponse
        /// 404, 410, a GraphQL null item, or a page past the end.
        case notFound
        /// Any other status outside 200...299.
        case serverError
        /// The body is not of the declared shape.
        case decodingFailed
        /// 401, 403.
        case unauthorized
        /// 429, or Larder's own limit has no room before the deadline.
        case rateLimited
        /// Name resolution, connection, TLS, reset or a truncated body.
        case network
        /// No answer within the API's timeout.
        case timeout
        /// The body is larger than the API's `maxBodySize`, or than all bodies may be together.
        case tooLarge
        /// Other bodies under way left no room for this one in time.
        case busy
        /// The caller left before the answer came.
        case cancelled
    }

    /// What happened.
    public var kind: Kind
    /// It in words, for a person.
    public var message: String
    /// The HTTP status, where one came.
    public var status: Int?
    /// Where in the body, such as `results[3].status`, when decoding failed.
    public var path: String?
    /// After how many seconds to try again, where the API or Larder's own limit said so.
    public var retryAfter: Int?
    /// The API's own words, without secrets: at most 500 characters, which also end the message.
    public var apiMessage: String?
    /// The API's name in the catalog.
    public var api: String?
    /// The resource's name in the catalog.
    public var resource: String?
    /// The URL, its secrets replaced.
    public var url: String?
    /// How many requests were made: 0 where none left, more than 1 after retries.
    public var attempts: Int?

    /// Whether the catalog lacks what a request needs, so that none was made: the API has said nothing.
    public var isOfCatalog = false

    /// An error of a kind with its message; the rest is filled in by who knows it.
    public init(
        _ kind: Kind, _ message: String, status: Int? = nil, path: String? = nil, retryAfter: Int? = nil
    ) {
        self.kind = kind
        self.message = message
        self.status = status
        self.path = path
        self.retryAfter = retryAfter
    }

    /// Whether a cached value may stand in for the answer that did not come.
    public var fallsBackToCache: Bool {
        switch kind {
        case .invalidResponse, .decodingFailed, .rateLimited, .network, .timeout, .tooLarge, .busy: true
        // With a status of success it is a rule of the catalog that tells the error.
        case .serverError: (status ?? 0) >= 500 || (200...299).contains(status ?? 0)
        case .unauthorized: isOfCatalog
        case .invalidRequest, .notFound, .cancelled: false
        }
    }
}
